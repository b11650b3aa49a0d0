import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities, Hover } from 'vscode-languageserver';
import { systemClock } from '../../server/src/platform/clock.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import type { Sent } from './announced.ts';
import { catalog, manifest, onLodash } from './scratch.ts';
import { refuse, type StrictClient, type StrictOptions, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
let scratch: string;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-documents-')));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const ranged = manifest.replace('4.17.15', '^4.17.15');
const lock = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { lodash: '^4.17.15' } },
    member: { dependencies: { lodash: '^4.17.15' } },
    'node_modules/lodash': { version: '4.17.15' },
  },
});
const newerLock = lock.replace('"version":"4.17.15"', '"version":"4.17.21"');
const able: ClientCapabilities = {
  textDocument: { inlayHint: {} },
  workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
};

function start(options: StrictOptions = {}): Promise<StrictClient> {
  return strictClient({ capabilities: able, settings: { baseUrl: service.url }, answer: () => null, ...options });
}

function uriOf(...parts: readonly string[]): string {
  return pathToFileURL(join(scratch, ...parts)).href;
}

function write(text: string, ...parts: readonly string[]): void {
  const path = join(scratch, ...parts);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

/** The resolved version of lodash that the hover shows, once it is known. */
async function versionShown(client: StrictClient, uri: string): Promise<string | undefined> {
  const hover = await client.ask<Hover | null>('textDocument/hover', uri, { position: onLodash });
  if (hover === null) return undefined;
  assert.ok(typeof hover.contents === 'object' && 'value' in hover.contents);
  return /^lodash [^(·\n]*?([\d.]+)(?= \(| ·|\n)/.exec(hover.contents.value)?.[1];
}

const elsewhere = [
  'untitled:package.json',
  'file:///c%3A/projects/package.json',
  'file:///C:/projects/package.json',
  'file:///projects/a%20b/%C3%A9%F0%9F%98%80/package.json',
  'file:///projects/a b/100%/package.json',
  'file://server/share/package.json',
];

for (const uri of elsewhere) {
  test(`${uri} is a manifest`, async () => {
    const client = await start();
    await client.open(uri, ranged);
    assert.equal(await versionShown(client, uri), '4.17.21');
    await client.pushed(uri, (all) => all.length === 1);
    await client.stop();
  });
}

const none = [
  'git:/workspace/package.json?ref=HEAD',
  'vscode-notebook-cell:/workspace/package.json#1',
  'fugitive:///workspace/.git//0/package.json',
  'output:package.json',
  'file:///workspace/readme.md',
  'file:///workspace/package.json.orig',
  'untitled:Untitled-1',
  // Its folder may say that names are private, and is not read.
  'untitled:/workspace/package.json',
];

test('what is no manifest, or lies in no folder, is left alone', async () => {
  const client = await start();
  for (const uri of none) {
    await client.open(uri, manifest);
    assert.equal(await versionShown(client, uri), undefined, uri);
    await client.change(uri, 2, '');
    await client.close(uri);
  }
  assert.ok(!client.sent.some((it) => it.method === 'textDocument/publishDiagnostics' && somethingIn(it.params)));
  await client.stop();
});

test('another spelling of the address of an open lockfile is the same file', async () => {
  const client = await start();
  await client.open('file:///C%3A/a%20b/package-lock.json', lock);
  const uri = 'file:///c:/a b/package.json';
  await client.open(uri, ranged);
  assert.equal(await versionShown(client, uri), '4.17.15');
  await client.stop();
});

test('a file outside of every folder is read with the lockfile beside it', async () => {
  write(lock, 'outside', 'package-lock.json');
  const uri = uriOf('outside', 'package.json');
  for (const workspaceFolders of [null, [], [{ name: 'inside', uri: uriOf('inside') }]]) {
    const client = await start({ initialize: { workspaceFolders } });
    await client.open(uri, ranged);
    assert.equal(await versionShown(client, uri), '4.17.15');
    await client.stop();
  }
});

test('of several folders each is read; what lies above them is not', async () => {
  write(lock, 'one', 'package-lock.json');
  write(lock, 'package-lock.json');
  const folders = ['one', 'two'].map((name) => ({ name, uri: uriOf(name) }));
  const [one, two] = [uriOf('one', 'member', 'package.json'), uriOf('two', 'member', 'package.json')];
  mkdirSync(join(scratch, 'two', 'member'), { recursive: true });
  mkdirSync(join(scratch, 'one', 'member'), { recursive: true });
  const client = await start({ initialize: { workspaceFolders: folders } });
  await client.open(one, ranged);
  await client.open(two, ranged);
  assert.equal(await versionShown(client, one), '4.17.15');
  assert.equal(await versionShown(client, two), '4.17.21');
  await client.stop();
});

test('a folder that is removed is read no more, and one that is added is', async () => {
  write(lock, 'one', 'package-lock.json');
  mkdirSync(join(scratch, 'one', 'member'), { recursive: true });
  const folder = { name: 'one', uri: uriOf('one') };
  const uri = uriOf('one', 'member', 'package.json');
  for (const initialize of [
    { workspaceFolders: [folder] },
    { rootUri: folder.uri },
    { rootPath: join(scratch, 'one') },
  ]) {
    const client = await start({ initialize });
    await client.open(uri, ranged);
    assert.equal(await versionShown(client, uri), '4.17.15');
    const change = (event: object) =>
      client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    await change({ added: [], removed: [folder] });
    assert.equal(await versionShown(client, uri), '4.17.21');
    await change({ added: [{ ...folder, uri: `${folder.uri}/` }], removed: [] });
    assert.equal(await versionShown(client, uri), '4.17.15');
    await client.stop();
  }
});

test('a renamed document was found by its new name alone', async () => {
  write(lock, 'new', 'package-lock.json');
  const [old, renamed] = [uriOf('old', 'package.json'), uriOf('new', 'package.json')];
  const client = await start();
  await client.open(old, ranged);
  await client.pushed(old, (all) => all.length === 1);
  await client.close(old);
  await client.open(renamed, ranged);
  await client.pushed(old, (all) => all.length === 0);
  await client.pushed(renamed, (all) => all.length === 2);
  assert.equal(await versionShown(client, old), undefined);
  assert.equal(await versionShown(client, renamed), '4.17.15');
  await client.stop();
});

test('a lockfile that is written, changed and deleted counts at once', async () => {
  const [uri, lockfile] = [uriOf('package.json'), uriOf('package-lock.json')];
  const client = await start({ initialize: { rootUri: uriOf() } });
  const tell = (type: number) =>
    client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: lockfile, type }] });
  await client.open(uri, ranged);
  assert.equal(await versionShown(client, uri), '4.17.21');
  write(lock, 'package-lock.json');
  await tell(1);
  assert.equal(await versionShown(client, uri), '4.17.15');
  write(newerLock, 'package-lock.json');
  await tell(2);
  assert.equal(await versionShown(client, uri), '4.17.21');
  write(lock, 'package-lock.json');
  await tell(2);
  assert.equal(await versionShown(client, uri), '4.17.15');
  rmSync(join(scratch, 'package-lock.json'));
  await tell(3);
  assert.equal(await versionShown(client, uri), '4.17.21');
  await client.stop();
});

