import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  CodeAction,
  CodeLens,
  CompletionList,
  DocumentDiagnosticReport,
  Hover,
  InlayHint,
} from 'vscode-languageserver';
import type { ConnectedServices } from '../../../server/src/connected/model/connected-services.ts';
import type { ServiceDocumentKind } from '../../../server/src/connected/model/documents/service-document.ts';
import { everything } from '../../editor/scratch.ts';
import { type StrictClient, strictClient } from '../../editor/strict-client.ts';

const uri = 'file:///w/stack.yaml';

/** Finds every `bad` of a YAML file that begins with `resources:`. */
function kindOf(faults: { isBroken: boolean }): ServiceDocumentKind & { changed(): void; severity: 'error' | 'hint' } {
  const listeners = new Set<() => void>();
  const orFail = <T>(answer: T): T => {
    if (faults.isBroken) throw new Error('the kind is broken');
    return answer;
  };
  return {
    name: 'stack',
    severity: 'error',
    claims: ({ languageId, text }) => languageId === 'yaml' && text.startsWith('resources:'),
    findings({ text }) {
      const { severity } = this;
      return orFail(
        [...text.matchAll(/bad/g)].map(({ index }) => {
          const span = { start: index, end: index + 3 };
          const fixes = [{ title: 'Change to good', edits: [{ span, newText: 'good' }], isPreferred: true }];
          return { span, code: 'bad', severity, message: 'It is bad', fixes };
        }),
      );
    },
    hover: (_, offset) =>
      orFail({ span: { start: offset, end: offset }, prose: [{ kind: 'paragraph', parts: ['*plain*'] }] }),
    completion: (_, offset) =>
      orFail([{ label: 'type', kind: 'property', span: { start: offset, end: offset }, newText: 'type: ' }]),
    hints: () => orFail([{ offset: 0, label: 'deployed' }]),
    lenses: () =>
      orFail([
        { span: { start: 0, end: 0 }, title: 'Deploy', command: { run: 'deploy', args: [uri] } },
        { span: { start: 0, end: 0 }, title: 'Stop', command: { run: 'stop', args: [] }, disabled: 'not permitted' },
      ]),
    actions: () => orFail([{ title: 'Compare', command: { run: 'compare', args: [] } }]),
    async run(name, [given], { document, edit }) {
      const it = document(String(given));
      if (name !== 'deploy' || it === undefined) return orFail(null);
      return { applied: await edit(it, 'Deploy', [{ span: { start: 0, end: 9 }, newText: 'deployed' }]) };
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed() {
      for (const it of listeners) it();
    },
  };
}

const able: ClientCapabilities = {
  textDocument: {
    codeLens: {},
    completion: {},
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } }, isPreferredSupport: true },
    publishDiagnostics: { versionSupport: true },
  },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true }, codeLens: { refreshSupport: true } },
};

/** Loads as if it were the bundle of connected services. */
async function start(
  kind: ServiceDocumentKind,
  { isConnected = true, capabilities = able }: { isConnected?: boolean; capabilities?: ClientCapabilities } = {},
): Promise<{ readonly client: StrictClient; readonly loads: () => number }> {
  let loads = 0;
  const services = {
    connections: { onDidChange: () => () => {} },
    repositories: {
      codeHost: () => undefined,
      request() {},
      release() {},
      onDidChange: () => () => {},
      revision: () => 0,
      refresh: async () => {},
      close() {},
    },
    documents: [kind],
    schedule: { onDidChange: () => () => {}, touch() {} },
    close() {},
  } as unknown as ConnectedServices;
  const client = await strictClient({
    capabilities,
    settings: {
      baseUrl: 'http://127.0.0.1:9',
      ...(isConnected && { connections: { deployments: { baseUrl: 'http://127.0.0.1:9/v2beta/projects' } } }),
    },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : null),
    services: {
      async load() {
        loads++;
        return services;
      },
      credentials: { read: async () => undefined },
      unseal: () => undefined,
    },
  });
  return { client, loads: () => loads };
}

const at = { position: { line: 0, character: 0 } };

