import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirst } from '../../../server/src/engine/analysis/managing-fixes.ts';
import type { VersionFacts } from '../../../server/src/engine/model/facts.ts';

/** Searches among versions, some of which manage a sound one. @returns what is found, and how many were tried */
function search(versions: readonly string[], sound: readonly string[]) {
  const tried = new Set<string>();
  const found = findFirst(versions, (version) => {
    tried.add(version);
    return sound.includes(version) ? ({} as VersionFacts) : undefined;
  });
  return { found: typeof found === 'object' ? found.version : found, tried: tried.size };
}

const line = (name: string, last: number): string[] => Array.from({ length: last + 1 }, (_, at) => `${name}.${at}`);

test('of a long line the smallest version is found with few tries', () => {
  const all = line('2.7', 60);
  for (let first = 0; first < all.length; first++) {
    const { found, tried } = search(all, all.slice(first));
    assert.equal(found, all[first]);
    assert.ok(tried <= 16, `${tried} tries for ${found}`);
  }
});

test('a fix that came to several lines is found in the lowest one', () => {
  const all = [...line('3.0', 13), ...line('3.1', 12), ...line('3.2', 12)];
  const sound = [...line('3.1', 12).slice(7), ...line('3.2', 12).slice(1)];
  assert.equal(search(all, sound).found, '3.1.7');
  assert.equal(search(all, []).found, undefined);
});

test('the versions behind the first line are not looked at while that one is open', () => {
  const tried: string[] = [];
  const found = findFirst(['1.1', '1.2', '2.0', '3.0'], (version) => {
    tried.push(version);
    return 'pending';
  });
  assert.equal(found, 'pending');
  assert.deepEqual(tried, ['1.1']);
});
