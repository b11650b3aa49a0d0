import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../harness/seed.ts';
import fc from 'fast-check';
import type { ClientCapabilities, CodeAction, DocumentDiagnosticReport, Hover, InlayHint } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { breachesOfActions, breachesOfDiagnostics } from './announced.ts';
import { catalog, everything, manifest, onLodash, onRequest } from './scratch.ts';
import { refuse, type StrictClient, type StrictOptions, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///workspace/package.json';

/** How a client behaves towards requests. */
type Manner = 'answers' | 'says null' | 'refuses' | 'answers late';
const manners: readonly Manner[] = ['answers', 'says null', 'refuses', 'answers late'];

const supports = fc.boolean().map((it) => (it ? { refreshSupport: true } : {}));
const registers = fc.boolean().map((it) => (it ? { dynamicRegistration: true } : {}));
const describes = fc.constantFrom<object>(
  {},
  { codeDescriptionSupport: true },
  { tagSupport: { valueSet: [2] } },
  { tagSupport: { valueSet: [1] }, versionSupport: true },
);
const maybe = <T>(it: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(it, { nil: undefined });

const clients = fc.record({
  general: maybe(fc.record({ positionEncodings: fc.subarray(['utf-8', 'utf-32', 'utf-16'], { minLength: 1 }) })),
  textDocument: maybe(
    fc.record({
      hover: maybe(fc.record({ contentFormat: maybe(fc.subarray(['markdown', 'plaintext'])) })),
      publishDiagnostics: maybe(describes),
      diagnostic: maybe(describes),
      inlayHint: maybe(registers),
      codeAction: maybe(
        fc.record({
          codeActionLiteralSupport: maybe(fc.constant({ codeActionKind: { valueSet: ['quickfix'] } })),
          isPreferredSupport: fc.boolean(),
          disabledSupport: fc.boolean(),
        }),
      ),
    }),
  ),
  workspace: maybe(
    fc.record({
      configuration: fc.boolean(),
      workspaceFolders: fc.boolean(),
      didChangeConfiguration: maybe(registers),
      didChangeWatchedFiles: maybe(registers),
      diagnostics: maybe(supports),
      inlayHint: maybe(supports),
      workspaceEdit: maybe(fc.record({ documentChanges: fc.boolean() })),
    }),
  ),
  experimental: maybe(fc.record({ packageInsightsStatus: fc.boolean() })),
}) as fc.Arbitrary<ClientCapabilities>;

const roots = fc.constantFrom<NonNullable<StrictOptions['initialize']>>(
  {},
  { workspaceFolders: null },
  { workspaceFolders: [] },
  { workspaceFolders: null, rootUri: 'file:///workspace' },
  { rootPath: '/workspace', rootUri: null },
);

test('whatever a client can do, it is sent only what it announced, and gets every answer it may ask for', async () => {
  await fc.assert(
    fc.asyncProperty(clients, fc.constantFrom(...manners), roots, async (capabilities, manner, initialize) => {
      const settings = { baseUrl: service.url };
      const { answer, release } = behave(manner, settings);
      const client = await strictClient({ capabilities, initialize, settings, answer });
      await client.open(uri, manifest);
      const seen = seesEverything(client, capabilities);
      // Late enough: the first question was sent before.
      release();
      await seen;
      await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      await client.change(uri, 2, manifest.replace('2.88.2', '^2.88.2'));
      await client.close(uri);
      await client.open(uri, manifest);
      await seesEverything(client, capabilities);
      await seesWhatCannotBeMoved(client, capabilities);
      await client.stop();
    }),
    { numRuns: 60 },
  );
});

function behave(manner: Manner, settings: object) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answers = (method: string): unknown => (method === 'workspace/configuration' ? [settings] : null);
  const table: Readonly<Record<Manner, (method: string) => unknown>> = {
    answers,
    'says null': () => null,
    refuses: refuse,
    'answers late': async (method) => {
      await released;
      return answers(method);
    },
  };
  return { answer: table[manner], release };
}

async function seesWhatCannotBeMoved(client: StrictClient, capabilities: ClientCapabilities): Promise<void> {
  if (!client.offered.capabilities.codeActionProvider) return;
  const gap = 'file:///workspace/gap/package.json';
  await client.open(gap, manifest.replace('4.17.15', '4.17.15 || >=99'));
  await client.ask('textDocument/hover', gap, { position: onLodash });
  const asked = { range: { start: onLodash, end: onLodash }, context: { diagnostics: [] } };
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', gap, asked);
  assert.deepEqual(breachesOfActions(actions, capabilities), []);
  const { disabledSupport = false } = capabilities.textDocument?.codeAction ?? {};
  assert.equal(
    actions.some((it) => it.disabled),
    disabledSupport,
  );
}

async function seesEverything(client: StrictClient, capabilities: ClientCapabilities): Promise<void> {
  const { hoverProvider, inlayHintProvider, diagnosticProvider, codeActionProvider } = client.offered.capabilities;
  assert.equal(hoverProvider, true);
  // A hover waits for all there is to know of its dependency.
  const hover = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  const { kind, value } = hover.contents as { kind: string; value: string };
  const takesMarkdown = capabilities.textDocument?.hover?.contentFormat?.includes('markdown');
  assert.equal(kind, takesMarkdown ? 'markdown' : 'plaintext');
  assert.match(value, /GHSA/);
  await client.ask('textDocument/hover', uri, { position: onRequest });
  if (inlayHintProvider) {
    const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
    assert.equal(hints.length, 2);
  }
  if (diagnosticProvider) {
    const report = await client.ask<DocumentDiagnosticReport>('textDocument/diagnostic', uri);
    assert.ok(report.kind === 'full');
    assert.deepEqual(
      report.items.map((it) => it.code),
      ['advisory', 'deprecated'],
    );
    assert.deepEqual(breachesOfDiagnostics(report.items, capabilities), []);
  } else {
    await client.pushed(uri, (all) => all.length === 2);
  }
  if (codeActionProvider) {
    const asked = { range: { start: onLodash, end: onLodash }, context: { diagnostics: [] } };
    const actions = await client.ask<CodeAction[]>('textDocument/codeAction', uri, asked);
    assert.ok(actions.some((it) => it.edit));
    assert.deepEqual(breachesOfActions(actions, capabilities), []);
  }
}
