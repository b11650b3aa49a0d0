import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { maven } from '../../../../server/src/engine/ecosystems/shared/maven-versions.ts';
import { readTable } from '../../../harness/version-table.ts';

const table = readTable(join(import.meta.dirname, 'maven.txt')).map((row) => row.map((it) => (it === '-' ? '' : it)));

for (const row of table) {
  const [asked = '', first = '', second = ''] = row;
  test(`Maven: ${row.join(' | ')}`, () => assert.equal(answer(asked, first, second), row.at(-1)));
}

function answer(asked: string, first: string, second: string): string | undefined {
  switch (asked) {
    case 'compare':
      assert.equal(Math.sign(maven.compare(first, second)), -Math.sign(maven.compare(second, first)) || 0);
      return ['<', '=', '>'][Math.sign(maven.compare(first, second)) + 1];
    case 'canonical':
      return maven.canonical(first);
    case 'stable':
      return maven.isStable(first) ? 'yes' : 'no';
    case 'satisfies':
      return maven.satisfies(first, second) ? 'yes' : 'no';
    case 'read': {
      const reading = maven.read(first);
      return reading.kind === 'pin' ? `pin ${reading.version}${reading.exact ? ' exactly' : ''}` : reading.kind;
    }
    case 'pick':
      return maven.pick(first, second.split(' ')) ?? 'none';
    case 'rewrite': {
      const rewritten = maven.rewrite(first, second);
      if (!rewritten.ok) return `refused: ${rewritten.reason}`;
      assert.ok(maven.satisfies(second, rewritten.text), 'what was asked for satisfies the new range');
      assert.equal(maven.read(rewritten.text).kind, maven.read(first).kind, 'which is of the same kind');
      return rewritten.text;
    }
    default:
      throw new Error(`nothing is called ${asked}`);
  }
}

test('Maven: the rows of the table that compare are in one order', () => {
  const versions = [...new Set(table.filter(([it]) => it === 'compare').flatMap(([, a = '', b = '']) => [a, b]))];
  const sorted = versions.toSorted(maven.compare);
  for (const [i, low] of sorted.entries()) {
    for (const high of sorted.slice(i)) assert.ok(maven.compare(low, high) <= 0, `${low} and ${high}`);
  }
});

test('Maven: hostile text is answered at once', () => {
  for (const unit of [
    '1.',
    '1-',
    '0',
    '0-',
    '-',
    '.',
    'a1',
    'a',
    '[',
    '[1]',
    '[1],',
    '(,',
    ' ',
    '[1,2],',
    '-12345678.123456-1',
  ]) {
    const text = unit.repeat(20_000);
    for (const it of [text, `[${text}]`, `[${text},${text}]`, `${text}x`]) {
      maven.read(it);
      maven.isStable(it);
      maven.compare(it, `${it}1`);
      maven.satisfies('1.0', it);
      maven.rewrite(it, '1.0');
    }
  }
});

test('a version with invisible characters is invalid, and is never written into a file', () => {
  for (const version of ['2.0\u202e1', '2.0\u200b', '2.0\u0007', '2.0\ud800']) {
    assert.equal(maven.rewrite('1.0', version).ok, false, JSON.stringify(version));
  }
});
