import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LruMap } from '../../../server/src/engine/base/lru-map.ts';

test('the least recently used entries are dropped first', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.deepEqual(map.entries(), [
    ['a', 1],
    ['c', 3],
  ]);
  map.delete('a');
  map.set('d', 4);
  assert.deepEqual([map.get('c'), map.get('d'), map.get('a')], [3, 4, undefined]);
});

test('values count by their size, and the last one stays, however large', () => {
  const map = new LruMap<string, string>(4, (it) => it.length);
  map.set('a', 'xx');
  map.set('b', 'xx');
  map.set('a', 'xxx');
  assert.deepEqual(map.entries(), [['a', 'xxx']]);
  map.set('c', 'xxxxxxxx');
  assert.deepEqual(map.entries(), [['c', 'xxxxxxxx']]);
  map.clear();
  map.set('d', 'xxxx');
  assert.deepEqual(map.entries(), [['d', 'xxxx']]);
});
