import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import {
  cacheFile,
  createDiskCache,
  type DiskCache,
  diskLimits,
} from '../../../../server/src/engine/facts/cache/disk.ts';
import { sharedFileLimits } from '../../../../server/src/engine/storage/shared-file.ts';
import { fakeClock } from '../../../harness/fake-clock.ts';

const halfway = join(import.meta.dirname, 'halfway.ts');

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-damaged-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function open(directory: string, log: (line: string) => void = () => {}): DiskCache {
  return createDiskCache({ directory, front: createMemoryCache(), clock: fakeClock(), log });
}

function keep(directory: string, ...ids: readonly string[]): void {
  const cache = open(directory);
  cache.set(ids.map((it) => [it, { value: it, at: 1, freshUntil: 2, bytes: 100 }]));
  cache.close();
}

test('the log of a file that was set aside does not become that of the new one, although a process still has it open', async (t) => {
  const directory = folder(t);
  keep(directory, 'a');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', halfway, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  assert.ok(statSync(join(directory, `${cacheFile}-wal`)).size > 0);
  writeFileSync(join(directory, cacheFile), 'no database at all '.repeat(500));
  const said: string[] = [];
  const cache = open(directory, (line) => void said.push(line));
  assert.equal(cache.get('before'), undefined);
  assert.match(said.join('\n'), /^the file of kept answers could not be read and was set aside: .*$/);
  cache.set([['b', { value: 'b', at: 1, freshUntil: 2, bytes: 100 }]]);
  cache.close();
  const again = open(directory, (line) => void said.push(line));
  assert.equal(again.get('b')?.value, 'b');
  assert.equal(again.get('before'), undefined);
  again.close();
  assert.equal(said.length, 1);
});

test('what another process has put in the place of a damaged file stays there', async (t) => {
  const directory = folder(t);
  const path = join(directory, cacheFile);
  // More than one page: those that were read are not read again.
  keep(directory, ...Array.from({ length: 500 }, (_, at) => `${at}`.repeat(100)));
  const clock = fakeClock();
  const cache = createDiskCache({ directory, front: createMemoryCache(), clock });
  cache.get('0');
  const damaged = join(directory, 'damaged');
  renameSync(path, damaged);
  for (const it of ['-wal', '-shm']) rmSync(path + it, { force: true });
  keep(directory, 'b');
  writeFileSync(damaged, readFileSync(damaged).fill(0xaa));
  await clock.advance(diskLimits.absent + 1);
  assert.equal(cache.get('b')?.value, 'b', 'it is found at once');
  cache.close();
  assert.deepEqual(
    readdirSync(directory).filter((it) => it.includes('.damaged.')),
    [],
  );
});

test('one session sets so many files aside, and does without one after that', async (t) => {
  const directory = folder(t);
  const path = join(directory, cacheFile);
  const said: string[] = [];
  const clock = fakeClock();
  const cache = createDiskCache({ directory, front: createMemoryCache(), clock, log: (it) => void said.push(it) });
  for (let time = 0; time <= sharedFileLimits.repairs; time++) {
    cache.get('open');
    // What another session wrote is looked for in the file, and not in what was read of it before.
    keep(directory, 'a');
    for (const it of [path, `${path}-wal`]) writeFileSync(it, readFileSync(it).fill(0xaa));
    await clock.advance(diskLimits.absent + 1);
    assert.equal(cache.get(`damaged ${time}`), undefined);
  }
  assert.deepEqual(
    said.map((it) => it.replace(/:.*/s, '')),
    [
      'the file of kept answers could not be read and was set aside',
      'the file of kept answers could not be read and was set aside',
      'answers are not kept on disk',
    ],
  );
  cache.set([['b', { value: 'b', at: 1, freshUntil: 2, bytes: 100 }]]);
  await clock.advance(diskLimits.gather);
  assert.equal(cache.get('b')?.value, 'b');
  cache.close();
  assert.ok(
    readFileSync(path).every((it) => it === 0xaa),
    'the last file is left as it is',
  );
});