test('a document of a connected service has findings with fixes, hovers, completions, hints and lenses', async () => {
  const { client } = await start(kindOf({ isBroken: false }));
  await client.open(uri, 'resources: bad', 'yaml');
  const [found] = await client.pushed(uri, (all) => all.length === 1);
  assert.deepEqual([found?.code, found?.range.start.character, found?.severity], ['bad', 11, 1]);
  const [fix, compare] = await client.ask<CodeAction[]>('textDocument/codeAction', uri, {
    range: found?.range,
    context: { diagnostics: [] },
  });
  const change = fix?.edit?.documentChanges?.[0];
  assert.deepEqual(change, {
    textDocument: { uri, version: 1 },
    edits: [{ range: found?.range, newText: 'good' }],
  });
  assert.equal(fix?.isPreferred, true);
  assert.deepEqual(compare?.command?.arguments, ['stack', 'compare']);
  const hover = await client.ask<Hover>('textDocument/hover', uri, at);
  assert.deepEqual(hover.contents, { kind: 'markdown', value: '\\*plain\\*' });
  const { items } = await client.ask<CompletionList>('textDocument/completion', uri, at);
  assert.deepEqual(
    items.map((it) => [it.label, it.textEdit?.newText]),
    [['type', 'type: ']],
  );
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
  assert.deepEqual(
    hints.map((it) => it.label),
    ['deployed'],
  );
  const [deploy, stop] = await client.ask<CodeLens[]>('textDocument/codeLens', uri);
  assert.deepEqual(stop?.command, { title: 'Stop (not permitted)', command: '' });
  const ran = await client.connection.sendRequest('workspace/executeCommand', deploy?.command);
  assert.deepEqual(ran, { applied: true });
  const applied = await client.until((all) => all.find((it) => it.method === 'workspace/applyEdit'));
  assert.match(JSON.stringify((applied.params as ApplyWorkspaceEditParams).edit), /"version":1.*"newText":"deployed"/);
  await client.stop();
});

test('what arrives later is shown, and what is no longer claimed is withdrawn', async () => {
  const kind = kindOf({ isBroken: false });
  const { client } = await start(kind);
  await client.open(uri, 'resources: bad', 'yaml');
  await client.pushed(uri, (all) => all[0]?.severity === 1);
  kind.severity = 'hint';
  kind.changed();
  await client.pushed(uri, (all) => all[0]?.severity === 4);
  await client.until((all) => all.find((it) => it.method === 'workspace/codeLens/refresh'));
  await client.change(uri, 2, 'others: bad');
  await client.pushed(uri, (all) => all.length === 0);
  await client.stop();
});

test('a client that requests findings gets them', async () => {
  const capabilities = { ...able, textDocument: { ...able.textDocument, diagnostic: {} } };
  delete capabilities.textDocument.publishDiagnostics;
  const { client } = await start(kindOf({ isBroken: false }), { capabilities });
  await client.open(uri, 'resources: bad bad', 'yaml');
  let report: DocumentDiagnosticReport;
  do report = await client.ask<DocumentDiagnosticReport>('textDocument/diagnostic', uri);
  while (report.kind === 'full' && report.items.length === 0);
  assert.equal(report.kind === 'full' && report.items.length, 2);
  await client.stop();
});

test('a fault in a kind gives empty answers', async () => {
  const faults = { isBroken: false };
  const { client } = await start(kindOf(faults));
  await client.open(uri, 'resources: bad', 'yaml');
  await client.pushed(uri, (all) => all.length === 1);
  faults.isBroken = true;
  assert.equal(await client.ask('textDocument/hover', uri, at), null);
  assert.deepEqual(await client.ask('textDocument/codeLens', uri), []);
  assert.deepEqual(await client.ask('textDocument/completion', uri, at), { isIncomplete: false, items: [] });
  await client.change(uri, 2, 'resources: bad bad');
  await client.pushed(uri, (all) => all.length === 0);
  await client.stop();
});

test('a manifest stays one, although it is YAML', async () => {
  const { client } = await start({ ...kindOf({ isBroken: false }), claims: () => true });
  const manifest = 'file:///w/pnpm-workspace.yaml';
  await client.open(uri, 'resources: bad', 'yaml');
  await client.pushed(uri, (all) => all.length === 1);
  await client.open(manifest, 'resources: bad', 'yaml');
  assert.equal(await client.ask('textDocument/hover', manifest, at), null);
  assert.deepEqual(await client.ask('textDocument/codeLens', manifest), []);
  await client.stop();
});

test('before something is connected nothing is loaded, except for a request that a person opens', async () => {
  const { client, loads } = await start(
    { ...kindOf({ isBroken: false }), claims: ({ languageId }) => languageId === 'package-insights-request' },
    { isConnected: false },
  );
  await client.open(uri, 'resources: bad', 'yaml');
  assert.equal(await client.ask('textDocument/hover', uri, at), null);
  assert.equal(loads(), 0);
  const request = 'untitled:Untitled-1';
  await client.open(request, 'bad', 'package-insights-request');
  await client.pushed(request, (all) => all.length === 1);
  assert.equal(loads(), 1);
  await client.stop();
});
