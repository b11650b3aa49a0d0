import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { fakeClock } from '../../harness/fake-clock.ts';
import { status } from '../../harness/scripted-server.ts';
import { batch, closeAll, npm, setUp, wanted } from './setup.ts';

afterEach(closeAll);

const year = 365 * 24 * 3_600_000;

/** A clock whose time of day can be set, while what it waits for comes when it would have. */
function settable() {
  const clock = fakeClock();
  let off = 0;
  const set = (by: number): void => {
    off += by;
  };
  return { ...clock, now: () => clock.now() + off, set };
}

test('what was learnt before the clock was set back a year is asked again', async () => {
  const clock = settable();
  const { insights, server } = await setUp(batch(), { clock });
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  clock.set(-year);
  insights.request('a', [wanted('x'), wanted('y')]);
  await server.reached(2);
  assert.match(server.arrived[1]?.body ?? '', /"x"/);
});

for (const back of [3_600_000, year]) {
  test(`a failed lookup is retried in time, although the clock was set back ${back / 3_600_000} h`, async () => {
    const clock = settable();
    const { insights, server } = await setUp(status(400, 'no'), { clock, random: () => 1 });
    insights.request('a', [wanted('x')]);
    await insights.whenSettled('a', 1000);
    assert.equal(insights.version(npm('x', '1.0.0')).state, 'failed');
    const before = server.arrived.length;
    clock.set(-back);
    server.answer(batch());
    await clock.advance(5000);
    await server.reached(before + 1);
  });
}
