import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProbe } from '../../../server/src/engine/http/probe.ts';

/** Some requests that want to go, and which of them went, in order. */
function setUp(count: number) {
  const probe = createProbe();
  const gone: number[] = [];
  const leave = Array.from({ length: count }, (_, index) => probe.enter(() => void gone.push(index)));
  return { ...probe, gone, leave };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one goes alone, the others when its connection stands, and later ones at once', () => {
  const { enter, admit, gone } = setUp(3);
  assert.deepEqual(gone, [0]);
  admit('all');
  assert.deepEqual(gone, [0, 1, 2]);
  enter(() => void gone.push(3));
  assert.deepEqual(gone, [0, 1, 2, 3]);
});

test('where none could be made, all go, and the next one goes alone again', () => {
  const { enter, admit, gone } = setUp(2);
  admit('one', 'go');
  assert.deepEqual(gone, [0, 1]);
  for (const it of [2, 3]) enter(() => void gone.push(it));
  assert.deepEqual(gone, [0, 1, 2]);
});

test('one that is given up leaves it to the next, which may have been given up, too', async () => {
  const { leave, gone } = setUp(4);
  leave[1]?.();
  leave[0]?.();
  leave[2]?.();
  await nextTurn();
  assert.deepEqual(gone, [0, 3]);
});

test('and to the connection of the first, where that comes to stand after all', async () => {
  const { leave, admit, gone } = setUp(3);
  leave[0]?.();
  admit('all');
  assert.deepEqual(gone, [0, 1, 2]);
  await nextTurn();
  assert.deepEqual(gone, [0, 1, 2]);
});
