import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPauses, throttle } from '../../server/src/editor/util/throttle.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';

/** Work that takes so many ms, and how often it was begun. */
function countedWork(clock: FakeClock, ms: number) {
  const counted = {
    runs: 0,
    work(): Promise<void> {
      counted.runs++;
      return new Promise((resolve) => clock.after(ms, resolve));
    },
  };
  return counted;
}

test('what is asked while a run is under way is one more run, at once where no pause is wanted', async () => {
  const clock = fakeClock();
  const counted = countedWork(clock, 100);
  const ask = throttle(clock, counted.work, () => 0);
  for (let asked = 0; asked < 5; asked++) ask();
  assert.equal(counted.runs, 1);
  await clock.advance(100);
  assert.equal(counted.runs, 2);
  await clock.advance(1000);
  assert.equal(counted.runs, 2);
  ask();
  assert.equal(counted.runs, 3);
});

test('what is asked during a pause waits for its end', async () => {
  const clock = fakeClock();
  let runs = 0;
  const work = async (): Promise<void> => {
    runs++;
  };
  const ask = throttle(clock, work, () => 300);
  ask();
  await clock.advance(0);
  ask();
  ask();
  await clock.advance(299);
  assert.equal(runs, 1);
  await clock.advance(1);
  assert.equal(runs, 2);
  await clock.advance(1000);
  assert.equal(runs, 2);
  ask();
  assert.equal(runs, 3);
});

test('what is asked last waits for no pause', async () => {
  const clock = fakeClock();
  const counted = countedWork(clock, 10);
  const ask = throttle(clock, counted.work, () => 300);
  ask();
  await clock.advance(20);
  ask();
  await clock.advance(20);
  assert.equal(counted.runs, 1, 'it waits');
  ask(true);
  assert.equal(counted.runs, 2, 'the pause is ended');
  ask(true);
  await clock.advance(10);
  assert.equal(counted.runs, 3, 'none is made');
  await clock.advance(20);
  ask();
  await clock.advance(289);
  assert.equal(counted.runs, 3, 'but after that one');
  await clock.advance(1);
  assert.equal(counted.runs, 4);
});

test('the pause is as long as the run before it makes it', async () => {
  const clock = fakeClock();
  const counted = countedWork(clock, 40);
  const ask = throttle(clock, counted.work, (took) => 2 * took);
  ask();
  ask();
  await clock.advance(119);
  assert.equal(counted.runs, 1);
  await clock.advance(1);
  assert.equal(counted.runs, 2);
});

test('only what takes long to look through is left alone for a while', () => {
  const pauseAfter = createPauses();
  assert.equal(pauseAfter(300), 0, 'the first look says nothing of the next');
  assert.equal(pauseAfter(20), 0);
  assert.equal(pauseAfter(200), 0);
  assert.equal(pauseAfter(300), 600);
  assert.equal(pauseAfter(3_600_000), 900);
  assert.equal(pauseAfter(3_600_000), 1000);
});
