import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import { cacheFile, createDiskCache, type DiskCache } from '../../../../server/src/engine/facts/cache/disk.ts';
import { openStore } from '../../../../server/src/engine/facts/cache/sqlite.ts';
import { fakeClock } from '../../../harness/fake-clock.ts';

/*
 * The file and the memory before it, where one knows what the other does not.
 */
const scratch = mkdtempSync(join(tmpdir(), 'package-insights-front-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const now = Date.UTC(2026, 0, 1);

/** @param bytes that are kept in memory */
function open(directory: string, bytes?: number): DiskCache {
  return createDiskCache({ directory, front: createMemoryCache(bytes), clock: fakeClock(now) });
}

function folder(t: TestContext): string {
  return join(scratch, t.name.replaceAll(/\W+/g, '-'));
}

function cached(value: unknown) {
  return { value, at: now, freshUntil: now + 3_600_000, bytes: 100 };
}

test('an entry that another process has just added is found, though it is not in memory', (t) => {
  const cache = open(folder(t), 0);
  assert.equal(cache.get('a'), undefined);
  cache.set([['a', cached('here')]]);
  const other = open(folder(t));
  other.set([['a', cached('here')]]);
  other.close();
  assert.equal(cache.get('a')?.value, 'here');
  cache.close();
});

test('answers that are written together are all kept or all lost, and a failure does not prevent later writes', (t) => {
  const directory = folder(t);
  mkdirSync(directory, { recursive: true });
  const store = openStore(join(directory, cacheFile));
  const broken = [
    ['a', cached('first')],
    ['b', cached(1n)],
  ] as const;
  assert.throws(() => store.write(broken, [], now));
  assert.equal(store.read('a'), undefined);
  store.write([['c', cached('later')]], [], now);
  assert.equal(store.read('c')?.value, 'later');
  store.close();
});

test('who looks everything up again has nothing fresh any more, in memory or on disk', (t) => {
  const cache = open(folder(t));
  cache.set([['a', cached('here')]]);
  cache.expire();
  assert.equal(cache.get('a')?.freshUntil, 0);
  cache.close();
});

test('once it is closed nothing is opened again', (t) => {
  const directory = folder(t);
  const cache = open(directory);
  cache.close();
  assert.equal(cache.get('a'), undefined);
  cache.set([['a', cached('here')]]);
  cache.close();
  assert.equal(existsSync(directory), false);
});
