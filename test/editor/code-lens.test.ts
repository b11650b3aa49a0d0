import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplyWorkspaceEditParams, ClientCapabilities, CodeLens } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, manifest } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///w/package.json';
const able: ClientCapabilities = {
  textDocument: { codeLens: {} },
  workspace: { applyEdit: true, codeLens: { refreshSupport: true } },
};

async function lensesOf(client: StrictClient): Promise<CodeLens[]> {
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  return client.ask<CodeLens[]>('textDocument/codeLens', uri);
}

test('a lens moves at a click all that can be moved, through an edit that the client makes', async () => {
  const client = await strictClient({
    capabilities: able,
    settings: { baseUrl: service.url, codeLens: true },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : null),
  });
  let lenses = await lensesOf(client);
  for (let refreshes = 1; lenses.length === 0; refreshes++) {
    await client.until((all) => all.filter((it) => it.method === 'workspace/codeLens/refresh')[refreshes - 1]);
    lenses = await client.ask<CodeLens[]>('textDocument/codeLens', uri);
  }
  const [lens, ...others] = lenses;
  assert.deepEqual(others, []);
  assert.equal(lens?.command?.title, 'Update 1 affected dependency (safe)');
  assert.equal(lens.range.start.line, 2);
  await client.connection.sendRequest('workspace/executeCommand', lens.command);
  const applied = await client.until((all) => all.find((it) => it.method === 'workspace/applyEdit'));
  const { edit } = applied.params as ApplyWorkspaceEditParams;
  assert.deepEqual(
    edit.changes?.[uri]?.map((it) => it.newText),
    ['4.17.21'],
  );
  await client.stop();
});

test('there is no code lens unless a setting requests it', async () => {
  const client = await strictClient({ capabilities: able, settings: { baseUrl: service.url }, answer: () => null });
  assert.deepEqual(await lensesOf(client), []);
  assert.ok(!client.sent.some((it) => it.method === 'workspace/codeLens/refresh'));
  await client.stop();
});

test('a command with arguments that are none does nothing', async () => {
  const client = await strictClient({ capabilities: able, settings: { baseUrl: service.url }, answer: () => null });
  const command = 'packageInsights.server.updateAll';
  for (const args of [undefined, [], [5], ['file:///not/open.json']]) {
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
  }
  assert.ok(!client.sent.some((it) => it.method === 'workspace/applyEdit'));
  await client.stop();
});
