import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type OpenLedger, openLedger } from '../../../server/src/connected/ledger/ledger.ts';
import { sharedFileLimits } from '../../../server/src/engine/storage/shared-file.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';

const HOUR = 3_600_000;
const now = Date.UTC(2026, 0, 1);

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-holds-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function open(t: TestContext, directory: string, clock: FakeClock = fakeClock(now)): OpenLedger {
  const opened = openLedger({ directory, clock });
  t.after(() => opened.ledger.close());
  return opened;
}

const hold = { scope: 'core', until: now + HOUR, reason: 'the rate limit is used up' };

test('a hold applies to every window at once, and for its own identity alone', (t) => {
  const directory = folder(t);
  const [one, other] = [open(t, directory).holds, open(t, directory).holds];
  assert.deepEqual(other.inForce('code-host', 'me'), []);
  one.set('code-host', 'me', hold);
  assert.deepEqual(other.inForce('code-host', 'me'), [hold]);
  assert.deepEqual(other.inForce('code-host', 'you'), []);
  assert.deepEqual(other.inForce('scheduling', 'me'), []);
});

test('a hold outlasts a restart, and ends at its time', (t) => {
  const directory = folder(t);
  const first = openLedger({ directory, clock: fakeClock(now) });
  first.holds.set('code-host', 'me', hold);
  first.ledger.close();
  assert.deepEqual(open(t, directory).holds.inForce('code-host', 'me'), [hold]);
  assert.deepEqual(open(t, directory, fakeClock(hold.until)).holds.inForce('code-host', 'me'), []);
});

test('a longer hold of the same scope stays, in whichever window it was set', (t) => {
  const directory = folder(t);
  const [one, other] = [open(t, directory).holds, open(t, directory).holds];
  const longer = { ...hold, until: now + 2 * HOUR, reason: 'longer' };
  const search = { ...hold, scope: 'search' };
  one.set('code-host', 'me', longer);
  other.set('code-host', 'me', hold);
  other.set('code-host', 'me', search);
  for (const it of [one, other, open(t, directory).holds]) {
    assert.deepEqual(
      it.inForce('code-host', 'me').toSorted((a, b) => a.scope.localeCompare(b.scope)),
      [longer, search],
    );
  }
});

test('holds that have ended are removed', async (t) => {
  const directory = folder(t);
  const clock = fakeClock(now);
  const { holds } = open(t, directory, clock);
  holds.set('code-host', 'me', hold);
  await clock.advance(2 * HOUR);
  holds.set('scheduling', 'me', { ...hold, until: now + 3 * HOUR });
  const database = new DatabaseSync(join(directory, 'ledger-1.sqlite'), { readOnly: true });
  t.after(() => database.close());
  assert.deepEqual(
    database
      .prepare('SELECT connection FROM holds')
      .all()
      .map((it) => it['connection']),
    ['scheduling'],
  );
});

test('a hold is in force while the file is locked, and is written after that', async (t) => {
  const directory = folder(t);
  const clock = fakeClock(now);
  const { holds } = open(t, directory, clock);
  holds.set('scheduling', 'me', hold);
  const locker = new DatabaseSync(join(directory, 'ledger-1.sqlite'));
  t.after(() => locker.close());
  locker.exec('BEGIN IMMEDIATE');
  holds.set('code-host', 'me', hold);
  assert.deepEqual(holds.inForce('code-host', 'me'), [hold]);
  locker.exec('ROLLBACK');
  await clock.advance(sharedFileLimits.rest);
  assert.deepEqual(holds.inForce('code-host', 'me'), [hold]);
  assert.deepEqual(open(t, directory).holds.inForce('code-host', 'me'), [hold]);
});

test('a hold that a wrong clock set lasts as long as it was meant to', (t) => {
  const directory = folder(t);
  const early = now - 365 * 24 * HOUR;
  const wrong = openLedger({ directory, clock: fakeClock(now) });
  wrong.holds.set('code-host', 'me', hold);
  wrong.ledger.close();
  const expected = [{ ...hold, until: early + HOUR }];
  assert.deepEqual(open(t, directory, fakeClock(early)).holds.inForce('code-host', 'me'), expected);
  assert.deepEqual(open(t, directory, fakeClock(early + HOUR - 1)).holds.inForce('code-host', 'me'), expected);
  assert.deepEqual(open(t, directory, fakeClock(early + HOUR)).holds.inForce('code-host', 'me'), []);
});

test('a hold without an end is kept', (t) => {
  const directory = folder(t);
  open(t, directory).holds.set('code-host', 'me', { ...hold, until: Number.POSITIVE_INFINITY });
  assert.equal(open(t, directory).holds.inForce('code-host', 'me').length, 1);
});
