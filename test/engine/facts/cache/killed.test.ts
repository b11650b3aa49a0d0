import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import { cacheFile, createDiskCache, type DiskCache } from '../../../../server/src/engine/facts/cache/disk.ts';
import { fakeClock } from '../../../harness/fake-clock.ts';

const halfway = join(import.meta.dirname, 'halfway.ts');

function open(directory: string, log: (line: string) => void = () => {}): DiskCache {
  return createDiskCache({ directory, front: createMemoryCache(), clock: fakeClock(), log });
}

test('a process killed within a write leaves what was there before it, whole', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-killed-'));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', halfway, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  await once(child.stdout, 'data');
  assert.ok(statSync(join(directory, `${cacheFile}-wal`)).size > 5_000_000, 'half of it is on the disk');
  child.kill('SIGKILL');
  assert.deepEqual(await once(child, 'close'), [null, 'SIGKILL']);
  const said: string[] = [];
  const cache = open(directory, (line) => void said.push(line));
  assert.equal(cache.get('before')?.value, 'whole');
  assert.equal(cache.get('half 0'), undefined);
  cache.close();
  assert.deepEqual(said, []);
  const writing = open(directory);
  writing.set([['after', { value: 1, at: 1, freshUntil: 2, bytes: 100 }]]);
  writing.close();
  const reading = open(directory);
  assert.equal(reading.get('after')?.value, 1);
  reading.close();
});
