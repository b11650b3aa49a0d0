import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/engine/analysis/workspace.ts';
import { readVersion } from '../../../server/src/engine/facts/service/read-answers.ts';
import type { Insight, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { Wanted } from '../../../server/src/engine/model/ports.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { knowingNothing, pending } from '../../harness/knowing-nothing.ts';

const uri = 'file:///w/package.json';
const bad = { system: 'NPM', name: 'bad', version: '1.0.0' } as const;
const isBad: Insight<VersionFacts> = {
  state: 'ready',
  at: 0,
  value: readVersion({ versionKey: bad, isDeprecated: true, deprecatedReason: 'old' }),
};

/** Workspaces over insights that come to know that one version is deprecated, and what was asked of its package. */
function setUp(open: readonly string[]) {
  let known: Insight<VersionFacts> = pending;
  let changes = 0;
  let pass = (): void => {};
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const said: string[] = [];
  const say = (how: string, owner: string, wanted: readonly Wanted[]): void => {
    const isLed = wanted.some((it) => it.kind === 'package' && it.key.name === 'bad');
    said.push(`${owner} ${how}${isLed ? ' what it leads to' : ''}`);
  };
  const insights = knowingNothing({
    version({ name }) {
      if (name === 'p9') pass();
      return name === 'bad' ? known : pending;
    },
    request: (owner, wanted) => say('wants', owner, wanted),
    requestAlso: (owner, wanted) => say('also wants', owner, wanted),
    revision: () => ++changes,
  });
  const environment = { now: () => 0, isTrusted: () => true };
  const read = async (it: string): Promise<undefined> => {
    if (it.includes('broken')) throw new Error('broken');
  };
  const files = { read, find: async () => [] };
  const workspace = new Workspace(files, insights, () => readSettings({}), environment);
  const others = Array.from({ length: 80 }, (_, at) => [`p${at}`, '1.0.0']);
  const text = JSON.stringify({ dependencies: Object.fromEntries([['bad', '1.0.0'], ...others]) });
  for (const it of open) workspace.update({ uri: it, version: 1, text });
  return {
    workspace,
    said,
    /** Resolves when a first part has been looked at. */
    passed,
    answer: () => {
      known = isBad;
      return workspace.requestFollowUps([{ wanted: { kind: 'version', key: bad }, insight: known }]);
    },
  };
}

test('what an answer leads to that comes behind the back of a look is wanted in the end', async () => {
  const { workspace, said, passed, answer } = setUp([uri]);
  const looking = workspace.snapshot(uri);
  await passed;
  await answer();
  await looking;
  assert.deepEqual(said, [`${uri} also wants what it leads to`, `${uri} wants what it leads to`]);
});

test('what an answer leads to is asked for each document that uses it, and none that was closed', async () => {
  const [a, b] = ['file:///a/package.json', 'file:///b/package.json'];
  const { workspace, said, answer } = setUp([a, b, uri]);
  await workspace.reevaluateAll();
  workspace.close(b);
  said.length = 0;
  await answer();
  assert.deepEqual(said, [`${a} also wants what it leads to`, `${uri} also wants what it leads to`]);
});

test('a document that cannot be read keeps what is asked for another from nothing', async () => {
  const { workspace, said, answer } = setUp(['file:///broken/package.json', uri]);
  await workspace.reevaluateAll();
  said.length = 0;
  await answer();
  assert.deepEqual(said, [`${uri} also wants what it leads to`]);
});

test('nothing is asked for a text that was replaced while it was looked for what follows', async () => {
  const { workspace, said, answer } = setUp([uri]);
  await workspace.reevaluateAll();
  said.length = 0;
  const following = answer();
  workspace.update({ uri, version: 2, text: '{}' });
  await following;
  assert.deepEqual(said, []);
});
