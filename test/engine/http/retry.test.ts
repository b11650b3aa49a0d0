import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseAfter, retryAfter, wait } from '../../../server/src/engine/http/retry.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

const now = Date.UTC(2026, 9, 21, 7, 28, 0);

for (const [header, expected] of [
  ['0', 0],
  ['120', 120_000],
  [' 1.5 ', 1500],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['2026', 2_026_000],
  ['', undefined],
  [undefined, undefined],
] as const) {
  test(`Retry-After: ${header} is a wait of ${expected} ms`, () => assert.equal(retryAfter(header, now), expected));
}

test('waits grow up to a bound, and are anything below it', () => {
  const bounds = [1, 2, 3, 4, 5, 2000].map((failures) => pauseAfter(failures, () => 1));
  assert.deepEqual(bounds, [400, 800, 1600, 3200, 5000, 5000]);
  assert.equal(
    pauseAfter(3, () => 0),
    0,
  );
});

test('a wait ends by the clock, or when it is aborted', async () => {
  const clock = fakeClock();
  const full = wait(clock, 100);
  await clock.advance(100);
  await full;
  const abort = new AbortController();
  const cut = wait(clock, 100, abort.signal);
  abort.abort();
  await cut;
  await wait(clock, 100, abort.signal);
  assert.equal(clock.next(), undefined);
});
