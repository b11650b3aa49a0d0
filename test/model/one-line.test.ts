import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine } from '../../server/src/model/one-line.ts';

const lines = [
  ['MIT', 'MIT'],
  ['two\r\nlines\u2028three', 'two lines three'],
  ['\u202egnihtyna\u202c', 'gnihtyna'],
  ['zero\u200bwidth\ufeff', 'zero width '],
  ['\u001b[31mred\u0007', '[31mred'],
  ['half \ud83d a pair', 'half a pair'],
  [' at both ends\n', ' at both ends '],
  ['x'.repeat(501), `${'x'.repeat(500)}…`],
  [`${'x'.repeat(499)}😀`, `${'x'.repeat(499)}…`],
] as const;

for (const [text, shown] of lines) {
  test(`${JSON.stringify(text.slice(0, 30))} is shown on one line`, () => assert.equal(oneLine(text), shown));
}
