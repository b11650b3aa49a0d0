import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { madeOnce, scratchFolder } from './scratch.ts';

function temporary(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'scratch-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a folder is made once, however many ask for it', async (context) => {
  const folder = temporary(context);
  const destination = join(folder, 'thing');
  let made = 0;
  const make = async (it: string): Promise<void> => {
    made++;
    await Promise.resolve();
    writeFileSync(join(it, 'file'), 'whole');
  };
  await Promise.all([madeOnce(destination, make), madeOnce(destination, make)]);
  await madeOnce(destination, make);
  assert.equal(made, 2, 'two began before there was one');
  assert.deepEqual(readdirSync(folder), ['thing']);
  assert.equal(readFileSync(join(destination, 'file'), 'utf8'), 'whole');
});

test('a maker that fails leaves nothing, and the next one can succeed', async (context) => {
  const folder = temporary(context);
  const destination = join(folder, 'thing');
  const broken = madeOnce(destination, () => Promise.reject(new Error('no network')));
  await assert.rejects(broken, /no network/);
  assert.deepEqual(readdirSync(folder), []);
  await madeOnce(destination, () => Promise.resolve());
  assert.ok(existsSync(destination));
});

test('what a killed maker left is removed when it is old, what is in use stays', (context) => {
  const folder = temporary(context);
  const old = new Date(Date.now() - 7_200_000);
  // Process ids are lower than this one on every system.
  const abandoned = join(folder, 'thing.partial-99999999-a');
  const recent = join(folder, 'thing.partial-99999999-b');
  const inUse = join(folder, `thing.partial-${process.ppid}-c`);
  const other = join(folder, 'something-else');
  for (const it of [abandoned, recent, inUse, other]) mkdirSync(it);
  for (const it of [abandoned, inUse, other]) utimesSync(it, old, old);
  const made = scratchFolder(folder, 'thing.partial-');
  assert.deepEqual(
    [abandoned, recent, inUse, other, made].map((it) => existsSync(it)),
    [false, true, true, true, true],
  );
});
