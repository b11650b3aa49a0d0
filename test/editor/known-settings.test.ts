import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover, InlayHint } from 'vscode-languageserver';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { Http } from '../../server/src/engine/http/types.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
const uri = 'file:///w/package.json';
const capabilities = { workspace: { configuration: true }, textDocument: { inlayHint: {} } };

/** A client that tells its settings when it is told to, and where the server asked of packages until then and since. */
async function start(initial: object = {}) {
  const asked: string[] = [];
  const real = createHttp({ clock: systemClock, userAgent: 'package-insights-test' });
  const http: Http = {
    ...real,
    async request(it) {
      asked.push(it.origin);
      return it.origin === service.url ? real.request(it) : { kind: 'failure', reason: 'not here', isRetryable: false };
    },
  };
  let tell: (settings: object) => void = () => {};
  const told = new Promise<object>((resolve) => {
    tell = resolve;
  });
  const client = await strictClient({
    http,
    capabilities,
    initialize: { initializationOptions: initial },
    answer: async (method) => (method === 'workspace/configuration' ? [await told] : null),
  });
  await client.until((all) => all.find((it) => it.method === 'workspace/configuration'));
  return { client, asked, tell };
}

async function hintsOf(client: StrictClient): Promise<unknown[]> {
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
  return hints.map((it) => it.label);
}

test('a document is not looked up before the editor has sent its settings', async () => {
  const { client, asked, tell } = await start();
  await client.open(uri, manifest);
  const hover = client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  const page = client.connection.sendRequest<{ kind: string }>('packageInsights/lookUpPurl', {
    purl: 'pkg:npm/lodash@4.17.15',
  });
  // Its answer comes after whatever these two could have led to at once.
  await client.connection.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh' });
  assert.deepEqual(asked, []);
  tell({ baseUrl: service.url });
  assert.match(JSON.stringify((await hover).contents), /MIT/);
  assert.equal((await page).kind, 'found');
  assert.deepEqual([...new Set(asked)], [service.url]);
  await client.stop();
});

test('hints that cannot be told anew wait for the settings that they depend on', async () => {
  const { client, tell } = await start({ baseUrl: service.url });
  await client.open(uri, manifest);
  const hints = hintsOf(client);
  tell({ inlayHints: 'off' });
  assert.deepEqual(await hints, []);
  await client.stop();
});

test('what is opened, changed and closed meanwhile comes to the same', async () => {
  const { client, tell } = await start();
  const other = 'file:///w/other/package.json';
  await client.open(uri, '{}');
  await client.open(other, manifest);
  await client.change(uri, 2, manifest);
  await client.close(other);
  tell({ baseUrl: service.url });
  await client.pushed(uri, (all) => all.length === 2);
  assert.equal(await client.ask('textDocument/hover', other, { position: onLodash }), null);
  await client.stop();
});

test('an editor that can be asked for its settings and never answers is served all the same', async () => {
  const clock = fakeClock();
  const client = await strictClient({
    clock,
    capabilities,
    settings: { baseUrl: service.url },
    answer: () => new Promise(() => {}),
  });
  await client.open(uri, '{ "dependencies": { "lodash": "file:../lodash" } }');
  const hover = client.ask<Hover>('textDocument/hover', uri, { position: { line: 0, character: 23 } });
  await client.until((all) => all.find((it) => it.method === 'workspace/configuration'));
  await clock.advance(5000);
  assert.match(JSON.stringify((await hover).contents), /Not looked up/);
  await client.stop();
});
