import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { httpLimits } from '../../../server/src/engine/http/types.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { hoverWith } from './hover.ts';

/** A registry whose packument is larger than what is read of an answer, as that of a package with nightly versions. */
const server = createServer(({ url, headers: { accept } }, response) => {
  const manifest = { name: 'nightly', version: '1.0.0' };
  const list = { name: 'nightly', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': manifest } };
  if (url === '/nightly/1.0.0') response.end(JSON.stringify({ ...manifest, license: 'MIT' }));
  else if (accept?.includes('install-v1')) response.end(JSON.stringify(list));
  else response.end(JSON.stringify({ ...list, readme: 'x'.repeat(httpLimits.bodyBytes) }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.close();
  server.closeAllConnections();
});

test('a packument that is too large to be read is asked for in its short form, and its version for the license', async () => {
  const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });
  const { port } = server.address() as AddressInfo;
  const text = '{ "dependencies": { "nightly": "1.0.0" } }';
  const shown = await hoverWith(`registry=http://127.0.0.1:${port}/\n`, text, 'nightly', service.url);
  assert.match(shown, /License MIT/);
});
