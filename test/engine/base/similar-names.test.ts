import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarNames } from '../../../server/src/engine/base/similar-names.ts';

const names = ['weak-copyleft', 'strong-copyleft', 'MIT', 'MITNFA', 'GPL-3.0-only', 'GPL-3.0-or-later', 'Apache-2.0'];

const table: readonly (readonly [string, readonly string[]])[] = [
  ['strong-copyleff', ['strong-copyleft']],
  ['Strong copyleft', ['strong-copyleft']],
  ['mit', ['MIT']],
  ['mi', ['MIT', 'MITNFA']],
  ['GPL3', ['GPL-3.0-only', 'GPL-3.0-or-later']],
  ['Apache 2', ['Apache-2.0']],
  ['proprietary', []],
  ['xy', []],
  ['—', []],
];

for (const [text, expected] of table) {
  test(`${text} may mean ${expected.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(similarNames(text, names), expected);
  });
}

test('two swapped characters are one mistake', () => {
  assert.deepEqual(similarNames('emial', ['email', 'id']), ['email']);
  assert.deepEqual(similarNames('MALWAER', ['MALWARE', 'RAW']), ['MALWARE']);
  assert.deepEqual(similarNames('abcd', ['badc']), []);
});
