import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { json, status } from '../../harness/scripted-server.ts';
import { batch, closeAll, setUp, versions, wanted } from './setup.ts';

afterEach(closeAll);

const license = 'x'.repeat(300_000);
const heavy = batch({ licenseDetails: [{ license, spdx: 'non-standard' }] });

function stateOf(it: { readonly state: string; readonly reason?: string }): string {
  return it.reason ?? it.state;
}

test('the memory of all facts is bounded, and unused ones make room', async () => {
  const { insights } = await setUp(heavy, { limits: { maxFactBytes: 1024 * 1024 } });
  const many = versions(10);
  insights.request('a', many);
  await insights.whenSettled('a', 1000);
  const states = many.map(({ key }) => stateOf(insights.version(key)));
  assert.deepEqual(states.slice(0, 4), ['ready', 'ready', 'ready', 'all answers together exceed 1 MiB']);
  assert.deepEqual(new Set(states), new Set(['ready', 'all answers together exceed 1 MiB']));
  insights.release('a');
  const others = versions(3, 10);
  insights.request('b', others);
  await insights.whenSettled('b', 1000);
  assert.deepEqual(
    others.map(({ key }) => insights.version(key).state),
    ['ready', 'ready', 'ready'],
  );
});

test('facts that are asked for again and again count once', async () => {
  const { insights } = await setUp(heavy, { limits: { maxFactBytes: 1024 * 1024 } });
  insights.request('a', versions(3));
  for (let time = 0; time < 5; time++) {
    await insights.whenSettled('a', 1000);
    insights.expire();
  }
  await insights.whenSettled('a', 1000);
  for (const { key } of versions(3)) assert.equal(insights.version(key).state, 'ready');
});

test('a token of megabytes is not kept and sent back', async () => {
  const { insights, server } = await setUp(json({ responses: [], nextPageToken: 't'.repeat(2_000_000) }));
  const it = wanted('x');
  insights.request('a', [it]);
  await insights.whenSettled('a', 1000);
  assert.equal(stateOf(insights.version(it.key)), 'nextPageToken is too long');
  assert.equal(server.arrived.length, 1);
});

test('an answer of millions of values is not read', async () => {
  const extra = Array.from({ length: 1_100_000 }, () => ({}));
  const key = { system: 'NPM', name: 'x' } as const;
  const { insights } = await setUp(json({ packageKey: key, versions: [], extra }));
  insights.request('a', [{ kind: 'package', key }]);
  await insights.whenSettled('a', 1000);
  assert.equal(stateOf(insights.package(key)), 'the answer contains too many values');
});

test('the reason of a failure does not hold on to the answer that it was read in', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const answer = status(400, 'x'.repeat(4 * 1024 * 1024));
  const { insights, server } = await setUp(answer, { limits: { parallelLookups: 4 } });
  server.answer((request, response) =>
    (request.path.endsWith('1') ? json({ packageKey: { system: 'y'.repeat(4 * 1024 * 1024), name: 'x' } }) : answer)(
      request,
      response,
    ),
  );
  const packages = Array.from({ length: 40 }, (_, at) => ({ system: 'NPM', name: `p${at}` }) as const);
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  insights.request(
    'a',
    packages.map((key) => ({ kind: 'package', key })),
  );
  await insights.whenSettled('a', 20_000);
  for (const key of packages) assert.equal(insights.package(key).state, 'failed');
  // The answers are 160 MiB.
  assert.ok(held() - before < 40 * 1024 * 1024);
});
