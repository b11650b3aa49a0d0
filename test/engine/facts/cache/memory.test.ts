import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';

function cached(bytes: number) {
  return { value: bytes, at: 1, freshUntil: 2, bytes };
}

test('what was used longest ago goes first', () => {
  const cache = createMemoryCache(100);
  cache.set([
    ['a', cached(40)],
    ['b', cached(40)],
  ]);
  assert.deepEqual(cache.get('a'), cached(40));
  cache.set([['c', cached(40)]]);
  assert.equal(cache.get('b'), undefined);
  assert.deepEqual(cache.get('a'), cached(40));
  assert.deepEqual(cache.get('c'), cached(40));
});

test('what is put away again counts once', () => {
  const cache = createMemoryCache(100);
  for (let bytes = 60; bytes < 80; bytes++) cache.set([['a', cached(bytes)]]);
  cache.set([['b', cached(20)]]);
  assert.deepEqual(cache.get('a'), cached(79));
});

test('an entry that just fits is kept', () => {
  const cache = createMemoryCache(100);
  cache.set([
    ['a', cached(40)],
    ['b', cached(60)],
  ]);
  assert.deepEqual(cache.get('a'), cached(40));
});

test('an entry larger than the cache is not kept', () => {
  const cache = createMemoryCache(100);
  cache.set([['a', cached(101)]]);
  assert.equal(cache.get('a'), undefined);
});

test('an expired entry is returned, and is no longer fresh', () => {
  const cache = createMemoryCache();
  cache.set([['a', cached(1)]]);
  cache.expire();
  assert.deepEqual(cache.get('a'), { ...cached(1), freshUntil: 0 });
});
