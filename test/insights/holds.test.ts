import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createMemoryCache } from '../../server/src/cache/memory.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { status } from '../harness/scripted-server.ts';
import { batch, closeAll, setUp, wanted } from './setup.ts';

afterEach(closeAll);

const minute = 60_000;

test('a hold that the service asked for outlives a restart, where the cache does', async () => {
  const cache = createMemoryCache();
  const clock = fakeClock();
  const first = await setUp(status(429, 'slow down', { 'retry-after': '60' }), { cache, clock });
  first.insights.want('a', [wanted('x')]);
  await first.insights.settled('a', 1000);
  await first.insights.close();
  const { url } = first.server;
  const second = await setUp(batch(), {
    cache,
    clock,
    settings: () => ({ baseUrl: url, batchSize: 100, parallelBatches: 8 }),
  });
  assert.equal(second.insights.hold()?.until, clock.now() + minute);
  second.insights.want('a', [wanted('x')]);
  await second.insights.settled('a', 1000);
  assert.equal(first.server.arrived.length, 1);
});

test('a hold of a length that nobody named outlives a restart, too', async () => {
  const cache = createMemoryCache();
  const clock = fakeClock();
  const first = await setUp(status(429, 'slow down'), { cache, clock });
  first.insights.want('a', [wanted('x')]);
  while (first.insights.hold() === undefined) await clock.advance(0);
  const hold = first.insights.hold();
  await first.insights.close();
  const { url } = first.server;
  const second = await setUp(batch(), {
    cache,
    clock,
    settings: () => ({ baseUrl: url, batchSize: 100, parallelBatches: 8 }),
  });
  assert.deepEqual(second.insights.hold(), hold);
});
