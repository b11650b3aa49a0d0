import { createDeploymentDocuments } from '../../../server/src/connected/deployments/document-kind.ts';
import type {
  DocumentContext,
  ServiceDocument,
} from '../../../server/src/connected/model/documents/service-document.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import type { ApiAnswer, ApiRequest, CallOptions } from '../../../server/src/engine/model/connection.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

export type Given = Partial<Extract<ApiAnswer, { kind: 'answer' }>> | Exclude<ApiAnswer, { kind: 'answer' }>;

function isOther(it: Given | undefined): it is Exclude<ApiAnswer, { kind: 'answer' }> {
  return it?.kind !== undefined && it.kind !== 'answer';
}

/** A service that knows one base type, with its schema in a provider, and one composite type. */
export const usual: Readonly<Record<string, unknown>> = {
  'demo/global/types': {
    types: [
      {
        name: 'compute.v1.instance',
        labels: [
          { key: 'status', value: 'SUPPORTED' },
          { key: 'typeProvider', value: 'compute-v1' },
          { key: 'type', value: 'instances' },
        ],
      },
      { name: 'storage.v1.bucket', labels: [{ key: 'status', value: 'DEPRECATED' }] },
      { name: 7 },
    ],
  },
  'demo/global/compositeTypes': {
    compositeTypes: [
      {
        name: 'cluster',
        status: 'EXPERIMENTAL',
        templateContents: { schema: 'required: [size]\nproperties:\n  size: {type: integer}\n' },
      },
    ],
  },
  'demo/global/typeProviders': {
    typeProviders: [{ name: 'compute-v1', labels: [{ key: 'source', value: 'built-in' }] }],
  },
  'demo/global/typeProviders/compute-v1/types': {
    types: [
      {
        name: 'instances',
        title: 'Virtual machine',
        documentationLink: 'https://docs.example/instances',
        schema: { input: '{"type":"object","required":["zone"],"properties":{"zone":{"type":"string"}}}' },
      },
    ],
  },
  'gcp-types/global/typeProviders/compute-v1/types': { types: [{ name: 'disks' }] },
};

/** The documents of deployments over a service that a test plays. */
export function setUp(given: {
  readonly answer?: (path: string, at: number) => Given | Promise<Given> | undefined;
  readonly store?: ReturnType<typeof createMemoryCache>;
  readonly clock?: ReturnType<typeof fakeClock>;
  readonly identity?: () => string;
  readonly project?: () => string;
}) {
  const clock = given.clock ?? fakeClock();
  const store = given.store ?? createMemoryCache();
  const sent: (ApiRequest & CallOptions)[] = [];
  const documents = createDeploymentDocuments({
    clock,
    store,
    settings: () => ({ baseUrl: 'http://127.0.0.1:1/v2beta/projects', project: given.project?.() ?? 'demo' }),
    client: {
      async send(request, options) {
        sent.push({ ...request, ...options });
        const path = request.path.replace(/\?.*$/, '');
        const own = await given.answer?.(path, sent.length);
        if (isOther(own)) return own;
        const known = usual[path];
        const status = known === undefined ? 404 : 200;
        return { kind: 'answer', status, headers: {}, text: JSON.stringify(known ?? {}), ...own };
      },
      identity: async () => given.identity?.() ?? 'one',
    },
  });
  /** Everything that a text shows once all answers are there. */
  async function shown(text: string, files: Readonly<Record<string, string>> = {}) {
    const document: ServiceDocument = { uri: 'file:///w/a.yaml', languageId: 'yaml', version: 1, text };
    const context: DocumentContext = {
      signal: new AbortController().signal,
      client: { isOwnExtension: true, takesSnippets: true },
      read: async (uri) => files[uri],
      readUnlinked: async (uri) => files[uri],
    };
    const look = async () => ({
      claims: documents.claims(document),
      findings: await documents.findings(document, context),
      hints: (await documents.hints?.(document, { start: 0, end: text.length }, context)) ?? [],
      lenses: (await documents.lenses?.(document, context)) ?? [],
    });
    for (let turn = 0; turn < 20; turn++) {
      await look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return look();
  }
  return { documents, clock, store, sent, shown };
}

/** A manifest with one resource of each type. */
export function manifestOf(...types: readonly string[]): string {
  return `resources:\n${types.map((it, at) => `- name: r${at}\n  type: ${it}\n`).join('')}`;
}
