import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, make, now, throttled } from './breaker-lab.ts';

test('faults in a row hold, and one success shows that all is well', async () => {
  const { breaker, clock, told } = make();
  for (let count = 0; count < 4; count++) breaker.report(fault);
  breaker.report({ kind: 'success' });
  for (let count = 0; count < 4; count++) breaker.report(fault);
  assert.equal(breaker.backoff(), undefined);
  breaker.report(fault);
  assert.equal(breaker.backoff()?.reason, 'connection refused');
  await clock.advance(2000);
  assert.equal(await now(breaker.acquire()), 'granted');
  const second = breaker.acquire();
  breaker.report(fault);
  assert.equal(await now(second), 'waiting');
  await clock.advance(4000);
  assert.equal(await now(second), 'granted');
  breaker.report({ kind: 'success' });
  assert.equal(await now(breaker.acquire()), 'granted');
  assert.deepEqual(told, [2000, undefined, 6000, undefined]);
});

test('a late success ends a hold that the host did not request', async () => {
  const { breaker, told } = make();
  for (let count = 0; count < 5; count++) breaker.report(fault);
  breaker.report({ kind: 'success' });
  assert.equal(breaker.backoff(), undefined);
  assert.equal(await now(breaker.acquire()), 'granted');
  assert.deepEqual(told, [2000, undefined]);
});

test('an outage is looked after once a minute at least', async () => {
  const { breaker, clock } = make();
  for (let count = 0; count < 5; count++) breaker.report(fault);
  for (let count = 0; count < 8; count++) {
    await clock.advance((breaker.backoff()?.until ?? 0) - clock.now());
    assert.equal(await now(breaker.acquire()), 'granted');
    breaker.report(fault);
  }
  assert.equal((breaker.backoff()?.until ?? 0) - clock.now(), 60_000);
});

test('who says that it is not well is left alone at once, not for long, and never beyond what a person wants', async () => {
  const { breaker, clock, told, start } = make();
  const down = { kind: 'unavailable', reason: 'the service answered with status 503' } as const;
  for (let count = 0; count < 8; count++) breaker.report(down);
  assert.deepEqual(told, [2000]);
  assert.deepEqual(breaker.trouble(), { reason: down.reason });
  breaker.retryNow();
  assert.equal(await now(breaker.acquire()), 'granted');
  for (let count = 0; count < 8; count++) {
    breaker.report(down);
    await clock.advance((breaker.backoff()?.until ?? 0) - clock.now());
    await breaker.acquire();
  }
  breaker.report(down);
  assert.equal((breaker.backoff()?.until ?? 0) - clock.now(), 60_000);
  breaker.report({ kind: 'success' });
  breaker.report({ ...throttled, wait: 3000 });
  const asked = breaker.backoff();
  breaker.report(down);
  assert.deepEqual(breaker.backoff(), asked);
  assert.ok(clock.now() > start);
});

test('who lets nothing through is left alone at once, and for long', async () => {
  const { breaker, clock } = make();
  breaker.report({ kind: 'blocked', reason: 'the proxy requires credentials' });
  assert.equal(await now(breaker.acquire()), 'refused');
  assert.equal((breaker.backoff()?.until ?? 0) - clock.now(), 300_000);
});

test('a person can end a wait that is our own, and none that the host asked for', async () => {
  const { breaker } = make();
  breaker.report({ kind: 'blocked', reason: 'the proxy requires credentials' });
  breaker.retryNow();
  assert.equal(await now(breaker.acquire()), 'granted');
  breaker.report({ kind: 'success' });
  breaker.report({ ...throttled, wait: 60_000 });
  breaker.retryNow();
  assert.equal(await now(breaker.acquire()), 'refused');
});

test('the reason for an unreachable host is reported until it answers, or until a person retries', async () => {
  const { breaker, clock } = make();
  const outage = () => {
    for (let count = 0; count < 5; count++) breaker.report(fault);
  };
  const end = () => clock.advance((breaker.backoff()?.until ?? 0) - clock.now());
  assert.equal(breaker.trouble(), undefined);
  outage();
  assert.equal(breaker.trouble()?.reason, 'connection refused');
  await end();
  assert.equal(breaker.backoff(), undefined);
  assert.equal(breaker.trouble()?.reason, 'connection refused');
  assert.equal(await now(breaker.acquire()), 'granted');
  breaker.report({ kind: 'success' });
  assert.equal(breaker.trouble(), undefined);
  outage();
  breaker.retryNow();
  assert.equal(breaker.trouble(), undefined);
  assert.equal(await now(breaker.acquire()), 'granted');
  breaker.report(fault);
  assert.equal(breaker.trouble()?.reason, 'connection refused');
  await end();
  breaker.retryNow();
  assert.equal(breaker.trouble(), undefined);
  assert.equal(await now(breaker.acquire()), 'granted');
  breaker.report(fault);
  await end();
  assert.equal(await now(breaker.acquire()), 'granted');
  // Who asks to wait has been reached.
  breaker.report(throttled);
  assert.equal(breaker.trouble(), undefined);
});

test('a wait that the host requested stays, whatever blocks requests meanwhile', async () => {
  const { breaker } = make();
  breaker.report({ ...throttled, wait: 60_000 });
  breaker.report({ kind: 'blocked', reason: 'the proxy requires credentials' });
  breaker.retryNow();
  assert.equal(await now(breaker.acquire()), 'refused');
});
