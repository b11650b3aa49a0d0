import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities, CodeAction, Hover, InlayHint } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///workspace/package.json';
const able: ClientCapabilities = {
  textDocument: {
    inlayHint: {},
    diagnostic: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
  workspace: { diagnostics: { refreshSupport: true } },
};

const start = (): Promise<StrictClient> => strictClient({ capabilities: able, settings: { baseUrl: service.url } });

async function isWell(client: StrictClient): Promise<void> {
  const hover = await client.ask<Hover | null>('textDocument/hover', uri, { position: onLodash });
  assert.match(JSON.stringify(hover?.contents), /GHSA/);
}

const requests = [
  'textDocument/hover',
  'textDocument/inlayHint',
  'textDocument/diagnostic',
  'textDocument/codeAction',
] as const;

const nonsense: readonly object[] = [
  {},
  { textDocument: null },
  { textDocument: {} },
  { textDocument: 5, position: 5, range: 5, context: 5 },
  { textDocument: { uri: 5 }, position: {}, range: {} },
  { textDocument: { uri } },
  { textDocument: { uri }, position: null, range: null, context: null },
  { textDocument: { uri }, position: { line: 'x', character: {} }, range: { start: null, end: [] }, context: {} },
  { textDocument: { uri }, position: {}, range: { start: {}, end: {} }, context: { only: 5, diagnostics: 5 } },
  [1, 2],
];

test('a request without sense is answered with nothing or an error, and ends nothing', async () => {
  const client = await start();
  await client.open(uri, manifest);
  for (const method of requests) {
    for (const params of nonsense) {
      await client.connection.sendRequest(method, params).catch((error: unknown) => assert.ok(error instanceof Error));
    }
  }
  await isWell(client);
  await client.stop();
});

test('a notification without sense ends nothing, and keeps other documents from nothing', async () => {
  const client = await strictClient({ settings: { baseUrl: service.url } });
  const notifications = [
    'textDocument/didOpen',
    'textDocument/didChange',
    'textDocument/didClose',
    'textDocument/didSave',
    'textDocument/unheardOf',
    'workspace/didChangeConfiguration',
    'workspace/didChangeWatchedFiles',
    'workspace/didChangeWorkspaceFolders',
    '$/setTrace',
    '$/cancelRequest',
  ];
  const all = [
    { textDocument: null },
    { textDocument: 5 },
    { textDocument: { uri: 5, text: 5, version: 'x' } },
    { textDocument: { uri: `${uri}x`, text: null } },
    { textDocument: { uri: 'file:///other/package.json', text: 5 } },
    { textDocument: { uri: 'file:///no%E0%A4sense/package.json', text: '{}', version: 1, languageId: 'json' } },
    { textDocument: { uri: 'file://%00/package.json', text: '{}', version: 1, languageId: 'json' } },
    { textDocument: { uri: '', text: '{}', version: 1, languageId: 'json' } },
    { textDocument: { uri, version: null }, contentChanges: null },
    { settings: 5 },
    { settings: { packageInsights: [null] } },
    { changes: null },
    { changes: [{ uri: 5, type: 9 }, null] },
    { event: null },
    { event: { added: null, removed: [null] } },
    { value: 5, id: {} },
  ];
  for (const method of notifications)
    for (const params of all) await client.connection.sendNotification(method, params);
  await client.open(uri, manifest);
  await isWell(client);
  await client.pushed(uri, (found) => found.length === 2);
  await client.stop();
});

test('positions outside of the text are taken to the nearest place in it', async () => {
  const client = await start();
  await client.open(uri, manifest);
  await isWell(client);
  for (const line of [-1, 2, 99, 2 ** 31, 1.5, Number.MAX_SAFE_INTEGER]) {
    for (const character of [-1, 0, 9999, 2 ** 31, 0.5]) {
      const position = { line, character };
      await client.ask('textDocument/hover', uri, { position });
      const backwards = { start: position, end: { line: 0, character: 0 } };
      const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: backwards });
      assert.ok(Array.isArray(hints));
      const asked = { range: backwards, context: { diagnostics: [] } };
      assert.ok(Array.isArray(await client.ask<CodeAction[]>('textDocument/codeAction', uri, asked)));
    }
  }
  const all = { start: { line: -1, character: -1 }, end: { line: 2 ** 31, character: 2 ** 31 } };
  assert.equal((await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: all })).length, 2);
  await client.stop();
});

test('documents that are not open are changed, saved and closed to no effect', async () => {
  const client = await start();
  await client.change(uri, 2, manifest);
  await client.close(uri);
  await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  assert.equal(await client.ask('textDocument/hover', uri, { position: onLodash }), null);
  await client.open(uri, manifest);
  await isWell(client);
  await client.close(uri);
  await client.close(uri);
  assert.equal(await client.ask('textDocument/hover', uri, { position: onLodash }), null);
  await client.open(uri, manifest);
  await client.open(uri, manifest);
  await isWell(client);
  await client.stop();
});

test('a change whose range lies outside of the text is taken to its end', async () => {
  const client = await start();
  await client.open(uri, manifest);
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: { line: 900, character: 0 }, end: { line: 901, character: 5 } }, text: '\n' },
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' },
    ],
  });
  const hover = await client.ask<Hover>('textDocument/hover', uri, { position: { ...onLodash, line: 3 } });
  assert.equal(hover.range?.start.line, 3);
  await client.stop();
});
