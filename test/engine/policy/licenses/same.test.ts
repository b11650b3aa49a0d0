import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sameLicenses } from '../../../../server/src/engine/policy/license-expressions.ts';

const rows = readFileSync(join(import.meta.dirname, 'same.txt'), 'utf8')
  .split('\n')
  .filter((it) => it.includes('|') && !it.startsWith('#'))
  .map((it) => it.split('|').map((cell) => cell.trim()));

function listOf(cell: string): string[] {
  return cell === '' ? [] : cell.split(', ');
}

for (const [one = '', other = '', expected] of rows) {
  test(`${one || 'nothing'} and ${other || 'nothing'}: ${expected}`, () => {
    for (const [left, right] of [
      [one, other],
      [other, one],
    ] as const) {
      const same = sameLicenses(listOf(left), listOf(right));
      assert.equal(same === undefined ? 'unclear' : same ? 'same' : 'different', expected);
    }
  });
}

test('what is as long and deep as it likes is told apart, or not, at once', () => {
  const long = `${'('.repeat(5000)}MIT${')'.repeat(5000)}`;
  assert.equal(sameLicenses([long], ['MIT']), undefined);
  const wide = Array.from({ length: 40 }, (_, at) => `(MIT OR BSD-${(at % 3) + 1}-Clause)`).join(' AND ');
  assert.equal(sameLicenses([wide], ['MIT']), wide.length > 1000 ? undefined : false);
  const many = Array.from({ length: 20_000 }, () => 'MIT');
  assert.equal(sameLicenses(many, ['MIT']), true);
});
