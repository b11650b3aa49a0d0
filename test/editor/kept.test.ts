import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Hover, InlayHint } from 'vscode-languageserver';
import { cacheDirectory, ledgerDirectory } from '../../server/src/platform/cache-directory.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { type LspClient, startLsp } from '../harness/lsp-client.ts';
import { folderWith, runProgram } from '../terminal/program.ts';
import { catalog, everything, manifest, onLodash, onRequest } from './scratch.ts';

const uri = 'file:///workspace/package.json';
const scratch = mkdtempSync(join(tmpdir(), 'package-insights-kept-'));
const sqlite = process.getBuiltinModule('node:sqlite') !== undefined;
const service = await startServiceForFile(catalog);
after(() => rmSync(scratch, { recursive: true, force: true }));

function start(name: string, settings: object = {}): Promise<LspClient> {
  return startLsp({
    settings: { baseUrl: service.url, ...settings },
    capabilities: { textDocument: { inlayHint: {}, hover: { contentFormat: ['plaintext'] } } },
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: join(scratch, name) },
  });
}

async function hints(client: LspClient): Promise<readonly InlayHint[]> {
  return client.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range: everything });
}

async function hover(client: LspClient, position: object): Promise<string> {
  const { contents } = await client.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri },
    position,
  });
  assert.ok(typeof contents === 'object' && 'value' in contents);
  return contents.value;
}

/** Everything that a manifest with findings needs is in the file once this has ended. */
async function look(name: string): Promise<readonly InlayHint[]> {
  const client = await start(name);
  await client.open(uri, manifest);
  await client.pushedUntil(uri, (all) => all.length === 2);
  // A hover waits for what its dependency needs.
  for (const at of [onLodash, onRequest]) await hover(client, at);
  const shown = await hints(client);
  assert.equal(await client.stop(), 0);
  return shown;
}

test('the first answer after a second start has every hint, although it waits for nothing', {
  skip: !sqlite,
}, async () => {
  const all = await look('at once');
  const client = await startLsp({
    settings: { baseUrl: service.url },
    capabilities: { workspace: { inlayHint: { refreshSupport: true } }, textDocument: { inlayHint: {} } },
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: join(scratch, 'at once') },
    answers: { 'workspace/inlayHint/refresh': () => null },
  });
  await client.open(uri, manifest);
  assert.deepEqual(await hints(client), all);
  await client.stop();
});

test('a second start shows its first hints and findings without a request', { skip: !sqlite }, async () => {
  const first = await look('warm');
  assert.equal(first.length, 2);
  const before = service.requests.length;
  const client = await start('warm');
  await client.open(uri, manifest);
  assert.deepEqual(await hints(client), first);
  await client.pushedUntil(uri, (all) => all.length === 2);
  assert.equal(service.requests.length, before);
  assert.equal(await client.stop(), 0);
});

test('offline shows what was looked up before, asks nothing, and says so', { skip: !sqlite }, async () => {
  await look('offline');
  const before = service.requests.length;
  const client = await start('offline', { offline: true });
  await client.open(uri, manifest.replace('2.88.2', '2.88.1'));
  await client.pushedUntil(uri, (all) => all.some((it) => it.code === 'advisory'));
  assert.match(await hover(client, onLodash), /GHSA-p6mc-m468-83gw/);
  assert.match(await hover(client, onRequest), /offline/);
  assert.equal(service.requests.length, before);
  // Back again, it asks at once.
  await client.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { packageInsights: { offline: false, baseUrl: service.url } },
  });
  let said = '';
  for (let tries = 0; tries < 100 && !said.includes('No published version meets'); tries++) {
    said = await hover(client, onRequest);
  }
  assert.match(said, /No published version meets 2\.88\.1/);
  assert.ok(service.requests.length > before);
  assert.equal(await client.stop(), 0);
});

test('a check offline is answered by an earlier one, and is not whole where that is not enough', {
  skip: !sqlite,
}, async () => {
  const folder = folderWith({ 'package.json': manifest });
  const environment = { PACKAGE_INSIGHTS_CACHE_DIR: join(scratch, 'check') };
  const check = (...more: readonly string[]) =>
    runProgram(['check', '--base-url', service.url, '--format', 'json', ...more], folder.path, environment);
  const earlier = await check();
  const before = service.requests.length;
  const offline = await check('--offline');
  assert.equal(offline.code, 1);
  assert.deepEqual(JSON.parse(offline.out).findings, JSON.parse(earlier.out).findings);
  folder.write('package.json', '{"dependencies":{"left-pad":"1.3.0"}}');
  const unknown = await check('--offline');
  assert.equal(unknown.code, 2);
  assert.match(unknown.error, /offline/);
  assert.equal(service.requests.length, before);
  folder.remove();
});

test('answers are kept where the system keeps such things, or nowhere', () => {
  assert.equal(cacheDirectory({ PACKAGE_INSIGHTS_CACHE_DIR: '' }, 'linux', '/home/me'), undefined);
  assert.equal(cacheDirectory({ PACKAGE_INSIGHTS_CACHE_DIR: '/there' }, 'linux', '/home/me'), '/there');
  assert.equal(cacheDirectory({}, 'linux', '/home/me'), join('/home/me', '.cache', 'package-insights'));
  // A relative XDG_CACHE_HOME does not count, as its specification says.
  const xdg = (dir: string) => cacheDirectory({ XDG_CACHE_HOME: dir }, 'linux', '/home/me');
  assert.equal(xdg('/var/me'), join('/var/me', 'package-insights'));
  assert.equal(xdg('here'), join('/home/me', '.cache', 'package-insights'));
});

test('an editor with a cache of its own counts where the other programs of this user count', () => {
  const editor = { PACKAGE_INSIGHTS_CACHE_DIR: '/editor/answers', PACKAGE_INSIGHTS_LEDGER: 'user' };
  assert.equal(ledgerDirectory(editor, 'linux', '/home/me'), cacheDirectory({}, 'linux', '/home/me'));
  assert.equal(ledgerDirectory({ PACKAGE_INSIGHTS_CACHE_DIR: '/there' }, 'linux', '/home/me'), '/there');
  assert.equal(ledgerDirectory({ PACKAGE_INSIGHTS_CACHE_DIR: '' }, 'linux', '/home/me'), undefined);
});
