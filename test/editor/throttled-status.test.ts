import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatusThrottle } from '../../server/src/editor/publish/status.ts';
import type { ServerState } from '../../server/src/editor/state/server-state.ts';
import { fakeClock } from '../harness/fake-clock.ts';

/** When it was told how things stand, in ms, while something happens every so many for so long. */
async function toldAt(every: number, duration: number): Promise<number[]> {
  const clock = fakeClock(0);
  const told: number[] = [];
  const server = { client: { log() {} }, engine: { clock } };
  const happened = createStatusThrottle(server as unknown as ServerState, () => told.push(clock.now()));
  for (let now = 0; now < duration; now += every) {
    happened();
    await clock.advance(every);
  }
  await clock.advance(5000);
  return told;
}

test('how things stand is told a moment after each keystroke of who types slowly', async () => {
  assert.deepEqual(await toldAt(300, 900), [100, 400, 700]);
});

test('of who types without a pause it is told a moment after the last one, and once a second', async () => {
  assert.deepEqual(await toldAt(40, 400), [460]);
  assert.deepEqual(await toldAt(40, 2400), [1000, 2000, 2460]);
});
