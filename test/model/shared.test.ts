import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestShared, shared } from '../../server/src/base/text.ts';

test('a text that many share is kept up to a length, and one that is cut is not taken for another', () => {
  const whole = 'c'.repeat(longestShared);
  assert.equal(shared(whole), whole);
  assert.equal(shared(`${whole}c`), `${whole}…`);
});
