import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { purlAt } from '../../../server/src/engine/formats/text/purls.ts';
import { readTable } from '../../harness/version-table.ts';

function told(text: string, offset: number): string {
  const found = purlAt(text, offset);
  if (!found) return '';
  const { key, version } = found.purl;
  return `${text.slice(found.span.start, found.span.end)}: ${[key.system, key.name, version].filter(Boolean).join(' ')}`;
}

for (const [marked = '', expected = ''] of readTable(join(import.meta.dirname, 'purls.txt'))) {
  test(`${marked} holds ${expected || 'none'}`, () => {
    const line = marked.replace(/[⟨⟩]/g, '');
    const [start, end] = [marked.indexOf('⟨'), marked.indexOf('⟩') - 1];
    for (const [before, behind] of [
      ['', ''],
      ['pkg:npm/other@1\n', '\npkg:npm/other@1'],
      ['first\r\n', '\r\nlast'],
    ] as const) {
      const text = before + line + behind;
      for (let at = 0; at <= line.length; at++) {
        const inside = start >= 0 && start <= at && at <= end;
        const wanted = inside ? `${line.slice(start, end)}: ${expected}` : '';
        assert.equal(told(text, before.length + at), wanted, `at ${at}`);
      }
    }
  });
}

test('of several in a line the one under the cursor is meant', () => {
  const text = 'pkg:npm/a@1 pkg:npm/b@2,pkg:npm/c@3';
  assert.equal(told(text, 3), 'pkg:npm/a@1: NPM a 1');
  assert.equal(told(text, 15), 'pkg:npm/b@2: NPM b 2');
  assert.equal(told(text, 30), 'pkg:npm/c@3: NPM c 3');
});

test('texts of any kind and length are looked through at once', () => {
  const long = [
    'pkg:npm/'.repeat(500_000),
    `pkg:npm/${'a'.repeat(5_000_000)}`,
    'pkg:'.repeat(1_000_000),
    `pkg:npm/a@1?${'a=b&'.repeat(1_000_000)}`,
    '\n'.repeat(5_000_000),
    ' '.repeat(5_000_000),
  ];
  for (const text of long) for (const at of [0, 10, text.length / 2, text.length]) told(text, at);
  assert.equal(told('', 0), '');
});
