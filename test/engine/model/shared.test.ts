import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SHARED_LENGTH, truncate } from '../../../server/src/engine/base/text.ts';

test('a text that many share is kept up to a length, and one that is cut is not taken for another', () => {
  const whole = 'c'.repeat(MAX_SHARED_LENGTH);
  assert.equal(truncate(whole), whole);
  assert.equal(truncate(`${whole}c`), `${whole}…`);
});
