import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { createGate, type Hold } from '../../server/src/http/circuit-breaker.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { fault, make, now, overload } from './gated.ts';

test('while all is well everything passes', async () => {
  const { gate, told } = make();
  assert.equal(await now(gate.pass()), 'go');
  assert.equal(await now(gate.pass()), 'go');
  gate.report({ kind: 'fine' });
  assert.deepEqual(told, []);
});

test('a host that says how long is left alone for so long', async () => {
  const { gate, clock, told } = make();
  gate.report({ ...overload, wait: 3000 });
  assert.equal(gate.hold()?.reason, 'the service asked to wait');
  const [first, second] = [gate.pass(), gate.pass()];
  await clock.advance(2999);
  assert.equal(await now(first), 'waiting');
  await clock.advance(1);
  assert.equal(await now(first), 'go');
  assert.equal(await now(second), 'waiting');
  gate.report({ kind: 'fine' });
  assert.equal(await now(second), 'go');
  assert.deepEqual(told, [3000, undefined]);
});

test('a long hold is not waited for', async () => {
  const { gate, clock, told } = make();
  gate.report({ ...overload, wait: 4000 });
  const early = gate.pass();
  gate.report({ ...overload, wait: 60_000 });
  assert.equal(await now(early), 'held');
  assert.equal(await now(gate.pass()), 'held');
  await clock.advance(60_000);
  assert.equal(await now(gate.pass()), 'go');
  assert.deepEqual(told, [4000, 60_000, undefined]);
});

test('five seconds are waited for, by those in line and by those who come', async () => {
  const { gate, clock } = make();
  gate.report({ ...overload, wait: 1000 });
  const early = gate.pass();
  gate.report({ ...overload, wait: 5000 });
  const late = gate.pass();
  assert.deepEqual([await now(early), await now(late)], ['waiting', 'waiting']);
  await clock.advance(5000);
  assert.equal(await now(early), 'go');
});

test('nobody can ask for more than an hour', () => {
  const { gate, start } = make();
  gate.report({ ...overload, wait: 1e9 });
  assert.equal(gate.hold()?.until, start + 3_600_000);
});

test('without word of how long, holds grow', async () => {
  const { gate, clock, start } = make();
  const lengths: number[] = [];
  for (let count = 0; count < 10; count++) {
    gate.report(overload);
    lengths.push((gate.hold()?.until ?? 0) - clock.now());
    await clock.advance((gate.hold()?.until ?? 0) - clock.now());
    assert.equal(await now(gate.pass()), 'go');
  }
  assert.deepEqual(
    lengths,
    [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((it) => it * 1000),
  );
  assert.ok(clock.now() > start);
});

test('holds that were asked for make no later one longer', async () => {
  const { gate, clock } = make();
  for (let count = 0; count < 8; count++) {
    gate.report({ ...overload, wait: 1000 });
    await clock.advance(1000);
    assert.equal(await now(gate.pass()), 'go');
  }
  gate.report(fault);
  assert.equal((gate.hold()?.until ?? 0) - clock.now(), 2000);
});

test('a long calm makes the next hold a short one', async () => {
  const { gate, clock } = make();
  for (let count = 0; count < 3; count++) {
    gate.report(overload);
    await clock.advance(10_000);
    await gate.pass();
    gate.report({ kind: 'fine' });
  }
  await clock.advance(60_001);
  gate.report(overload);
  assert.equal((gate.hold()?.until ?? 0) - clock.now(), 2000);
});

test('answers to what was sent before a hold neither end it nor make it count twice', async () => {
  const { gate, told } = make();
  for (let count = 0; count < 8; count++) gate.report({ ...overload, wait: 2000 });
  gate.report({ kind: 'fine' });
  assert.equal(await now(gate.pass()), 'waiting');
  assert.equal(told.at(-1), 2000);
});

test('answers to what was sent before do not end a hold without word of how long, either', async () => {
  const { gate, told } = make();
  gate.report(overload);
  for (let count = 0; count < 8; count++) gate.report({ kind: 'fine' });
  assert.equal(gate.hold()?.asked, true);
  assert.equal(await now(gate.pass()), 'waiting');
  assert.deepEqual(told, [2000]);
});

test('a hold ends by the time of day, where the machine slept through its timer', async () => {
  const sleeper = fakeClock();
  let slept = 0;
  const gate = createGate({ now: () => sleeper.now() + slept, after: sleeper.after }, () => 1);
  gate.report({ ...overload, wait: 60_000 });
  slept = 3_600_000;
  assert.equal(await now(gate.pass()), 'go');
  assert.equal(gate.hold(), undefined);
  assert.equal(await now(gate.pass()), 'waiting');
  gate.report({ kind: 'fine' });
  await sleeper.advance(60_000);
  assert.equal(await now(gate.pass()), 'go');
});

test('who gives up while trying, or in line, makes room for the next', async () => {
  const { gate, clock } = make();
  gate.report({ ...overload, wait: 1000 });
  const abort = new AbortController();
  const [gone, first, second] = [gate.pass(abort.signal), gate.pass(), gate.pass()];
  abort.abort();
  assert.equal(await now(gone), 'aborted');
  assert.equal(await now(gate.pass(abort.signal)), 'aborted');
  await clock.advance(1000);
  assert.equal(await now(first), 'go');
  gate.report({ kind: 'aborted' });
  assert.equal(await now(second), 'go');
});

test('a hold of an earlier session counts for as long as it lasts', async () => {
  const clock = fakeClock();
  const hold = (until: number): Hold => ({ until, reason: overload.reason, asked: true });
  const open = createGate(clock, () => 1, hold(clock.now()));
  assert.equal(open.hold(), undefined);
  assert.equal(await now(open.pass()), 'go');
  assert.equal(await now(open.pass()), 'go');
  const held = createGate(clock, () => 1, hold(clock.now() + 60_000));
  assert.deepEqual(held.hold(), hold(clock.now() + 60_000));
});

test('whoever had to wait is let go of', async () => {
  const { gate, clock } = make();
  const { signal } = new AbortController();
  gate.report({ ...overload, wait: 1000 });
  const turn = gate.pass(signal);
  await clock.advance(1000);
  assert.equal(await now(turn), 'go');
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});
