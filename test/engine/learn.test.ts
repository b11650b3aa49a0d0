import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../server/src/engine/workspace.ts';
import { readSettings } from '../../server/src/lsp/settings.ts';
import type { Insights } from '../../server/src/model/ports.ts';

test('hundreds of manifests are looked at a few at a time, and others have their turn in between', async () => {
  const wanted: string[] = [];
  const insights: Insights = {
    version: () => ({ state: 'pending' }),
    package: () => ({ state: 'pending' }),
    advisory: () => ({ state: 'pending' }),
    requirements: () => ({ state: 'pending' }),
    want: (owner) => void wanted.push(owner),
    release: () => {},
    settled: async () => {},
    onDidLearn: () => () => {},
    changes: () => 0,
    expire: () => {},
  };
  const files = { read: async () => undefined, find: async () => [] };
  const surroundings = { now: () => 0, isTrusted: () => true };
  const workspace = new Workspace(files, insights, () => readSettings({}), surroundings);
  for (let member = 0; member < 200; member++) {
    const uri = `file:///workspace/${member}/package.json`;
    workspace.update({ uri, version: 1, text: '{ "dependencies": { "a": "1.0.0" } }' });
  }
  const seen: number[] = [];
  let isOver = false;
  const others = (): void => {
    seen.push(wanted.length);
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  await workspace.learn();
  isOver = true;
  assert.equal(new Set(wanted).size, 200);
  const steps = seen.map((it, at) => it - (seen[at - 1] ?? 0));
  assert.ok(Math.max(...steps) <= 20, `${steps}`);
});
