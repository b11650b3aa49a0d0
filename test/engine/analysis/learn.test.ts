import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing } from '../../harness/knowing-nothing.ts';

/**
 * A workspace over insights that know nothing, and what it said to them, in order.
 * @param texts its files, by their paths
 */
function setUp(texts: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const insights = knowingNothing({
    request: (owner, wanted) => void said.push(`${owner} wants ${wanted.length}`),
    requestAlso: (owner, wanted) => void said.push(`${owner} wants ${wanted.length} more`),
    release: (owner) => void said.push(`${owner} is gone`),
  });
  const files = {
    read: async (uri: string) => texts[uri.slice('file:///'.length)],
    find: async () => Object.keys(texts).map((it) => `file:///${it}`),
  };
  const environment = { now: () => 0, isTrusted: () => true };
  return { workspace: new Workspace(files, insights, () => readSettings({}), environment), said };
}

test('hundreds of manifests are looked at a few at a time, and others have their turn in between', async () => {
  const { workspace, said } = setUp();
  for (let member = 0; member < 200; member++) {
    const uri = `file:///workspace/${member}/package.json`;
    workspace.update({ uri, version: 1, text: '{ "dependencies": { "a": "1.0.0" } }' });
  }
  const seen: number[] = [];
  let isOver = false;
  const others = (): void => {
    seen.push(said.length);
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  await workspace.reevaluateAll();
  isOver = true;
  assert.equal(new Set(said).size, 200);
  const steps = seen.map((it, at) => it - (seen[at - 1] ?? 0));
  assert.ok(Math.max(...steps) <= 20, `${steps}`);
});

const manifest = (names: readonly number[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((it) => [`package-${it}`, '1.0.0'])) });

const upTo = (count: number): number[] => [...Array(count).keys()];

test('the first of many dependencies are asked for while the rest are looked at', async () => {
  const { workspace, said } = setUp();
  workspace.update({ uri: 'file:///package.json', version: 1, text: manifest(upTo(250)) });
  const looks = await Promise.all([
    workspace.snapshot('file:///package.json'),
    workspace.snapshot('file:///package.json'),
  ]);
  assert.deepEqual(said, [
    'file:///package.json wants 100 more',
    'file:///package.json wants 100 more',
    'file:///package.json wants 250',
  ]);
  assert.equal(looks[0]?.dependencies.length, 250);
  assert.equal(looks[0], looks[1]);
});

test('what changes while it is looked at for the first time is looked at as it is then', async () => {
  const { workspace, said } = setUp();
  workspace.update({ uri: 'file:///package.json', version: 1, text: manifest(upTo(250)) });
  const look = workspace.snapshot('file:///package.json');
  while (said.length === 0) await new Promise((resolve) => setImmediate(resolve));
  workspace.update({ uri: 'file:///package.json', version: 2, text: manifest(upTo(3)) });
  assert.equal((await look)?.version, 2);
  assert.deepEqual(said, ['file:///package.json wants 100 more', 'file:///package.json wants 3']);
});

test('what is closed while it is looked at for the first time is wanted no longer', async () => {
  const { workspace, said } = setUp();
  workspace.update({ uri: 'file:///package.json', version: 1, text: manifest(upTo(250)) });
  const look = workspace.snapshot('file:///package.json');
  while (said.length === 0) await new Promise((resolve) => setImmediate(resolve));
  workspace.close('file:///package.json');
  assert.equal(await look, undefined);
  assert.deepEqual(said, ['file:///package.json wants 100 more', 'file:///package.json is gone']);
});

test('what is in view is known before the rest is looked at', async () => {
  const { workspace, said } = setUp();
  const uri = 'file:///package.json';
  const text = manifest(upTo(250));
  const looks: string[] = [];
  async function openAndLook(version: number, name: string): Promise<readonly string[]> {
    looks.length = 0;
    said.length = 0;
    workspace.update({ uri, version, text: text.replace('package-120', name) });
    const start = text.indexOf('package-120');
    const inView = { start, end: start + 20 };
    const all = workspace.snapshot(uri).then((it) => looks.push(`all ${it?.dependencies.length}`));
    const part = await workspace.snapshotOfRange(uri, () => inView);
    looks.push(`in view, ${said.length} asked`);
    await all;
    return part?.dependencies.map((it) => it.linked.key.name) ?? [];
  }
  for (const [version, name] of [
    [1, 'package-120'],
    [2, 'typed-121.1'],
  ] as const) {
    assert.deepEqual(await openAndLook(version, name), ['package-119', name, 'package-121']);
    assert.deepEqual(looks, ['in view, 0 asked', 'all 250']);
  }
});

test('what is in view does not wait for the projects of a workspace, and these are not looked up', async () => {
  const { workspace, said } = setUp({
    'w/package.json': '{ "workspaces": ["*"] }',
    'w/a/package.json': '{ "name": "own" }',
    'w/b/package.json': '{}',
  });
  const uri = 'file:///w/b/package.json';
  workspace.update({ uri, version: 1, text: '{ "dependencies": { "own": "1.0.0", "other": "1.0.0" } }' });
  const looked = workspace.snapshot(uri);
  const part = await workspace.snapshotOfRange(uri, () => ({ start: 0, end: 100 }));
  assert.deepEqual([part?.dependencies.length, said], [2, []]);
  const all = await looked;
  assert.deepEqual(
    all?.dependencies.map((it) => it.linked.requirement.kind),
    ['source', 'text'],
  );
  assert.deepEqual(said, [`${uri} wants 1`]);
});

test('who asks for a whole manifest at once has it looked at in pieces', async () => {
  const { workspace, said } = setUp();
  const uri = 'file:///package.json';
  const text = manifest(upTo(400));
  workspace.update({ uri, version: 1, text });
  const all = await workspace.snapshotOfRange(uri, () => ({ start: 0, end: text.length }));
  assert.equal(all?.dependencies.length, 400);
  assert.equal(said.at(-1), `${uri} wants 400`);
});

test('a project has its other name once that is saved, and not while it is typed', async () => {
  const renamed = '{ "name": "other" }';
  const texts: Record<string, string> = {
    'w/package.json': '{ "workspaces": ["*"] }',
    'w/app/package.json': '{ "dependencies": { "lib": "1.0.0" } }',
    'w/lib/package.json': '{ "name": "lib" }',
  };
  const { workspace } = setUp(texts);
  const [app, lib] = ['file:///w/app/package.json', 'file:///w/lib/package.json'];
  const open = (uri: string, version: number, text = ''): string[] => workspace.update({ uri, version, text });
  const isMember = async (): Promise<boolean> => {
    const snapshot = await workspace.snapshot(app);
    return snapshot?.dependencies[0]?.linked.requirement.kind === 'source';
  };
  open(app, 1, texts['w/app/package.json']);
  open(lib, 1, texts['w/lib/package.json']);
  assert.ok(await isMember());
  open(lib, 2, renamed);
  open(app, 2, texts['w/app/package.json']);
  assert.ok(await isMember());
  texts['w/lib/package.json'] = renamed;
  assert.deepEqual(workspace.filesChanged([lib]), [app]);
  assert.ok(!(await isMember()));
});
