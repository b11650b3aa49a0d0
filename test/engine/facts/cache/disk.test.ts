import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import {
  cacheFile,
  createDiskCache,
  type DiskCache,
  diskLimits,
} from '../../../../server/src/engine/facts/cache/disk.ts';
import { sharedFileLimits } from '../../../../server/src/engine/storage/shared-file.ts';
import { type FakeClock, fakeClock } from '../../../harness/fake-clock.ts';

const scratch = mkdtempSync(join(tmpdir(), 'package-insights-cache-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

interface Opened {
  readonly cache: DiskCache;
  readonly clock: FakeClock;
  readonly said: readonly string[];
}

function open(directory: string, { clock = fakeClock(), maximalBytes = diskLimits.maximalBytes } = {}): Opened {
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  return { cache: createDiskCache({ directory, front: createMemoryCache(), clock, log, maximalBytes }), clock, said };
}

function folder(t: TestContext): string {
  return join(scratch, t.name.replaceAll(/\W+/g, '-'));
}

function cached(value: unknown, at = Date.UTC(2026, 0, 1)) {
  return { value, at, freshUntil: at + 3_600_000, bytes: 100 };
}

/** Puts one answer away in a session of its own. */
function keep(directory: string, id: string, value: unknown): void {
  const { cache } = open(directory);
  cache.set([[id, cached(value)]]);
  cache.close();
}

function reread(directory: string, id: string): unknown {
  const { cache } = open(directory);
  const value = cache.get(id)?.value;
  cache.close();
  return value;
}

test('what one session puts away, the next one reads', (t) => {
  const directory = folder(t);
  keep(directory, 'a', { licenses: ['MIT'], name: 'größer 😀' });
  const { cache, said } = open(directory);
  assert.deepEqual(cache.get('a'), cached({ licenses: ['MIT'], name: 'größer 😀' }));
  assert.equal(cache.get('b'), undefined);
  cache.close();
  assert.deepEqual(said, []);
  if (process.platform !== 'win32') assert.equal(statSync(directory).mode & 0o077, 0, 'for this user alone');
});

test('the cache is readable by its owner only, whatever the mode of the folder or of an older file', {
  skip: process.platform === 'win32',
}, async (t) => {
  const directory = folder(t);
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const before = process.umask(0o022);
  t.after(() => process.umask(before));
  const modes = (): number[] =>
    ['', '-wal', '-shm'].map((it) => statSync(join(directory, cacheFile + it)).mode & 0o777);
  const { cache, clock } = open(directory);
  cache.set([['a', cached('x')]]);
  await clock.advance(diskLimits.gather);
  assert.deepEqual(modes(), [0o600, 0o600, 0o600]);
  for (const suffix of ['', '-wal', '-shm']) chmodSync(join(directory, cacheFile + suffix), 0o644);
  const other = open(directory).cache;
  assert.equal(other.get('a')?.value, 'x');
  assert.deepEqual(modes(), [0o600, 0o600, 0o600]);
  for (const it of [other, cache]) it.close();
});

test('answers are gathered before they are written, and another session sees them then', async (t) => {
  const directory = folder(t);
  const [one, other] = [open(directory), open(directory)];
  one.cache.set([['a', cached(1)]]);
  assert.equal(other.cache.get('a'), undefined);
  await one.clock.advance(diskLimits.gather);
  assert.equal(other.cache.get('a'), undefined, 'what was not there is not looked for at once');
  await other.clock.advance(diskLimits.absent + 1);
  assert.deepEqual(other.cache.get('a'), cached(1));
  one.cache.close();
  other.cache.close();
});

test('the later answer stays, whichever process writes last', (t) => {
  const directory = folder(t);
  const { cache } = open(directory);
  cache.set([['a', cached('newer', Date.UTC(2026, 0, 1))]]);
  const late = open(directory);
  late.cache.set([['a', cached('older', Date.UTC(2025, 0, 1))]]);
  cache.close();
  late.cache.close();
  assert.equal(reread(directory, 'a'), 'newer');
});

test('an expired entry is returned, and is no longer fresh', (t) => {
  const directory = folder(t);
  keep(directory, 'a', 1);
  const { cache } = open(directory);
  cache.expire();
  assert.deepEqual(cache.get('a'), { ...cached(1), freshUntil: 0 });
  cache.close();
});

test('an answer from the future, of a clock that was set back, is not fresh', (t) => {
  const directory = folder(t);
  keep(directory, 'a', 1);
  const { cache } = open(directory, { clock: fakeClock(Date.UTC(2025, 0, 1)) });
  assert.equal(cache.get('a')?.freshUntil, 0);
  cache.close();
});

test('what was used longest ago goes first', async (t) => {
  const directory = folder(t);
  const day = 86_400_000;
  const start = Date.UTC(2026, 0, 1);
  const at = (days: number) => ({ clock: fakeClock(start + days * day), maximalBytes: 1000 });
  const first = open(directory, at(0));
  first.cache.set(Array.from({ length: 10 }, (_, index) => [`old ${index}`, cached(index)]));
  first.cache.close();
  const second = open(directory, at(2));
  assert.equal(second.cache.get('old 3')?.value, 3);
  await second.clock.advance(diskLimits.gather);
  second.cache.set(Array.from({ length: 5 }, (_, index) => [`new ${index}`, cached(index, start + 2 * day)]));
  second.cache.close();
  // Another session looks at the size when it first writes.
  const third = open(directory, at(2));
  third.cache.set([['last', cached(0, start + 2 * day)]]);
  third.cache.close();
  const { cache } = open(directory, at(2));
  const ids = [...'0123456789'].map((it) => `old ${it}`).filter((it) => cache.get(it) !== undefined);
  assert.ok(ids.includes('old 3') && ids.length <= 4, ids.join());
  for (let index = 0; index < 5; index++) assert.ok(cache.get(`new ${index}`));
  cache.close();
});

const spoilt: Readonly<Record<string, (path: string) => void>> = {
  'a file of zeros': (path) => writeFileSync(path, Buffer.alloc(8192)),
  text: (path) => writeFileSync(path, 'no database at all '.repeat(500)),
  'half of its pages overwritten': (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xaa, bytes.length / 8));
  },
  'cut off': (path) => writeFileSync(path, readFileSync(path).subarray(0, 5000)),
  'another program’s': (path) => {
    rmSync(path);
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE answers (id TEXT); PRAGMA application_id = 7');
    database.close();
  },
  'a schema of the future': (path) => {
    const database = new DatabaseSync(path);
    database.exec('ALTER TABLE answers RENAME TO facts; PRAGMA user_version = 99');
    database.close();
  },
};

