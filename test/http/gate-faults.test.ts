import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, make, now, overload } from './gated.ts';

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
