import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText } from '../../../server/src/engine/report/formats/format.ts';

test('what would order a terminal about is written as an escape, and means the same', () => {
  const value = {
    '\u202e': ['\u009b31m', '\u001b]0;x\u0007', 'a\u2028b', '\u{e0041}', '👩\u200d💻', '\u3164\ufe0f', 'é“ß”'],
  };
  const text = jsonText(value);
  assert.deepEqual(JSON.parse(text), value);
  assert.doesNotMatch(text, /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}/u);
  assert.match(text, /é“ß”/);
});
