import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { type Backoff, createCircuitBreaker } from '../../../server/src/engine/http/circuit-breaker.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { fault, make, now, throttled } from './breaker-lab.ts';

test('while all is well everything passes', async () => {
  const { breaker, told } = make();
  assert.equal(await now(breaker.acquire()), 'granted');
  assert.equal(await now(breaker.acquire()), 'granted');
  breaker.report({ kind: 'success' });
  assert.deepEqual(told, []);
});

test('a host that says how long is left alone for so long', async () => {
  const { breaker, clock, told } = make();
  breaker.report({ ...throttled, wait: 3000 });
  assert.equal(breaker.backoff()?.reason, 'the service requested a wait');
  const [first, second] = [breaker.acquire(), breaker.acquire()];
  await clock.advance(2999);
  assert.equal(await now(first), 'waiting');
  await clock.advance(1);
  assert.equal(await now(first), 'granted');
  assert.equal(await now(second), 'waiting');
  breaker.report({ kind: 'success' });
  assert.equal(await now(second), 'granted');
  assert.deepEqual(told, [3000, undefined]);
});

test('a long hold is not waited for', async () => {
  const { breaker, clock, told } = make();
  breaker.report({ ...throttled, wait: 4000 });
  const early = breaker.acquire();
  breaker.report({ ...throttled, wait: 60_000 });
  assert.equal(await now(early), 'refused');
  assert.equal(await now(breaker.acquire()), 'refused');
  await clock.advance(60_000);
  assert.equal(await now(breaker.acquire()), 'granted');
  assert.deepEqual(told, [4000, 60_000, undefined]);
});

test('five seconds are waited for, by those in line and by those who come', async () => {
  const { breaker, clock } = make();
  breaker.report({ ...throttled, wait: 1000 });
  const early = breaker.acquire();
  breaker.report({ ...throttled, wait: 5000 });
  const late = breaker.acquire();
  assert.deepEqual([await now(early), await now(late)], ['waiting', 'waiting']);
  await clock.advance(5000);
  assert.equal(await now(early), 'granted');
});

test('a requested wait is at most an hour', () => {
  const { breaker, start } = make();
  breaker.report({ ...throttled, wait: 1e9 });
  assert.equal(breaker.backoff()?.until, start + 3_600_000);
});

test('without word of how long, holds grow', async () => {
  const { breaker, clock, start } = make();
  const lengths: number[] = [];
  for (let count = 0; count < 10; count++) {
    breaker.report(throttled);
    lengths.push((breaker.backoff()?.until ?? 0) - clock.now());
    await clock.advance((breaker.backoff()?.until ?? 0) - clock.now());
    assert.equal(await now(breaker.acquire()), 'granted');
  }
  assert.deepEqual(
    lengths,
    [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((it) => it * 1000),
  );
  assert.ok(clock.now() > start);
});

test('holds that were asked for make no later one longer', async () => {
  const { breaker, clock } = make();
  for (let count = 0; count < 8; count++) {
    breaker.report({ ...throttled, wait: 1000 });
    await clock.advance(1000);
    assert.equal(await now(breaker.acquire()), 'granted');
  }
  breaker.report(fault);
  assert.equal((breaker.backoff()?.until ?? 0) - clock.now(), 2000);
});

test('a long calm makes the next hold a short one', async () => {
  const { breaker, clock } = make();
  for (let count = 0; count < 3; count++) {
    breaker.report(throttled);
    await clock.advance(10_000);
    await breaker.acquire();
    breaker.report({ kind: 'success' });
  }
  await clock.advance(60_001);
  breaker.report(throttled);
  assert.equal((breaker.backoff()?.until ?? 0) - clock.now(), 2000);
});

test('answers to what was sent before a hold neither end it nor make it count twice', async () => {
  const { breaker, told } = make();
  for (let count = 0; count < 8; count++) breaker.report({ ...throttled, wait: 2000 });
  breaker.report({ kind: 'success' });
  assert.equal(await now(breaker.acquire()), 'waiting');
  assert.equal(told.at(-1), 2000);
});

test('answers to what was sent before do not end a hold without word of how long, either', async () => {
  const { breaker, told } = make();
  breaker.report(throttled);
  for (let count = 0; count < 8; count++) breaker.report({ kind: 'success' });
  assert.equal(breaker.backoff()?.asked, true);
  assert.equal(await now(breaker.acquire()), 'waiting');
  assert.deepEqual(told, [2000]);
});

test('a hold ends by the time of day, where the machine slept through its timer', async () => {
  const sleeper = fakeClock();
  let slept = 0;
  const breaker = createCircuitBreaker({ now: () => sleeper.now() + slept, after: sleeper.after }, () => 1);
  breaker.report({ ...throttled, wait: 60_000 });
  slept = 3_600_000;
  assert.equal(await now(breaker.acquire()), 'granted');
  assert.equal(breaker.backoff(), undefined);
  assert.equal(await now(breaker.acquire()), 'waiting');
  breaker.report({ kind: 'success' });
  await sleeper.advance(60_000);
  assert.equal(await now(breaker.acquire()), 'granted');
});

test('who gives up while trying, or in line, makes room for the next', async () => {
  const { breaker, clock } = make();
  breaker.report({ ...throttled, wait: 1000 });
  const abort = new AbortController();
  const [gone, first, second] = [breaker.acquire(abort.signal), breaker.acquire(), breaker.acquire()];
  abort.abort();
  assert.equal(await now(gone), 'aborted');
  assert.equal(await now(breaker.acquire(abort.signal)), 'aborted');
  await clock.advance(1000);
  assert.equal(await now(first), 'granted');
  breaker.report({ kind: 'aborted' });
  assert.equal(await now(second), 'granted');
});

test('a hold of an earlier session counts for as long as it lasts', async () => {
  const clock = fakeClock();
  const hold = (until: number): Backoff => ({ until, reason: throttled.reason, asked: true });
  const open = createCircuitBreaker(clock, () => 1, hold(clock.now()));
  assert.equal(open.backoff(), undefined);
  assert.equal(await now(open.acquire()), 'granted');
  assert.equal(await now(open.acquire()), 'granted');
  const held = createCircuitBreaker(clock, () => 1, hold(clock.now() + 60_000));
  assert.deepEqual(held.backoff(), hold(clock.now() + 60_000));
});

test('the abort listener of a waiting request is removed when it may be sent', async () => {
  const { breaker, clock } = make();
  const { signal } = new AbortController();
  breaker.report({ ...throttled, wait: 1000 });
  const turn = breaker.acquire(signal);
  await clock.advance(1000);
  assert.equal(await now(turn), 'granted');
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});
