import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { ClientCapabilities, Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import { createLookout } from '../harness/lookout.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { type StartedService, startService } from '../harness/service.ts';

/*
 * The identifiers of advisories arrive with a version, their severities later. A finding is published once:
 *
 *     version ─▶ GHSA-aaaa, GHSA-bbbb ─┬─▶ low 3.1
 *                                      └───────────▶ critical 9.8 ─▶ one finding: 2 known vulnerabilities, worst critical 9.8
 */

const uri = 'untitled:package.json';
const manifest = '{ "dependencies": { "both": "1.0.0", "one": "1.0.0", "broken": "1.0.0" } }';
const affected = (name: string) => [{ system: 'NPM' as const, name, ranges: [{ introduced: '0' }] }];

/** How long each advisory takes, in ms; the last one fails. */
const delays: Readonly<Record<string, number | 'fails'>> = {
  'GHSA-aaaa-aaaa-aaaa': 0,
  'GHSA-bbbb-bbbb-bbbb': 400,
  'GHSA-cccc-cccc-cccc': 250,
  'GHSA-dddd-dddd-dddd': 'fails',
};

const final = [
  '["both",1,"2 vulnerabilities, worst critical 9.8."]',
  '["broken",2,"1 vulnerability, unrated."]',
  '["one",1,"1 vulnerability, high 7.4."]',
];

let service: StartedService;
let way: Awaited<ReturnType<typeof slowWay>>;
before(async () => {
  const name = (id: string): string => (/aaaa|bbbb/.test(id) ? 'both' : /cccc/.test(id) ? 'one' : 'broken');
  const score: Readonly<Record<string, number>> = { a: 3.1, b: 9.8, c: 7.4, d: 5 };
  service = await startService({
    'NPM both': { versions: ['1.0.0'] },
    'NPM one': { versions: ['1.0.0'] },
    'NPM broken': { versions: ['1.0.0'] },
    ...Object.fromEntries(
      Object.keys(delays).map((id) => [
        `advisory ${id}`,
        { title: 'A flaw', cvss3Score: score[id.charAt(5)] ?? 0, affected: affected(name(id)) },
      ]),
    ),
  });
  way = await slowWay();
});
after(async () => {
  way.close();
  await service.close();
});

/** A way to the service on which advisories are slow, or fail. */
async function slowWay() {
  const server = createServer((asked, response) => {
    const { method, url = '/', headers } = asked;
    const delay = delays[/\/advisories\/(.*)/.exec(url)?.[1] ?? ''] ?? 0;
    if (delay === 'fails') {
      response.writeHead(400).end();
      return;
    }
    setTimeout(() => {
      const passed = request(`${service.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      asked.pipe(passed);
    }, delay);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const capabilities: Readonly<Record<'push' | 'pull', ClientCapabilities>> = {
  push: {},
  pull: { workspace: { diagnostics: { refreshSupport: true } }, textDocument: { diagnostic: {} } },
};

for (const [by, announced] of Object.entries(capabilities)) {
  test(`a client that gets its diagnostics by ${by} gets each finding about advisories once`, async () => {
    const seen: (readonly Diagnostic[])[] = [];
    const { happened, until } = createLookout();
    const see = (some: readonly Diagnostic[]): void => {
      seen.push(some.filter((it) => it.code === 'advisory'));
      happened();
    };
    const pull = async (): Promise<void> => {
      const answer = await client.connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
        textDocument: { uri },
      });
      if (answer.kind === 'full') see(answer.items);
    };
    const client = await startLsp({
      capabilities: announced,
      settings: { baseUrl: way.url },
      onDiagnostics: (it) => see(it.diagnostics),
      answers: {
        'workspace/diagnostic/refresh': () => {
          void pull();
          return null;
        },
      },
    });
    await client.open(uri, manifest);
    if (by === 'pull') await pull();
    await until(() => ((seen.at(-1)?.length ?? 0) === final.length ? true : undefined), 20_000);
    await client.stop();
    const said = seen.flat().map(({ range, severity, message }) => {
      const name = /"(\w+)": "$/.exec(manifest.slice(0, range.start.character))?.[1];
      // Whether there is a fixed version is known after other lookups.
      return JSON.stringify([
        name,
        severity,
        String(message)
          .replace(/^.*?: /, '')
          .replace(', no fix', ''),
      ]);
    });
    assert.deepEqual([...new Set(said)].sort(), final);
  });
}
