import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { ledgerLimits, type OpenLedger, openLedger } from '../../../server/src/connected/ledger/ledger.ts';
import { openLedgerStore } from '../../../server/src/connected/ledger/ledger-store.ts';
import type { Charge } from '../../../server/src/engine/model/connection.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const DAY = 24 * 3_600_000;

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-ledger-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'cache');
}

function open(t: TestContext, directory: string, clock: FakeClock = fakeClock(noon), said: string[] = []): OpenLedger {
  const opened = openLedger({ directory, clock, log: (line) => void said.push(line) });
  t.after(() => opened.ledger.close());
  return opened;
}

function charge(at: number, given: Partial<Charge> = {}): Charge {
  return { service: 'scheduling', at, isSecure: true, sent: 10, received: 100, latency: 5, units: 3, ...given };
}

function days(directory: string) {
  const store = openLedgerStore(join(directory, 'ledger-1.sqlite'), true);
  try {
    return store.days('0000', '9999').map(({ day, service, usage, actions, units }) => ({
      day,
      service,
      usage: Object.fromEntries(usage),
      actions: Object.fromEntries(actions),
      units,
    }));
  } finally {
    store.close();
  }
}

test('a request is charged in the quantities of the contract, usage apart from actions', (t) => {
  const directory = folder(t);
  const { ledger } = open(t, directory);
  ledger.charge(charge(noon));
  ledger.charge(charge(noon, { service: 'insights', isSecure: false, sent: 0, units: 1 }));
  ledger.chargeKept({ service: 'insights', at: noon, received: 7 });
  ledger.chargeKept({ service: 'insights', at: noon, sent: 4, received: 7 });
  ledger.close();
  assert.deepEqual(days(directory), [
    {
      day: '2026-01-01',
      service: 'insights',
      usage: { 1: 1n, 5: 5n, 8: 1n, 14: 100n, 45: 2n, 46: 4n, 47: 14n },
      actions: { 15: 1n, 16: 1n },
      units: 1n,
    },
    {
      day: '2026-01-01',
      service: 'scheduling',
      usage: { 5: 5n, 8: 1n, 13: 10n, 14: 100n, 67: 1n },
      actions: { 15: 1n, 16: 1n },
      units: 3n,
    },
  ]);
});

test('requests are counted by hour, over restarts, and impossible times in the hour of now', (t) => {
  const directory = folder(t);
  const first = open(t, directory);
  for (const at of [noon, noon + 59 * 60_000, noon - 1, Number.NaN]) first.ledger.charge(charge(at));
  assert.deepEqual([...first.ledger.requestsByHour('scheduling', noon)].sort(), [
    [11, 1],
    [12, 3],
  ]);
  first.ledger.close();
  const second = open(t, directory);
  second.ledger.charge(charge(noon));
  assert.equal(second.ledger.requestsByHour('scheduling', noon).get(12), 4);
  assert.equal(second.ledger.requestsByHour('scheduling', noon - DAY).size, 0);
  assert.equal(second.ledger.requestsByHour('code-host', noon).size, 0);
});

test('nothing is created before the first charge, and charges are written a second later', async (t) => {
  const directory = folder(t);
  const clock = fakeClock(noon);
  const { ledger } = open(t, directory, clock);
  assert.equal(existsSync(directory), false);
  ledger.charge(charge(noon));
  assert.equal(existsSync(directory), false, 'a charge does not wait for the disk');
  await clock.advance(ledgerLimits.flush);
  assert.equal(days(directory)[0]?.usage[8], 1n);
});

test('a count includes the unwritten requests of this process, and those of others a second later', async (t) => {
  const directory = folder(t);
  const clock = fakeClock(noon);
  const [one, other] = [open(t, directory, clock).ledger, open(t, directory, clock).ledger];
  one.charge(charge(noon));
  assert.equal(one.requestsOn('scheduling', noon), 1);
  other.charge(charge(noon));
  other.charge(charge(noon));
  await clock.advance(ledgerLimits.flush);
  assert.equal(other.requestsOn('scheduling', noon), 3);
  await clock.advance(ledgerLimits.reread);
  assert.equal(one.requestsOn('scheduling', noon), 3);
  one.charge(charge(noon));
  assert.equal(one.requestsOn('scheduling', noon), 4);
  await clock.advance(ledgerLimits.flush);
  assert.equal(one.requestsOn('scheduling', noon), 4);
  assert.equal(one.requestsOn('deployments', noon), 0);
});