test('an editor that watches no files has them read again when a document is opened or saved', async () => {
  const uri = uriOf('package.json');
  let later = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + later };
  const capabilities = { textDocument: { inlayHint: {} } };
  const client = await start({ capabilities, clock, initialize: { rootUri: uriOf() } });
  await client.open(uri, ranged);
  assert.equal(await versionShown(client, uri), '4.17.21');
  write(lock, 'package-lock.json');
  await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  assert.equal(await versionShown(client, uri), '4.17.15');
  write(newerLock, 'package-lock.json');
  later = 1000;
  await client.open(uriOf('other', 'package.json'), ranged);
  assert.equal(await versionShown(client, uri), '4.17.21');
  await client.stop();
});

test('so are they for an editor that said it could watch files, and then would not', async () => {
  const uri = uriOf('package.json');
  const workspace = { didChangeWatchedFiles: { dynamicRegistration: true } };
  const capabilities = { workspace, textDocument: { inlayHint: {} } };
  const client = await start({ capabilities, initialize: { rootUri: uriOf() }, answer: refuse });
  await client.open(uri, ranged);
  await client.until((all) => all.find((it) => it.method === 'window/logMessage' && /does not watch/.test(textOf(it))));
  assert.equal(await versionShown(client, uri), '4.17.21');
  write(lock, 'package-lock.json');
  await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  assert.equal(await versionShown(client, uri), '4.17.15');
  await client.stop();
});

test('an open lockfile counts as it stands in the editor, and as on disk again once it is closed', async () => {
  write(lock, 'package-lock.json');
  const [uri, lockfile] = [uriOf('package.json'), uriOf('package-lock.json')];
  const client = await start({ initialize: { rootUri: uriOf() } });
  await client.open(uri, ranged);
  await client.pushed(uri, (all) => all.length === 2);
  await client.open(lockfile, newerLock);
  await client.pushed(uri, (all) => all.length === 1);
  await client.close(lockfile);
  await client.pushed(uri, (all) => all.length === 2);
  await client.stop();
});

function somethingIn(params: unknown): boolean {
  return (params as { diagnostics: unknown[] }).diagnostics.length > 0;
}

function textOf({ params }: Sent): string {
  return (params as { message: string }).message;
}
