import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import type { Insight } from '../../../server/src/engine/model/facts.ts';
import type { Files } from '../../../server/src/engine/model/ports.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing, pending } from '../../harness/knowing-nothing.ts';

const uri = 'file:///w/package.json';
const unknown: Insight<never> = { state: 'unknown', at: 0 };

/** A workspace over insights that know of some versions that nobody knows them, and what it said to them. */
function setUp(isKnown: (name: string) => boolean, read: Files['read'] = async () => undefined) {
  const said: string[] = [];
  let changes = 0;
  const insights = knowingNothing({
    version: ({ name }) => (isKnown(name) ? unknown : pending),
    package: ({ name }) => (isKnown(name) ? unknown : pending),
    request: (_, wanted) => void said.push(`wants ${wanted.length}`),
    requestAlso: (_, wanted) => void said.push(`wants ${wanted.length} more`),
    revision: () => ++changes,
  });
  const files: Files = {
    read,
    find: async () => ['file:///w/a/package.json'],
  };
  const environment = { now: () => 0, isTrusted: () => true };
  return { workspace: new Workspace(files, insights, () => readSettings({}), environment), said };
}

const manifest = (count: number, name: (at: number) => string): string =>
  JSON.stringify({ dependencies: Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), '1.0.0'])) });

test('what has an answer already is not asked for before the rest', async () => {
  const { workspace, said } = setUp((it) => it.startsWith('known'));
  const text = manifest(250, (at) => (at % 5 === 0 ? `new-${at}` : `known-${at}`));
  workspace.update({ uri, version: 1, text });
  await workspace.snapshot(uri);
  assert.equal(said.length, 1);
});

test('what is looked at again asks once, for all', async () => {
  const { workspace, said } = setUp(() => false);
  workspace.update({ uri, version: 1, text: manifest(250, (at) => `p${at}`) });
  await workspace.snapshot(uri);
  said.length = 0;
  await workspace.reevaluateAll();
  assert.deepEqual(said, ['wants 250']);
});

test('a large manifest of which all is known is looked at with turns for others in between', async () => {
  const { workspace, said } = setUp(() => true);
  workspace.update({ uri, version: 1, text: manifest(1000, (at) => `p${at}`) });
  let turns = 0;
  const count = (): void => {
    turns++;
    if (said.length === 0) setImmediate(count);
  };
  setImmediate(count);
  await workspace.snapshot(uri);
  assert.ok(turns >= 20, String(turns));
});

test('a document that cannot be read keeps no other from being looked at', async () => {
  const { workspace, said } = setUp(
    () => false,
    async (it) => {
      if (it.includes('broken')) throw new Error('broken');
      return undefined;
    },
  );
  for (const name of ['broken', 'sound'])
    workspace.update({ uri: `file:///${name}/package.json`, version: 1, text: manifest(1, () => 'a') });
  await workspace.reevaluateAll();
  await workspace.snapshot('file:///sound/package.json');
  assert.deepEqual(said, ['wants 1']);
  await assert.rejects(workspace.snapshot('file:///broken/package.json'));
});

test('what begins above and ends in view is in view, and what is found of projects by then counts', async () => {
  const texts: Readonly<Record<string, string>> = {
    'file:///w/package.json': '{ "workspaces": ["*"] }',
    'file:///w/a/package.json': '{ "name": "own" }',
  };
  const { workspace } = setUp(
    () => false,
    async (it) => texts[it],
  );
  const member = 'file:///w/a/package.json';
  const text = '{ "dependencies": { "b": "1.0.0", "c": "1.0.0", "own": "1.0.0", "d": "1.0.0", "e": "1.0.0" } }';
  workspace.update({ uri: member, version: 1, text });
  await workspace.snapshot(member);
  const start = text.indexOf('1.0.0", "d"') + 3;
  const part = await workspace.snapshotOfRange(member, () => ({ start, end: start }));
  assert.deepEqual(
    part?.dependencies.map(({ linked }) => `${linked.key.name} ${linked.requirement.kind}`),
    ['c text', 'own source', 'd text'],
  );
});

test('a file that changes while a document is being read for the first time may have been read as it was', async () => {
  const { workspace, said } = setUp(() => false);
  workspace.update({ uri, version: 1, text: manifest(1, () => 'a') });
  const looked = workspace.snapshot(uri);
  assert.deepEqual(workspace.filesChanged(['file:///elsewhere/x.txt']), [uri]);
  assert.equal((await looked)?.dependencies.length, 1);
  assert.deepEqual(said, ['wants 1']);
  assert.deepEqual(workspace.filesChanged(['file:///elsewhere/x.txt']), []);
});

test('the first of a manifest that is opened again are asked for before the rest is looked at', async () => {
  const { workspace, said } = setUp(() => false);
  const text = manifest(250, (at) => `p${at}`);
  for (let time = 0; time < 2; time++) {
    said.length = 0;
    workspace.update({ uri, version: 1, text });
    await workspace.snapshot(uri);
    assert.deepEqual(said, ['wants 100 more', 'wants 100 more', 'wants 250']);
    workspace.close(uri);
  }
});

test('a request for a document that is closed and opened again meanwhile gets the opened one', async () => {
  const { workspace } = setUp(() => true);
  workspace.update({ uri, version: 1, text: manifest(3, (at) => `p${at}`) });
  const reading = workspace.snapshot(uri);
  workspace.close(uri);
  workspace.update({ uri, version: 2, text: manifest(4, (at) => `p${at}`) });
  const snapshot = await reading;
  assert.equal(snapshot?.version, 2);
  assert.equal(snapshot.dependencies.length, 4);
});
