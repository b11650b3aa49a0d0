import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWholeJson } from '../../server/src/net/whole-json.ts';

const whole = '{"a":[{"b":"}]\\\\"},{"c":"\\"{["},[]],"d":"ü"}';

test('of a JSON text only the whole is whole, wherever it is cut', () => {
  const bytes = Buffer.from(whole);
  assert.doesNotThrow(() => JSON.parse(whole));
  for (let length = 0; length < bytes.length; length++) {
    assert.equal(isWholeJson(bytes.subarray(0, length)), false, bytes.subarray(0, length).toString());
  }
  assert.equal(isWholeJson(bytes), true);
  assert.equal(isWholeJson(Buffer.from(`\n${whole}\n`)), true);
});

test('what is no JSON at all is whole or not, in no time', () => {
  for (const [text, isWhole] of [
    ['', false],
    ['"', false],
    ['\\', false],
    ['}', true],
    [']]]{', true],
    ['"'.repeat(1_000_001), false],
    ['['.repeat(1_000_000), false],
  ] as const) {
    assert.equal(isWholeJson(Buffer.from(text)), isWhole);
  }
});
