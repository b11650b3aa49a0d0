import * as l10n from '@vscode/l10n';
import { LruMap } from '../../engine/base/lru-map.ts';
import { nameOf } from '../../engine/base/uri.ts';
import type { AnswerStore } from '../../engine/model/answers/answer-store.ts';
import type { CallPriority, ConnectionClient } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Deployments } from '../model/deployments/deployments.ts';
import type { TypeInsight } from '../model/deployments/types.ts';
import type {
  DocumentContext,
  DocumentFinding,
  DocumentLens,
  ServiceDocument,
  ServiceDocumentKind,
} from '../model/documents/service-document.ts';
import { completionsAt } from './completion.ts';
import { createDeployments } from './deployments.ts';
import { createDocumentActions } from './document-actions.ts';
import { findingsIn } from './findings.ts';
import { hintsIn } from './hints.ts';
import { hoverAt } from './hover.ts';
import { importUri, readTemplateSchema } from './imports.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { type DeploymentManifest, readManifest } from './manifest.ts';
import { createServiceCalls } from './service-calls.ts';
import { createTypeStore, type TypeStore } from './type-store.ts';
import type { ImportedFile, ManifestWorld } from './world.ts';

export interface DeploymentDocumentsParts {
  readonly client: ConnectionClient;
  readonly clock: Clock;
  readonly store: AnswerStore;
  readonly settings: () => {
    /** Empty while no service is connected. */
    readonly baseUrl: string;
    /** Empty while none is chosen. */
    readonly project: string;
  };
}

/** Deployment manifests as documents of the deployment service. */
export interface DeploymentDocuments extends ServiceDocumentKind {
  readonly deployments: Deployments;
  close(): void;
}

/** Open manifests, as they were read last. */
const MAX_READ = 20;
/** Imports of one manifest whose files are looked for. */
const MAX_IMPORTS = 100;
/** In characters. A manifest of the service has a megabyte at most. */
const MAX_LENGTH = 1024 * 1024;
/** How long a caller is taken for the same, in ms. */
const CALLER_PAUSE = 60_000;

