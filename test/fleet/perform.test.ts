import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CheckOutcome } from '../../server/src/fleet/check-repository.ts';
import { type CheckRepository, createPerformJob } from '../../server/src/fleet/queue/perform.ts';
import { createTurns } from '../../server/src/fleet/queue/turns.ts';
import { openFileResults } from '../../server/src/fleet/results/open.ts';
import type { RepositoryResult } from '../../server/src/fleet/results/result.ts';
import { folderWith } from '../terminal/program.ts';

const folder = folderWith({});
after(() => folder.remove());
const results = await openFileResults(join(folder.path, 'results.sqlite'));
after(() => results.close());
const signal = new AbortController().signal;
const checked: RepositoryResult = { state: 'checked', reasons: [], code: 0, ms: 1, uses: [], findings: [] };
const failed: RepositoryResult = { ...checked, state: 'failed', reasons: ['no answer'], code: 2 };

async function newRun(id: string, ...names: readonly string[]): Promise<void> {
  const run = { id, at: id, options: { allowPrivate: false, ways: false }, bad: [] };
  await results.create(
    run,
    names.map((name) => ({ name, source: { kind: 'directory', path: name } })),
  );
}

const ending =
  (...outcomes: readonly CheckOutcome[]): CheckRepository =>
  async () =>
    outcomes[0] ?? assert.fail();

async function statesOf(run: string): Promise<readonly string[]> {
  return (await results.repositories(run)).map((it) => `${it.name} ${it.state} ${it.reasons.join()}`.trim());
}

test('a job that is delivered twice has one result', async () => {
  await newRun('twice', 'a');
  let checks = 0;
  const perform = createPerformJob(results, async () => {
    checks++;
    return { kind: 'done', result: checked };
  });
  assert.equal(await perform('twice', 'a', false, signal), 'written');
  assert.equal(await perform('twice', 'a', false, signal), 'already written');
  assert.equal(checks, 1);
  assert.deepEqual(await statesOf('twice'), ['a checked']);
  // Two workers at the same moment, of which one was taken for dead.
  await newRun('at once', 'a');
  await Promise.all([perform('at once', 'a', false, signal), perform('at once', 'a', false, signal)]);
  assert.deepEqual(await statesOf('at once'), ['a checked']);
});

test('a repository that has killed two workers is set aside, with its reason', async () => {
  await newRun('poison', 'a');
  // Killed: it began, and nothing ended it.
  await results.begin('poison', 'a');
  await results.begin('poison', 'a');
  const perform = createPerformJob(results, () => assert.fail('it is not checked again'));
  assert.equal(await perform('poison', 'a', false, signal), 'written');
  assert.deepEqual(await statesOf('poison'), ['a set-aside set aside: its check has ended 2 workers']);
});

test('failures that were given up in order do not count as killed workers', async () => {
  await newRun('retries', 'a');
  const failing = createPerformJob(results, ending({ kind: 'retry', result: failed }));
  for (let tries = 0; tries < 5; tries++) assert.equal(await failing('retries', 'a', false, signal), 'retry');
  assert.deepEqual(await statesOf('retries'), ['a pending']);
  assert.equal(await failing('retries', 'a', true, signal), 'written');
  assert.deepEqual(await statesOf('retries'), ['a failed no answer']);
});

test('a result that cannot be written ends the run, and blames no repository', async () => {
  await newRun('full', 'a');
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  const check = ending({ kind: 'done', result: checked });
  const perform = createPerformJob({ ...results, put: () => Promise.reject(full) }, check);
  for (let tries = 0; tries < 3; tries++) await assert.rejects(perform('full', 'a', false, signal), full);
  assert.equal(await createPerformJob(results, check)('full', 'a', false, signal), 'written');
  assert.deepEqual(await statesOf('full'), ['a checked']);
});

test('an error of the check is the result of that repository alone', async () => {
  await newRun('thrown', 'a');
  const perform = createPerformJob(results, async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  });
  assert.equal(await perform('thrown', 'a', true, signal), 'written');
  assert.deepEqual(await statesOf('thrown'), ['a failed the disk is full']);
});

test('a suspect is checked alone', async () => {
  const turns = createTurns();
  const order: string[] = [];
  const leaveFirst = await turns.together();
  const alone = turns.alone().then((leave) => {
    order.push('alone');
    return leave;
  });
  const behind = turns.together().then((leave) => {
    order.push('behind');
    leave();
  });
  await new Promise(setImmediate);
  assert.deepEqual(order, []);
  leaveFirst();
  const leaveAlone = await alone;
  await new Promise(setImmediate);
  assert.deepEqual(order, ['alone']);
  leaveAlone();
  await behind;
  assert.deepEqual(order, ['alone', 'behind']);
});
