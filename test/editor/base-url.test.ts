import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import type { Http } from '../../server/src/engine/http/types.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { type LspClientOptions, startLsp } from '../harness/lsp-client.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { type StrictOptions, strictClient } from './strict-client.ts';

/* Which service is asked, where the client leaves it open. */

const service = await startServiceForFile(catalog);
const uri = 'file:///workspace/package.json';

/** The real program below an environment that names a service; whatever is not on this machine ends at a dead proxy. */
async function startIn(t: TestContext, address: string | undefined, options: LspClientOptions) {
  const dead = 'http://127.0.0.1:1';
  const env = { ...process.env, HTTPS_PROXY: dead, https_proxy: dead, PACKAGE_INSIGHTS_BASE_URL: address };
  const client = await startLsp({ ...options, env });
  t.after(() => client.stop());
  await client.open(uri, manifest);
  return client;
}

async function hoverIn({ connection }: Awaited<ReturnType<typeof startIn>>): Promise<string> {
  const params = { textDocument: { uri }, position: onLodash };
  const { contents } = await connection.sendRequest<Hover>('textDocument/hover', params);
  return (contents as { value: string }).value;
}

test('the address of the environment is asked where the client names none', async (t) => {
  const silent = { capabilities: { workspace: { configuration: true } } };
  for (const options of [
    {},
    { settings: { inlayHints: 'off' } },
    { ...silent, answers: { 'workspace/configuration': () => [null] } },
  ]) {
    const client = await startIn(t, service.url, options);
    await client.pushedUntil(uri, (all) => all.length === 2);
  }
});

test('an address of the client goes before that of the environment, wherever the client names it', async (t) => {
  for (const options of [
    { settings: { baseUrl: service.url } },
    {
      capabilities: { workspace: { configuration: true } },
      answers: { 'workspace/configuration': () => [{ baseUrl: service.url }] },
    },
  ]) {
    for (const other of ['http://127.0.0.1:1', 'nonsense']) {
      const client = await startIn(t, other, options);
      await client.pushedUntil(uri, (all) => all.length === 2);
    }
  }
});

test('nothing is asked where the address of the environment cannot be understood', async (t) => {
  for (const address of ['', '127.0.0.1:8080', 'htp://me:secret@x.example']) {
    const client = await startIn(t, address, {});
    const hover = (await hoverIn(client)).replaceAll('\\', '');
    const shown = JSON.stringify(address.replace('me:secret@', '…@'));
    assert.ok(hover.includes(`Not looked up: invalid address in PACKAGE_INSIGHTS_BASE_URL: ${shown}.`), hover);
  }
});

/** A client that sends that with `initialize`, and what its server asked of anybody. */
async function startWith(initial: unknown, options: StrictOptions = {}) {
  const asked: string[] = [];
  const http: Http = {
    request: async ({ origin }) => {
      asked.push(origin);
      return { kind: 'failure', reason: 'deaf', isRetryable: false };
    },
    close: async () => {},
  };
  const client = await strictClient({ ...options, http, initialize: { initializationOptions: initial } });
  await client.open(uri, manifest);
  const { contents } = await client.ask<Hover>('textDocument/hover', uri, { position: onLodash });
  return { client, asked, hover: (contents as { value: string }).value.replaceAll('\\', '') };
}

test('nothing is asked where the settings of the start are no object, and the log says so', async () => {
  for (const initial of ['{"baseUrl":"http://me:secret@x.example"}', ['baseUrl', 'http://x.example'], 7, true, '']) {
    for (const stronger of [null, { baseUrl: service.url }]) {
      const { client, asked, hover } = await startWith(initial, {
        capabilities: { workspace: { configuration: true } },
        answer: () => [stronger],
      });
      assert.match(hover, /Not looked up: initializationOptions must be an object/);
      const logged = JSON.stringify(client.sent.filter((it) => it.method === 'window/logMessage'));
      assert.match(logged, /nothing is looked up: initializationOptions must be an object/);
      assert.doesNotMatch(logged, /secret/);
      assert.deepEqual(asked, []);
      await client.stop();
    }
  }
});

test('a client that sends nothing of settings is served', async () => {
  // Neovim writes an empty table as an empty list.
  for (const initial of [undefined, null, {}, []]) {
    const { client, asked } = await startWith(initial);
    assert.ok(asked.length > 0);
    await client.stop();
  }
});
