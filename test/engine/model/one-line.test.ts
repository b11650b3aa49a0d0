import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine } from '../../../server/src/engine/base/text.ts';

const lines = [
  ['MIT', 'MIT'],
  ['two\r\nlines\u2028three', 'two lines three'],
  ['\u202egnihtyna\u202c', 'gnihtyna'],
  ['zero\u200bwidth\ufeff', 'zero width '],
  ['\u001b[31mred\u0007', '[31mred'],
  ['half \ud83d a pair', 'half a pair'],
  ['M\u3164I\u115fT', 'M I T'],
  ['\u3164', ''],
  ['❤\ufe0f a\u034fb x\u{e0100}', '❤ ab x'],
  [`z${'\u0301'.repeat(40)}a${'\u0336\u0489'.repeat(20)}lgo`, `z${'\u0301'.repeat(4)}a\u0336\u0489\u0336\u0489lgo`],
  ['\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u1ec7', '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u1ec7'],
  [' at both ends\n', ' at both ends '],
  ['x'.repeat(501), `${'x'.repeat(500)}…`],
  [`${'x'.repeat(499)}😀`, `${'x'.repeat(499)}…`],
] as const;

for (const [text, shown] of lines) {
  test(`${JSON.stringify(text.slice(0, 30))} is shown on one line`, () => assert.equal(oneLine(text), shown));
}
