import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expressionText, licensesIn, parseLicense } from '../../../../server/src/engine/policy/license-expressions.ts';

/** What is written, and with current identifiers; undefined where it is no expression. */
const table: readonly (readonly [string, string | undefined])[] = [
  ['MIT', 'MIT'],
  [' MIT ', 'MIT'],
  ['GPL-2.0', 'GPL-2.0-only'],
  ['GPL-2.0+', 'GPL-2.0-or-later'],
  ['GPL-2.0-or-later', 'GPL-2.0-or-later'],
  ['LGPL-2.1', 'LGPL-2.1-only'],
  ['AGPL-3.0+', 'AGPL-3.0-or-later'],
  ['AGPL-1.0', 'AGPL-1.0-only'],
  ['GFDL-1.3', 'GFDL-1.3-only'],
  ['GFDL-1.3-no-invariants-only', 'GFDL-1.3-no-invariants-only'],
  ['MPL-1.1+', 'MPL-1.1+'],
  ['GPL-2.0-with-classpath-exception', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ['GPL-2.0-with-bison-exception', 'GPL-2.0-or-later WITH Bison-exception-2.2'],
  ['wxWindows', 'LGPL-2.0-or-later WITH WxWindows-exception-3.1'],
  ['BSD-2-Clause-FreeBSD', 'BSD-2-Clause-Views'],
  ['Apache-2.0 WITH LLVM-exception', 'Apache-2.0 WITH LLVM-exception'],
  ['LicenseRef-ours', 'LicenseRef-ours'],
  ['DocumentRef-a:LicenseRef-b', 'DocumentRef-a:LicenseRef-b'],
  ['(MIT OR GPL-2.0) AND Zlib', '(MIT OR GPL-2.0-only) AND Zlib'],
  ['MIT OR GPL-2.0 AND Zlib', 'MIT OR GPL-2.0-only AND Zlib'],
  ['MIT or Zlib', 'MIT OR Zlib'],
  ['constructor', undefined],
  ['non-standard', undefined],
  ['SEE LICENSE IN LICENSE.md', undefined],
  ['MIT OR', undefined],
  ['MIT Zlib', undefined],
  ['(((', undefined],
  ['', undefined],
  ['mit', undefined],
  [`${'('.repeat(100_000)}MIT`, undefined],
  [Array(10_000).fill('MIT').join(' OR '), undefined],
];

for (const [text, expected] of table) {
  test(`${text.slice(0, 40) || 'nothing'} is ${expected ?? 'no expression'}`, () => {
    const expression = parseLicense(text);
    assert.equal(expression && expressionText(expression), expected);
  });
}

test('the licenses of an expression come in its order', () => {
  const expression = parseLicense('(MIT OR GPL-2.0+) AND Zlib');
  assert.ok(expression);
  assert.deepEqual(
    licensesIn(expression).map((it) => it.id),
    ['MIT', 'GPL-2.0-or-later', 'Zlib'],
  );
});
