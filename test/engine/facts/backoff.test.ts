import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Cache } from '../../../server/src/engine/facts/cache/cache.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { status } from '../../harness/scripted-server.ts';
import { batch, closeAll, type SetUp, setUp, wanted } from './setup.ts';

afterEach(closeAll);

const minute = 60_000;

/** The insights of a program that is started anew, over the same cache and by the same clock. */
async function restarted({ insights, server, clock }: SetUp, cache: Cache): Promise<SetUp> {
  await insights.close();
  const settings = () => ({ baseUrl: server.url, batchSize: 100, parallelBatches: 8 });
  return setUp(batch(), { cache, clock, settings });
}

test('a hold that the service asked for outlives a restart, where the cache does', async () => {
  const cache = createMemoryCache();
  const clock = fakeClock();
  const first = await setUp(status(429, 'slow down', { 'retry-after': '60' }), { cache, clock });
  first.insights.request('a', [wanted('x')]);
  await first.insights.whenSettled('a', 1000);
  const second = await restarted(first, cache);
  assert.equal(second.insights.backoff()?.until, clock.now() + minute);
  second.insights.request('a', [wanted('x')]);
  await second.insights.whenSettled('a', 1000);
  assert.equal(first.server.arrived.length, 1);
});

test('a wait of unspecified length outlives a restart, too', async () => {
  const cache = createMemoryCache();
  const clock = fakeClock();
  const first = await setUp(status(429, 'slow down'), { cache, clock });
  first.insights.request('a', [wanted('x')]);
  while (first.insights.backoff() === undefined) await clock.advance(0);
  const hold = first.insights.backoff();
  const second = await restarted(first, cache);
  assert.deepEqual(second.insights.backoff(), hold);
});

test('a pending lookup reports during retries that the service cannot be reached', async () => {
  const { insights, clock, told } = await setUp(status(500, 'internal error'));
  const packages = Array.from({ length: 6 }, (_, at) => ({ system: 'NPM', name: `p${at}` }) as const);
  insights.request(
    'a',
    packages.map((key) => ({ kind: 'package', key })),
  );
  while (insights.connectionProblem() === undefined) await clock.advance(0);
  assert.equal(told(), 0);
  await clock.advance(50);
  assert.equal(told(), 1);
  assert.deepEqual(insights.connectionProblem(), { reason: 'the service answered with status 500' });
  assert.deepEqual(new Set(packages.map((it) => insights.package(it).state)), new Set(['pending']));
});
