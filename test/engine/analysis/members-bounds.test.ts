import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseManifest } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { WorkspaceMembers } from '../../../server/src/engine/analysis/members/workspace-members.ts';
import { packageJson } from '../../../server/src/engine/ecosystems/npm/package-json.ts';
import type { Files } from '../../../server/src/engine/model/ports.ts';

const root = 'file:///w/';
const app = '{ "name": "app" }';

function workspaces(...patterns: readonly string[]): string {
  return JSON.stringify({ private: true, workspaces: patterns });
}

/** What is made in the workspace of `app/package.json`, and the files that were read for it. */
function setUp(texts: Readonly<Record<string, string>>, find?: Files['find']) {
  const reads: string[] = [];
  let time = 0;
  const files: Files = {
    async read(uri) {
      reads.push(uri);
      return texts[uri.slice(root.length)];
    },
    find: find ?? (async () => Object.keys(texts).map((it) => root + it)),
  };
  const members = new WorkspaceMembers(
    files,
    () => time,
    (_, format, text) => parseManifest(format, text),
  );
  const document = { uri: `${root}app/package.json`, format: packageJson, manifest: packageJson.parse(app) };
  return {
    reads,
    names: async () => [...(await members.membersFor([document])).keys()],
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test('a project of any length has a name, unless no package could have it', async () => {
  const { names } = setUp({
    'package.json': workspaces('*'),
    'app/package.json': app,
    'lib/package.json': `{ "name": "lib",${' '.repeat(3_000_000)}"private": true }`,
    'long/package.json': `{ "name": "${'r'.repeat(1001)}" }`,
  });
  assert.deepEqual(await names(), ['NPM app', 'NPM lib']);
});

test('of projects of megabytes the beginnings are read, up to a bound', async () => {
  const long = 'x'.repeat(1_100_000);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}/package.json`, long]));
  const { names, reads } = setUp({ 'package.json': workspaces('*'), 'app/package.json': app, ...many });
  assert.deepEqual(await names(), ['NPM app']);
  assert.ok(reads.length < 90, String(reads.length));
});

test('where thousands of projects match, as many as count are looked for and read', async () => {
  let looks = 0;
  const all = Array.from({ length: 2000 }, (_, at) => `${root}packages/${at}/package.json`);
  const { names, reads } = setUp(
    { 'package.json': workspaces('packages/*', 'packages-a/*', 'packages-b/*') },
    async () => {
      looks++;
      return all;
    },
  );
  await names();
  assert.equal(looks, 1);
  assert.ok(reads.length < 2100, String(reads.length));
});

test('workspaces within workspaces are looked through up to a bound', async () => {
  let looks = 0;
  const inner = Array.from({ length: 1000 }, (_, at) => [`packages/${at}/package.json`, workspaces('a/*', 'b/*')]);
  const texts = Object.fromEntries([...inner, ['package.json', workspaces('packages/*')]]);
  const { names } = setUp(texts, async (directory) => {
    looks++;
    return directory === `${root}packages/` ? inner.map(([it = '']) => root + it) : [];
  });
  await names();
  assert.ok(looks > 20 && looks < 50, String(looks));
});

test('no pattern leads elsewhere by a detour; the disk refuses what is beside the root', async () => {
  const patterns = ['/etc/*', 'file:///etc/*', '%2e%2e/*', '.\t./*', 'x\\..\\..', '{a,.}/b/../*', '!../x', 'a/../../*'];
  const looked: string[] = [];
  const { names } = setUp({ 'package.json': workspaces(...patterns) }, async (directory) => {
    looked.push(directory);
    return [];
  });
  await names();
  assert.ok(looked.length > 0);
  assert.ok(
    looked.every((it) => it.startsWith(root)),
    looked.join(' '),
  );
});

test('a search for projects does not start again while another is running, however long it takes', async () => {
  const waiting: Promise<unknown>[] = [];
  let looks = 0;
  const { names, pass } = setUp({ 'package.json': workspaces('*') }, async () => {
    looks++;
    pass(60_000);
    if (looks < 9) waiting.push(names());
    return [];
  });
  await names();
  await Promise.all(waiting);
  assert.equal(looks, 1);
  pass(60_000);
  await names();
  assert.equal(looks, 2);
});

test('roots are looked for all at once, as a slow disk would have it', async () => {
  let asked = 0;
  const files: Files = {
    read: async () => undefined,
    find: async () => [],
    stamp() {
      asked++;
      return new Promise(() => {});
    },
  };
  const members = new WorkspaceMembers(
    files,
    () => 0,
    (_, format, text) => parseManifest(format, text),
  );
  const document = { uri: `${root}a/b/package.json`, format: packageJson, manifest: packageJson.parse(app) };
  void members.membersFor([document]);
  await nextTurn();
  assert.ok(asked >= 12, `${asked} are looked for while nothing was found yet`);
});
