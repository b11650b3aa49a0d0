import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { strictClient } from './strict-client.ts';

const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.15', '4.17.21'] } });
const uri = 'file:///w/package.json';
const name = '[Update now](command:workbench.action.quit)';
const manifest = JSON.stringify({ dependencies: { [name]: 'npm:lodash@4.17.15' } });

test('no name in a file becomes a link in a message, which would run a command in VS Code', async () => {
  const client = await strictClient({
    capabilities: { workspace: { applyEdit: true } },
    settings: { baseUrl: service.url },
  });
  await client.open(uri, manifest);
  const place = { uri, offset: 0, name };
  for (const [command, request] of [
    ['packageInsights.server.update', { ...place, version: 'no version' }],
    ['packageInsights.server.explain', { ...place, version: '4.17.21', message: `${name} cannot be updated.` }],
  ] as const) {
    const before = client.sent.length;
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: [request] });
    const shown = await client.until((sent) => sent.slice(before).find((it) => it.method === 'window/showMessage'));
    const { message } = shown.params as { readonly message: string };
    assert.match(message, /Update now/);
    assert.doesNotMatch(message, /\]\(/);
  }
  await client.stop();
});
