import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ClientCapabilities, CodeAction } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything, manifest } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///w/package.json';
const plain: ClientCapabilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
  workspace: { applyEdit: true },
};
const following: ClientCapabilities = { ...plain, experimental: { packageInsightsUpdated: true } };
const updateAll = { command: 'packageInsights.server.updateAll', arguments: [uri] };

async function clientWith(capabilities: ClientCapabilities, applied = true): Promise<StrictClient> {
  const client = await strictClient({
    capabilities,
    settings: { baseUrl: service.url },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied } : null),
  });
  after(() => client.connection.dispose());
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.some((it) => String(it.message).includes('4.17.21')));
  return client;
}

async function updates(client: StrictClient): Promise<CodeAction[]> {
  const context = { diagnostics: [] };
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', uri, { range: everything, context });
  return actions.filter((it) => it.edit !== undefined);
}

const reports = ({ sent }: StrictClient) =>
  sent.filter((it) => it.method === 'packageInsights/updated').map((it) => it.params);

test('a client that announces it runs a command after the edit of each update', async () => {
  const client = await clientWith(following);
  const found = await updates(client);
  assert.ok(found.length >= 1, `${found.length} updates`);
  for (const { command } of found) {
    assert.equal(command?.command, 'packageInsights.updated');
    assert.deepEqual(command.arguments, [{ uri }]);
  }
});

test('others are given none, and no notification', async () => {
  const client = await clientWith(plain);
  for (const { command } of await updates(client)) assert.equal(command, undefined);
  await client.connection.sendRequest('workspace/executeCommand', updateAll);
  await client.stop();
});

test('the edit of a command is reported once it is made', async () => {
  const client = await clientWith(following);
  await client.connection.sendRequest('workspace/executeCommand', updateAll);
  await client.until(() => reports(client)[0]);
  const update = {
    command: 'packageInsights.server.update',
    arguments: [{ uri, name: 'lodash', offset: 0, version: '4.17.21' }],
  };
  await client.connection.sendRequest('workspace/executeCommand', update);
  await client.until(() => reports(client)[1]);
  assert.deepEqual(reports(client), [{ uri }, { uri }]);
  await client.stop();
});

test('an edit that the client turns down is not reported', async () => {
  const client = await clientWith(following, false);
  await client.connection.sendRequest('workspace/executeCommand', updateAll);
  await client.ask('textDocument/codeAction', uri, { range: everything, context: { diagnostics: [] } });
  assert.deepEqual(reports(client), []);
  await client.stop();
});