test('each day counts for its own, whatever the clock does', async (t) => {
  const directory = folder(t);
  const clock = fakeClock(noon);
  const { ledger } = open(t, directory, clock);
  ledger.charge(charge(noon));
  assert.equal(ledger.requestsOn('scheduling', noon + DAY), 0);
  // Set forward by a day, then back.
  ledger.charge(charge(noon + DAY));
  ledger.charge(charge(noon + DAY));
  await clock.advance(ledgerLimits.flush);
  ledger.charge(charge(noon));
  await clock.advance(ledgerLimits.flush);
  assert.equal(ledger.requestsOn('scheduling', noon), 2);
  assert.equal(ledger.requestsOn('scheduling', noon + DAY), 2);
  assert.equal(ledger.requestsOn('scheduling', Date.UTC(2026, 0, 1) - 1), 0);
  ledger.close();
  assert.deepEqual(
    days(directory).map((it) => [it.day, it.usage[8]]),
    [
      ['2026-01-01', 2n],
      ['2026-01-02', 2n],
    ],
  );
});

test('counts are read again after the clock was set back', async (t) => {
  const directory = folder(t);
  let now = noon;
  const clock = { ...fakeClock(noon), now: () => now };
  const [one, other] = [open(t, directory, clock).ledger, open(t, directory, clock).ledger];
  assert.equal(one.requestsOn('scheduling', noon), 0);
  other.charge(charge(noon));
  other.close();
  now -= 3_600_000;
  assert.equal(one.requestsOn('scheduling', noon), 1);
});

test('impossible times and amounts are counted as now and as nothing', (t) => {
  const directory = folder(t);
  const { ledger } = open(t, directory);
  for (const at of [Number.NaN, -1, Number.POSITIVE_INFINITY, 1e16]) {
    ledger.charge(charge(at, { sent: Number.NaN, received: -5, latency: Number.POSITIVE_INFINITY, units: 0.4 }));
  }
  ledger.close();
  assert.deepEqual(
    days(directory).map((it) => [it.day, it.usage, it.units]),
    [['2026-01-01', { 8: 4n, 67: 4n }, 0n]],
  );
});

test('a damaged file is set aside, and the charges of this process go to the new one', async (t) => {
  const directory = folder(t);
  const said: string[] = [];
  mkdirSync(directory);
  writeFileSync(join(directory, 'ledger-1.sqlite'), 'no database '.repeat(500));
  const clock = fakeClock(noon);
  const { ledger } = open(t, directory, clock, said);
  ledger.charge(charge(noon));
  await clock.advance(2 * ledgerLimits.flush);
  assert.equal(days(directory)[0]?.usage[8], 1n);
  assert.match(said.join('\n'), /^the file of usage could not be read and was set aside: .*$/);
  assert.ok(readdirSync(directory).includes('ledger-1.damaged.sqlite'));
});

test('a locked file delays the charges, and the end of the process waits for it', async (t) => {
  const directory = folder(t);
  const clock = fakeClock(noon);
  const { ledger } = open(t, directory, clock);
  ledger.charge(charge(noon));
  await clock.advance(ledgerLimits.flush);
  const locker = new DatabaseSync(join(directory, 'ledger-1.sqlite'));
  t.after(() => locker.close());
  locker.exec('BEGIN IMMEDIATE');
  ledger.charge(charge(noon));
  await clock.advance(ledgerLimits.flush);
  assert.equal(ledger.requestsOn('scheduling', noon), 2);
  locker.exec('ROLLBACK');
  ledger.close();
  assert.equal(days(directory)[0]?.usage[8], 2n);
});

test('with a file that cannot be written, this process counts for itself, on top of what is there', (t) => {
  const directory = folder(t);
  const first = openLedger({ directory, clock: fakeClock(noon) });
  first.ledger.charge(charge(noon));
  first.ledger.close();
  // As if written by a later SQLite, whose files this one must not write: tests may run as root, who writes anywhere.
  const path = join(directory, 'ledger-1.sqlite');
  const bytes = readFileSync(path);
  bytes[18] = 3;
  writeFileSync(path, bytes);
  const said: string[] = [];
  const { ledger, holds } = open(t, directory, fakeClock(noon), said);
  ledger.charge(charge(noon));
  ledger.charge(charge(noon));
  assert.equal(ledger.requestsOn('scheduling', noon), 3);
  holds.set('scheduling', 'a', { scope: '*', until: noon + 1, reason: 'wait' });
  assert.equal(holds.inForce('scheduling', 'a').length, 1);
  ledger.close();
  assert.match(said.join('\n'), /^usage is counted for this session only: .*$/);
});

test('without SQLite this process counts for itself, and says so', (t) => {
  t.mock.method(process, 'getBuiltinModule', () => undefined);
  const directory = folder(t);
  const said: string[] = [];
  const { ledger, holds } = open(t, directory, fakeClock(noon), said);
  ledger.charge(charge(noon));
  holds.set('code-host', 'a', { scope: 'core', until: noon + 1, reason: 'wait' });
  assert.equal(ledger.requestsOn('scheduling', noon), 1);
  assert.equal(holds.inForce('code-host', 'a').length, 1);
  ledger.close();
  assert.equal(existsSync(directory), false);
  assert.deepEqual(said, ['usage is counted for this session only: this Node has no SQLite']);
});
