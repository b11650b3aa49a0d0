import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { settingValues } from '../harness/setting-values.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
const uri = 'file:///workspace/package.json';

test('no value of any setting brings up a message or ends the answers', async () => {
  const client = await strictClient({ settings: { baseUrl: service.url } });
  const set = (settings: object): Promise<void> =>
    client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { packageInsights: { baseUrl: service.url, ...settings } },
    });
  const messages = (): unknown[] => client.sent.filter((it) => it.method.startsWith('window/show'));
  const hover = async (): Promise<string> =>
    JSON.stringify(await client.ask<Hover | null>('textDocument/hover', uri, { position: onLodash }));
  await client.open(uri, manifest);
  for (const [name, values] of settingValues) {
    for (const value of values) {
      await set({ [name.replace('packageInsights.', '')]: value });
      await hover();
      assert.deepEqual(messages(), [], `${name}: ${JSON.stringify(value)}`);
    }
    await set({});
    assert.match(await hover(), /MIT/, name);
  }
  await client.stop();
});
