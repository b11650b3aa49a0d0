import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import { cacheFile, createDiskCache, diskLimits } from '../../../../server/src/engine/facts/cache/disk.ts';
import { fakeClock } from '../../../harness/fake-clock.ts';

/*
 * A full disk, or a file that a container brought along: nothing more is kept, but what was kept before still answers,
 * which is all that there is when working offline.
 */
const unwritable: Readonly<Record<string, (path: string) => void>> = {
  'nothing can be put beside the file': (path) => mkdirSync(`${path}-shm`),
  'the file may only be read': (path) => {
    const bytes = readFileSync(path);
    // By its header the file was made by a later SQLite, whose files this one must not write.
    bytes[18] = 3;
    writeFileSync(path, bytes);
  },
};

test('a pipe in the place of the file is not waited for', { skip: process.platform === 'win32' }, (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-pipe-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  execFileSync('mkfifo', [join(directory, cacheFile)]);
  const said: string[] = [];
  const log = (line: string) => said.push(line);
  const cache = createDiskCache({ directory, front: createMemoryCache(), clock: fakeClock(), log });
  assert.equal(cache.get('a'), undefined);
  cache.close();
  assert.equal(said.length, 1);
});

for (const [what, spoil] of Object.entries(unwritable)) {
  test(`what was kept is read where ${what}`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'package-insights-unwritable-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const clock = fakeClock();
    const said: string[] = [];
    const open = () =>
      createDiskCache({ directory, front: createMemoryCache(), clock, log: (line) => said.push(line) });
    const cached = (value: unknown) => ({ value, at: clock.now(), freshUntil: clock.now() + 3_600_000, bytes: 100 });
    const first = open();
    first.set([
      ['a', cached(1)],
      ['b', cached(2)],
    ]);
    first.close();

    spoil(join(directory, cacheFile));
    const before = readFileSync(join(directory, cacheFile));
    const cache = open();
    assert.equal(cache.get('a')?.value, 1);
    cache.set([['c', cached(3)]]);
    await clock.advance(2 * diskLimits.gather);
    assert.equal(cache.get('b')?.value, 2);
    assert.equal(cache.get('c')?.value, 3);
    cache.close();
    assert.equal(said.length, 1);
    assert.deepEqual(readFileSync(join(directory, cacheFile)), before);
  });
}
