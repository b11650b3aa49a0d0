import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoize } from '../../../../server/src/engine/ecosystems/shared/parsed-versions.ts';

function counted(): { readonly read: (text: string) => number | undefined; readonly times: () => number } {
  let times = 0;
  const read = memoize((text) => {
    times++;
    return text === '' ? undefined : text.length;
  });
  return { read, times: () => times };
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `1.0.${at}`);

test('a text is read once, also where nothing comes of it', () => {
  const { read, times } = counted();
  assert.deepEqual(['1.0.0', '', '1.0.0', ''].map(read), [5, undefined, 5, undefined]);
  assert.equal(times(), 2);
});

test('all of a large workspace is remembered, however often it is gone through', () => {
  const { read, times } = counted();
  for (let round = 0; round < 3; round++) texts(10_000).forEach(read);
  assert.equal(times(), 10_000);
});

test('of more than that, what is used all the time stays', () => {
  const { read, times } = counted();
  for (const it of texts(70_000)) {
    read(it);
    read('^2.0.0');
  }
  assert.equal(times(), 70_001);
});

test('what is too long for a version is not kept', () => {
  const { read, times } = counted();
  for (let round = 0; round < 3; round++) read('1'.repeat(1_000));
  assert.equal(times(), 3);
});