export function createDeploymentDocuments(parts: DeploymentDocumentsParts): DeploymentDocuments {
  const { client, clock, settings } = parts;
  const listeners = new Set<() => void>();
  const read = new LruMap<string, { readonly text: string; readonly manifest: DeploymentManifest | undefined }>(
    MAX_READ,
  );
  const changed = (): void => {
    for (const it of [...listeners]) it();
  };

  let caller: string | undefined;
  let callerAddress = '';
  let callerAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;

  /** Who calls, as far as it is known: the credential is read without a wait, at most once a minute. */
  function callerNow(): string | undefined {
    const { baseUrl } = settings();
    if (baseUrl !== callerAddress) {
      callerAddress = baseUrl;
      caller = undefined;
      callerAt = Number.NEGATIVE_INFINITY;
    }
    if (Math.abs(clock.now() - callerAt) > CALLER_PAUSE && !isAsking) {
      isAsking = true;
      client
        .identity()
        .then((it) => {
          const isMoved = baseUrl !== callerAddress;
          if (!isMoved) callerAt = clock.now();
          if (!isMoved && it === caller) return;
          if (!isMoved) caller = it;
          changed();
        })
        .finally(() => {
          isAsking = false;
        });
    }
    return caller;
  }

  const answers = createKeptAnswers({ clock, store: parts.store, caller: callerNow, changed });
  const calls = createServiceCalls(client);
  const deployments = createDeployments({ calls, clock, project: () => settings().project });
  const actions = createDocumentActions({ deployments, clock, changed });
  let types: { readonly project: string; readonly store: TypeStore } | undefined;

  function typesNow(): TypeStore {
    const { project } = settings();
    if (types?.project !== project) types = { project, store: createTypeStore({ answers, calls }, project) };
    return types.store;
  }

  function manifestIn({ uri, text }: ServiceDocument): DeploymentManifest | undefined {
    const known = read.get(uri);
    if (known?.text === text) return known.manifest;
    const manifest = text.length > MAX_LENGTH ? undefined : readManifest(pathOfDocument(uri), text);
    read.set(uri, { text, manifest });
    return manifest;
  }

  async function worldOf(
    document: ServiceDocument,
    manifest: DeploymentManifest | undefined,
    { read: readFile }: DocumentContext,
    priority: CallPriority,
  ): Promise<ManifestWorld> {
    const files = new Map<string, ImportedFile>();
    await Promise.all(
      (manifest?.imports ?? []).slice(0, MAX_IMPORTS).map(async ({ path: { text: path } }) => {
        files.set(path, await fileAt(document.uri, path, readFile));
      }),
    );
    const store = typesNow();
    const insights = new Map<string, TypeInsight>();
    return {
      typeOf(name) {
        const insight = insights.get(name) ?? store.typeOf(name, priority);
        insights.set(name, insight);
        return insight;
      },
      types: () => store.types(),
      importAt: (path) => files.get(path) ?? { kind: 'unread' },
    };
  }

  /** The findings of a document that is one: `claims` was true for it. */
  async function findings(document: ServiceDocument, context: DocumentContext): Promise<readonly DocumentFinding[]> {
    const manifest = manifestIn(document);
    if (!manifest) return [];
    const world = await worldOf(document, manifest, context, 'background');
    return [
      ...withoutProject(manifest),
      ...findingsIn(document.text, manifest, world),
      ...actions.problems(document, manifest),
    ];
  }

  function withoutProject(manifest: DeploymentManifest): DocumentFinding[] {
    if (settings().project !== '' || !manifest.isCertain) return [];
    const key = manifest.root.entries.find((it) => it.key.text === 'resources')?.key;
    if (!key) return [];
    const message = l10n.t('Types are not checked: no project is chosen ({0}).', projectSetting);
    return [{ span: key.span, code: 'no-project', severity: 'information', message }];
  }

  function lenses(document: ServiceDocument, context: DocumentContext): readonly DocumentLens[] {
    const { isOwnExtension } = context.client;
    const manifest = manifestIn(document);
    if (!manifest?.isCertain) return [];
    const span = { start: 0, end: 0 };
    if (settings().project !== '') return actions.lenses(document, context);
    const disabled = isOwnExtension ? undefined : l10n.t('in the setting {0}', projectSetting);
    const command = { id: 'packageInsights.deployments.chooseProject', args: [] };
    return [{ span, title: l10n.t('Choose a Project…'), command, ...(disabled !== undefined && { disabled }) }];
  }

  return {
    name: 'deployment',
    claims: (document) => settings().baseUrl !== '' && manifestIn(document) !== undefined,
    findings,
    async hover(document, offset, context) {
      const manifest = manifestIn(document);
      return manifest && hoverAt(manifest, await worldOf(document, manifest, context, 'asked'), offset);
    },
    async completion(document, offset, context) {
      const world = await worldOf(document, manifestIn(document), context, 'asked');
      return completionsAt(pathOfDocument(document.uri), document.text, offset, world);
    },
    async hints(document, _, context) {
      const manifest = manifestIn(document);
      if (!manifest) return [];
      const world = await worldOf(document, manifest, context, 'background');
      return hintsIn(document.text, manifest, world).map(({ offset, text }) => ({ offset, label: text }));
    },
    lenses,
    run: (name, args, context) => actions.run(name, args, context, manifestIn),
    deployments,
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => answers.close(),
  };
}

export const projectSetting = 'packageInsights.connections.deployments.project';

/** An unsaved document has no name: any text of YAML may be a manifest. */
function pathOfDocument(uri: string): string {
  return uri.startsWith('untitled:') ? 'untitled.yaml' : nameOf(uri);
}

async function fileAt(manifest: string, path: string, read: DocumentContext['read']): Promise<ImportedFile> {
  const uri = /^file:/i.test(manifest) ? importUri(manifest, path) : undefined;
  if (uri === undefined) return { kind: 'unread' };
  const [text, schema] = await Promise.all([read(uri), read(`${uri}.schema`)]);
  if (text !== undefined)
    return { kind: 'present', ...(schema !== undefined && { schema: readTemplateSchema(schema) }) };
  // A file above the manifest may be outside of what may be read.
  return path.split('/').includes('..') ? { kind: 'unread' } : { kind: 'missing' };
}