for (const [what, spoil] of Object.entries(spoilt)) {
  test(`damaged: ${what}`, (t) => {
    const directory = folder(t);
    keep(directory, 'a', 'x'.repeat(20_000));
    spoil(join(directory, cacheFile));
    const { cache, said } = open(directory);
    assert.doesNotThrow(() => cache.get('a'));
    cache.set([['b', cached(2)]]);
    cache.close();
    assert.ok(said.length <= 1, said.join('\n'));
    // A session after that has a sound file.
    keep(directory, 'c', 3);
    assert.equal(reread(directory, 'c'), 3);
  });
}

test('answers of another version are not taken for ours, although their table is named alike', (t) => {
  const directory = folder(t);
  keep(directory, 'a', 1);
  const database = new DatabaseSync(join(directory, cacheFile));
  database.exec('PRAGMA user_version = 99');
  database.close();
  assert.equal(reread(directory, 'a'), undefined);
});

test('a file that another process keeps locked is left alone, and used again after a pause', async (t) => {
  const directory = folder(t);
  keep(directory, 'a', 1);
  const locker = new DatabaseSync(join(directory, cacheFile));
  locker.exec('BEGIN IMMEDIATE');
  const { cache, clock, said } = open(directory);
  cache.set([['b', cached(2)]]);
  await clock.advance(diskLimits.gather);
  assert.deepEqual(cache.get('b'), cached(2));
  assert.ok(existsSync(join(directory, cacheFile)));
  locker.exec('ROLLBACK');
  locker.close();
  await clock.advance(2 * sharedFileLimits.rest);
  cache.close();
  assert.deepEqual(said, []);
  assert.equal(reread(directory, 'b'), 2);
});

test('where no file can be, the memory does, and says so once', (t) => {
  const directory = folder(t);
  writeFileSync(directory, 'a file, not a folder');
  const { cache, said } = open(directory);
  cache.set([['a', cached(1)]]);
  assert.equal(cache.get('missing'), undefined);
  assert.deepEqual(cache.get('a'), cached(1));
  cache.close();
  assert.equal(said.length, 1);
  const folderInThePlace = `${directory}-2`;
  mkdirSync(join(folderInThePlace, cacheFile), { recursive: true });
  const other = open(folderInThePlace);
  assert.equal(other.cache.get('a'), undefined);
  assert.equal(other.said.length, 1);
});

const writer = join(import.meta.dirname, 'writer.ts');

function startWriter(...args: readonly string[]) {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', writer, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('two processes write at once, and nothing is lost', async (t) => {
  const directory = folder(t);
  const ended = ['one', 'two'].map((name) => {
    const child = startWriter(directory, name, '6');
    child.stdout.resume();
    return new Promise((resolve) => child.on('close', resolve));
  });
  assert.deepEqual(await Promise.all(ended), [0, 0]);
  const { cache } = open(directory, { clock: fakeClock(Date.now()) });
  for (const name of ['one', 'two']) {
    for (let batch = 0; batch < 6; batch++) assert.ok(cache.get(`${name} ${batch} 49`), `${name} ${batch}`);
  }
  cache.close();
});

test('a process killed while it writes again and again leaves a sound file', async (t) => {
  const directory = folder(t);
  const child = startWriter(directory, 'killed');
  let said = '';
  await new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (it: string) => {
      said += it;
      if (said.includes('5\n')) resolve();
    }),
  );
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('close', resolve));
  const database = new DatabaseSync(join(directory, cacheFile));
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  database.close();
  const { cache, said: complaints } = open(directory, { clock: fakeClock(Date.now()) });
  for (let batch = 0; batch <= 5; batch++) assert.ok(cache.get(`killed ${batch} 49`));
  cache.close();
  assert.deepEqual(complaints, []);
});
