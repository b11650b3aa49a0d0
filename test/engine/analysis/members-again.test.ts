import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifest } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { WorkspaceMembers } from '../../../server/src/engine/analysis/members/workspace-members.ts';
import { packageJson } from '../../../server/src/engine/ecosystems/npm/package-json.ts';
import type { DirectoryListing, Files } from '../../../server/src/engine/model/ports.ts';

const root = 'file:///w/';
const start = 1_000_000;

/** Files that were written long ago, and each look at them. */
function setUp(): {
  readonly write: (path: string, text: string | undefined) => void;
  readonly pass: (ms: number) => void;
  readonly members: WorkspaceMembers;
  readonly names: () => Promise<string[]>;
  readonly read: () => string[];
  readonly known: () => Map<string, DirectoryListing> | undefined;
} {
  let now = start;
  const reads: string[] = [];
  let found: Map<string, DirectoryListing> | undefined;
  const texts = new Map<string, { readonly text: string; readonly written: number }>();
  const write = (path: string, text: string | undefined): void => {
    if (text === undefined) texts.delete(root + path);
    else texts.set(root + path, { text, written: now });
  };
  const files: Files = {
    async read(uri) {
      reads.push(uri.slice(root.length));
      return texts.get(uri)?.text;
    },
    async find(directory, matches, _most, _depth, known) {
      found = known;
      known?.set('/w', { mark: '1', written: now, files: [], folders: [], links: [] });
      known?.set('/old', { mark: '1', written: 0, files: [], folders: [], links: [] });
      return [...texts.keys()].filter((it) => it.startsWith(directory) && matches.test(it));
    },
    async stamp(uri) {
      const file = texts.get(uri);
      return file && { mark: `${file.written} ${file.text.length}`, written: file.written };
    },
  };
  write('package.json', '{ "workspaces": ["packages/*"] }');
  write('packages/app/package.json', '{ "name": "app" }');
  write('packages/lib/package.json', '{ "name": "lib" }');
  now += 10_000;
  const members = new WorkspaceMembers(
    files,
    () => now,
    (_, format, text) => parseManifest(format, text),
  );
  const document = { uri: `${root}packages/app/package.json`, format: packageJson, manifest: packageJson.parse('{}') };
  return {
    write,
    pass: (ms) => {
      now += ms;
    },
    members,
    names: async () => [...(await members.membersFor([document])).keys()].map((it) => it.replace('NPM ', '')).sort(),
    read: () => reads.splice(0).sort(),
    known: () => found,
  };
}

test('a project is read again where it was written since, and nothing is where nothing was', async () => {
  const { names, read, pass, write } = setUp();
  assert.deepEqual(await names(), ['app', 'lib']);
  assert.deepEqual(read(), ['package.json', 'packages/app/package.json', 'packages/lib/package.json']);
  assert.deepEqual(await names(), ['app', 'lib']);
  pass(5000);
  assert.deepEqual(await names(), ['app', 'lib']);
  assert.deepEqual(read(), []);
  write('packages/lib/package.json', '{ "name": "bil" }');
  write('packages/new/package.json', '{ "name": "new" }');
  pass(5000);
  assert.deepEqual(await names(), ['app', 'bil', 'new']);
  assert.deepEqual(read(), ['packages/lib/package.json', 'packages/new/package.json']);
  write('packages/lib/package.json', undefined);
  pass(5000);
  assert.deepEqual(await names(), ['app', 'new']);
});

test('a saved incomplete text counts beside the text before it', async () => {
  const { names, pass, write, members } = setUp();
  await names();
  for (const half of ['{ "workspaces": [', '{ "name": "root", ', '']) {
    write('package.json', half);
    pass(5000);
    assert.deepEqual(await names(), ['app', 'lib', ...(half.includes('root') ? ['root'] : [])], half);
  }
  members.forgetAll();
  assert.deepEqual(await names(), ['app', 'lib']);
  write('packages/lib/package.json', '{ "name": "bil", ');
  pass(5000);
  assert.deepEqual(await names(), ['app', 'bil', 'lib']);
  write('packages/lib/package.json', '{ "name": "bil" }');
  write('package.json', '{ "workspaces": ["packages/*", "!packages/app"] }');
  pass(5000);
  assert.deepEqual(await names(), ['app']);
});

test('what was written within a tick of the clock may be written again without a trace', async () => {
  const { names, read, pass, write, members } = setUp();
  write('packages/lib/package.json', '{ "name": "one" }');
  assert.deepEqual(await names(), ['app', 'one']);
  write('packages/lib/package.json', '{ "name": "two" }');
  pass(5000);
  assert.deepEqual(await names(), ['app', 'two']);
  read();
  pass(5000);
  await names();
  assert.deepEqual(read(), []);
  members.forget([`${root}packages/lib/package.json`]);
  await names();
  assert.deepEqual(read(), ['packages/lib/package.json']);
});

test('of directories, too, what was written just now is read again, and all where a new project is told of', async () => {
  const { names, known, pass, members } = setUp();
  await names();
  assert.deepEqual([...(known()?.keys() ?? [])], ['/old']);
  members.forget([`${root}packages/lib/package.json`]);
  await names();
  assert.deepEqual([...(known()?.keys() ?? [])], ['/old']);
  pass(5000);
  const before = known();
  members.forget([`${root}packages/app/deno.json`]);
  await names();
  assert.notEqual(known(), before);
});

test('files that are none of a project change nothing', () => {
  const { members } = setUp();
  const told = ['README.md', 'tsconfig.json', 'src/main.rs', 'config.toml', 'Cargo.lock'].map((it) => root + it);
  assert.equal(members.forget(told), false);
  const projects = [
    'a/Cargo.toml',
    '.cargo/config.toml',
    'deno.jsonc',
    'a/setup.py',
    'settings.gradle.kts',
    'x/any.xml',
  ];
  for (const it of projects) assert.equal(members.forget([root + it]), true, it);
});
