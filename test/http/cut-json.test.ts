import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCutShort } from '../../server/src/http/exchange.ts';

const whole = '{"a":[{"b":"}]\\\\"},{"c":"\\"{["},[]],"d":"ü"}';

test('JSON is cut short wherever it ends but at its end', () => {
  const bytes = Buffer.from(whole);
  assert.doesNotThrow(() => JSON.parse(whole));
  for (let length = 0; length < bytes.length; length++) {
    assert.equal(isCutShort(bytes.subarray(0, length)), true, bytes.subarray(0, length).toString());
  }
  assert.equal(isCutShort(bytes), false);
  assert.equal(isCutShort(Buffer.from(`\n${whole}\n`)), false);
});

test('what does not fit together is none that was cut, and whatever it is, that takes no time', () => {
  for (const [text, isCut] of [
    ['', true],
    ['"', true],
    ['\\', true],
    ['}', false],
    ['{"responses":[}', false],
    ['[]]{', false],
    ['"'.repeat(1_000_001), true],
    ['['.repeat(1_000_000), false],
    ['[],'.repeat(1_000_000), false],
  ] as const) {
    assert.equal(isCutShort(Buffer.from(text)), isCut, text.slice(0, 20));
  }
});
