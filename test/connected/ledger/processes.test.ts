import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLedgerStore } from '../../../server/src/connected/ledger/ledger-store.ts';
import type { DayUsage } from '../../../server/src/connected/ledger/usage.ts';

const charger = join(import.meta.dirname, 'charger.ts');

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-ledger-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function start(directory: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', charger, directory, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (it: string) => {
    said.out += it;
  });
  child.stderr.setEncoding('utf8').on('data', (it: string) => {
    said.error += it;
  });
  return { child, said };
}

function read(directory: string): readonly DayUsage[] {
  const store = openLedgerStore(join(directory, 'ledger-1.sqlite'), true);
  try {
    return store.days('0000', '9999');
  } finally {
    store.close();
  }
}

test('several processes that charge at the same time lose and double nothing', async (t) => {
  const directory = folder(t);
  const children = Array.from({ length: 5 }, () => start(directory, '200'));
  await Promise.all(children.map(({ child }) => once(child, 'close')));
  for (const { said } of children) assert.deepEqual(said, { out: 'charged\nclosed\n', error: '' });
  assert.deepEqual(read(directory), [
    {
      day: '2026-01-01',
      service: 'scheduling',
      usage: new Map([
        [5, 5_000n],
        [8, 1_000n],
        [13, 10_000n],
        [14, 100_000n],
        [67, 1_000n],
      ]),
      actions: new Map([
        [15, 1_000n],
        [16, 1_000n],
      ]),
      units: 3_000n,
    },
  ]);
});

test('a killed process loses what it had not written yet, and the file stays whole', async (t) => {
  const directory = folder(t);
  const { child, said } = start(directory, '0', 'forever');
  t.after(() => child.kill('SIGKILL'));
  // It has written at least twice by then.
  while (!/^1200$/m.test(said.out)) await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  const [day] = read(directory);
  const charged = Number(said.out.trim().split('\n').at(-1));
  const written = Number(day?.usage.get(8) ?? 0n);
  assert.ok(written > 0 && written <= charged, `${written} of ${charged}`);
  // The quantities of a request are written together.
  assert.equal(day?.usage.get(14), BigInt(written * 100));
  assert.equal(day?.units, BigInt(written * 3));

  const next = start(directory, '5');
  await once(next.child, 'close');
  assert.equal(next.said.error, '');
  assert.equal(Number(read(directory)[0]?.usage.get(8)), written + 5);
});

test('a process that ends without closing its ledger writes what is left', async (t) => {
  const directory = folder(t);
  const { child, said } = start(directory, '7', 'exit');
  await once(child, 'close');
  assert.equal(said.error, '');
  assert.equal(read(directory)[0]?.usage.get(8), 7n);
});
