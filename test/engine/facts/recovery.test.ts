import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, test } from 'node:test';
import { createWaiters } from '../../../server/src/engine/facts/store/subscriptions.ts';
import type { Wanted } from '../../../server/src/engine/model/ports.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { json, reset, stall, status } from '../../harness/scripted-server.ts';
import { asked, batch, closeAll, npm, setUp, until, versions, wanted } from './setup.ts';

afterEach(closeAll);

/** Lets what would happen by itself happen. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function lists(...names: readonly string[]): Wanted[] {
  return names.map((name) => ({ kind: 'package', key: { system: 'NPM', name } }));
}

test('an answered lookup that failed before is not requested again when others are answered', async () => {
  const { insights, server, clock } = await setUp(reset);
  insights.request('a', [wanted('x')]);
  for (const wait of [400, 800]) await clock.pass(wait);
  await insights.whenSettled('a', 1000);
  server.answer(batch());
  await clock.pass(5000);
  await until(() => insights.version(npm('x', '1.0.0')).state === 'ready');
  const before = server.arrived.length;
  insights.request('b', [wanted('y')]);
  await insights.whenSettled('b', 1000);
  await turns();
  assert.deepEqual(server.arrived.slice(before).map(asked), [['y@1.0.0']]);
});

test('a lookup that fails during an outage waits for its back-off, whatever was answered before', async () => {
  let rounds = 0;
  const { insights, server, clock } = await setUp(batch(), {
    // Read in each round of questions: one that leads to the next at once would go on for ever.
    settings(baseUrl) {
      assert.ok(++rounds < 1000);
      return { baseUrl, batchSize: 100, parallelBatches: 8 };
    },
  });
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  server.answer(status(500, 'internal error'));
  insights.request('b', lists('p', 'q', 'r'));
  for (let step = 0; step < 40 && insights.package({ system: 'NPM', name: 'r' }).state !== 'failed'; step++)
    await clock.advance(500);
  assert.ok(rounds > 5);
});

test('that a failure is forgotten with who wanted it changes what is read', async () => {
  const { insights } = await setUp(status(400, 'no'));
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  const before = insights.revision();
  insights.release('a');
  assert.equal(insights.version(npm('x', '1.0.0')).state, 'pending');
  assert.notEqual(insights.revision(), before);
});

test('a change of the service is announced before its first answer', async () => {
  const other = await setUp(stall);
  let moved = false;
  const { insights, clock, told } = await setUp(batch(), {
    settings: (baseUrl) => ({ baseUrl: moved ? other.server.url : baseUrl, batchSize: 100, parallelBatches: 8 }),
  });
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  await clock.advance(50);
  const before = told();
  moved = true;
  insights.request('', []);
  await clock.advance(50);
  assert.equal(told(), before + 1);
});

test('after a request to look everything up again, failed lookups are soon retried', async () => {
  const { insights, server, clock } = await setUp(status(400, 'no'));
  insights.request('a', [wanted('x')]);
  for (const wait of [5000, 10_000, 20_000]) await clock.pass(wait);
  await server.reached(4);
  await clock.advance(0);
  insights.expire();
  await server.reached(5);
  await clock.pass(5000);
  await server.reached(6);
});

test('of a service that has advisories each one is asked for, however many it does not know', async () => {
  const known = ['GHSA-0', 'GHSA-9'];
  const { insights, server } = await setUp((request, response) => {
    const id = request.path.slice(-6);
    const act = known.includes(id) ? json({ advisoryKey: { id } }) : status(404, 'advisory not found');
    return act(request, response);
  });
  for (let at = 0; at < 10; at++) {
    insights.request('a', [{ kind: 'advisory', id: `GHSA-${at}` }]);
    await insights.whenSettled('a', 1000);
  }
  assert.equal(server.arrived.length, 10);
  assert.equal(insights.advisory('GHSA-9').state, 'ready');
});

test('nothing of the background is sent while something urgent is under way, though there is room', async () => {
  const { insights, server } = await setUp(stall);
  insights.request('a', versions(10), versions(15));
  await server.reached(1);
  await turns();
  assert.equal(server.arrived.length, 1);
});

test('who waited long enough is looked after no longer', async () => {
  const clock = fakeClock();
  const waiting = createWaiters(clock);
  let looks = 0;
  const done = waiting.until(() => ++looks > 100, 1000);
  await clock.advance(1000);
  await done;
  const before = looks;
  waiting.check();
  await turns();
  assert.equal(looks, before);
});

test('however many wait on one signal, it has no listener of each of them, of which Node would warn', async () => {
  const clock = fakeClock();
  const waiting = createWaiters(clock);
  const { signal } = new AbortController();
  const all = [true, false].flatMap((holds) =>
    Array.from({ length: 20 }, () => waiting.until(() => holds, 1000, signal)),
  );
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  await clock.advance(1000);
  await Promise.all(all);
});

test('an advisory that is not answered for ten seconds is late, and one that failed is never awaited again', async () => {
  const { insights, server, clock } = await setUp(stall);
  const read = () => insights.advisory('GHSA-aaaa-aaaa-aaaa');
  insights.request('a', [{ kind: 'advisory', id: 'GHSA-aaaa-aaaa-aaaa' }]);
  await until(() => server.arrived.length === 1);
  assert.deepEqual(read(), { state: 'pending' });
  const before = insights.revision();
  await clock.pass(10_000);
  assert.deepEqual(read(), { state: 'pending', isLate: true });
  assert.notEqual(insights.revision(), before);
  server.answer(status(400, 'no'));
  insights.release('a');
  insights.request('a', [{ kind: 'advisory', id: 'GHSA-bbbb-bbbb-bbbb' }]);
  await insights.whenSettled('a', 1000);
  assert.equal(insights.advisory('GHSA-bbbb-bbbb-bbbb').state, 'failed');
  insights.expire();
  assert.deepEqual(insights.advisory('GHSA-bbbb-bbbb-bbbb'), { state: 'pending', isLate: true });
});
