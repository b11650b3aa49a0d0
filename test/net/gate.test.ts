import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { createGate, type Gate, type Hold, type Turn } from '../../server/src/net/gate.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';

const fault = { kind: 'fault', reason: 'connection refused' } as const;
const overload = { kind: 'overload', reason: 'the service asked to wait' } as const;

function make(): { gate: Gate; clock: FakeClock; told: (number | undefined)[]; start: number } {
  const clock = fakeClock();
  const gate = createGate(clock, () => 1);
  const start = clock.now();
  const told: (number | undefined)[] = [];
  gate.onDidHold((hold?: Hold) => told.push(hold && hold.until - start));
  return { gate, clock, told, start };
}

/** What a pass has come to by now: `waiting` where it has come to nothing yet. */
async function now(pass: Promise<Turn>): Promise<string> {
  const turn = await Promise.race([pass, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))]);
  return turn === 'waiting' ? turn : turn.kind;
}

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

test('faults in a row hold, and one success shows that all is well', async () => {
  const { gate, clock, told } = make();
  for (let count = 0; count < 4; count++) gate.report(fault);
  gate.report({ kind: 'fine' });
  for (let count = 0; count < 4; count++) gate.report(fault);
  assert.equal(gate.hold(), undefined);
  gate.report(fault);
  assert.equal(gate.hold()?.reason, 'connection refused');
  await clock.advance(2000);
  assert.equal(await now(gate.pass()), 'go');
  const second = gate.pass();
  gate.report(fault);
  assert.equal(await now(second), 'waiting');
  await clock.advance(4000);
  assert.equal(await now(second), 'go');
  gate.report({ kind: 'fine' });
  assert.equal(await now(gate.pass()), 'go');
  assert.deepEqual(told, [2000, undefined, 6000, undefined]);
});

test('a late success ends a hold that nobody asked for', async () => {
  const { gate, told } = make();
  for (let count = 0; count < 5; count++) gate.report(fault);
  gate.report({ kind: 'fine' });
  assert.equal(gate.hold(), undefined);
  assert.equal(await now(gate.pass()), 'go');
  assert.deepEqual(told, [2000, undefined]);
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

test('an outage is looked after once a minute at least', async () => {
  const { gate, clock } = make();
  for (let count = 0; count < 5; count++) gate.report(fault);
  for (let count = 0; count < 8; count++) {
    await clock.advance((gate.hold()?.until ?? 0) - clock.now());
    assert.equal(await now(gate.pass()), 'go');
    gate.report(fault);
  }
  assert.equal((gate.hold()?.until ?? 0) - clock.now(), 60_000);
});

test('who says that it is not well is left alone at once, not for long, and never beyond what a person wants', async () => {
  const { gate, clock, told, start } = make();
  const down = { kind: 'down', reason: 'the service answered with status 503' } as const;
  for (let count = 0; count < 8; count++) gate.report(down);
  assert.deepEqual(told, [2000]);
  assert.deepEqual(gate.trouble(), { reason: down.reason });
  gate.hurry();
  assert.equal(await now(gate.pass()), 'go');
  for (let count = 0; count < 8; count++) {
    gate.report(down);
    await clock.advance((gate.hold()?.until ?? 0) - clock.now());
    await gate.pass();
  }
  gate.report(down);
  assert.equal((gate.hold()?.until ?? 0) - clock.now(), 60_000);
  gate.report({ kind: 'fine' });
  gate.report({ ...overload, wait: 3000 });
  const asked = gate.hold();
  gate.report(down);
  assert.deepEqual(gate.hold(), asked);
  assert.ok(clock.now() > start);
});

test('who lets nothing through is left alone at once, and for long', async () => {
  const { gate, clock } = make();
  gate.report({ kind: 'barred', reason: 'the proxy asks for credentials' });
  assert.equal(await now(gate.pass()), 'held');
  assert.equal((gate.hold()?.until ?? 0) - clock.now(), 300_000);
});

test('a person can end a wait that is our own, and none that the host asked for', async () => {
  const { gate } = make();
  gate.report({ kind: 'barred', reason: 'the proxy asks for credentials' });
  gate.hurry();
  assert.equal(await now(gate.pass()), 'go');
  gate.report({ kind: 'fine' });
  gate.report({ ...overload, wait: 60_000 });
  gate.hurry();
  assert.equal(await now(gate.pass()), 'held');
});

test('why a host cannot be reached is told until it answers, or somebody does not want to wait', async () => {
  const { gate, clock } = make();
  const outage = () => {
    for (let count = 0; count < 5; count++) gate.report(fault);
  };
  const end = () => clock.advance((gate.hold()?.until ?? 0) - clock.now());
  assert.equal(gate.trouble(), undefined);
  outage();
  assert.equal(gate.trouble()?.reason, 'connection refused');
  await end();
  assert.equal(gate.hold(), undefined);
  assert.equal(gate.trouble()?.reason, 'connection refused');
  assert.equal(await now(gate.pass()), 'go');
  gate.report({ kind: 'fine' });
  assert.equal(gate.trouble(), undefined);
  outage();
  gate.hurry();
  assert.equal(gate.trouble(), undefined);
  assert.equal(await now(gate.pass()), 'go');
  gate.report(fault);
  assert.equal(gate.trouble()?.reason, 'connection refused');
  await end();
  gate.hurry();
  assert.equal(gate.trouble(), undefined);
  assert.equal(await now(gate.pass()), 'go');
  gate.report(fault);
  await end();
  assert.equal(await now(gate.pass()), 'go');
  // Who asks to wait has been reached.
  gate.report(overload);
  assert.equal(gate.trouble(), undefined);
});

test('a wait that the host asked for stays its own, whoever bars the way meanwhile', async () => {
  const { gate } = make();
  gate.report({ ...overload, wait: 60_000 });
  gate.report({ kind: 'barred', reason: 'the proxy asks for credentials' });
  gate.hurry();
  assert.equal(await now(gate.pass()), 'held');
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
