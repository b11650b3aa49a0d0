import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { nuget } from '../../server/src/versions/nuget.ts';
import { readTable } from '../harness/version-table.ts';

const table = readTable(join(import.meta.dirname, 'nuget.txt')).map((row) => row.map((it) => (it === '-' ? '' : it)));

for (const row of table) {
  const [asked = '', first = '', second = '', third = ''] = row;
  test(`NuGet: ${row.join(' | ')}`, () => assert.equal(answer(asked, first, second), row.length > 3 ? third : second));
}

function answer(asked: string, first: string, second: string): string | undefined {
  switch (asked) {
    case 'compare':
      assert.equal(Math.sign(nuget.compare(first, second)), -Math.sign(nuget.compare(second, first)) || 0);
      return ['<', '=', '>'][Math.sign(nuget.compare(first, second)) + 1];
    case 'canonical':
      return nuget.canonical(first);
    case 'stable':
      return nuget.isStable(first) ? 'yes' : 'no';
    case 'satisfies':
      return nuget.satisfies(first, second) ? 'yes' : 'no';
    case 'read': {
      const reading = nuget.read(first);
      return reading.kind === 'pin' ? `pin ${reading.version}${reading.exact ? ' exactly' : ''}` : reading.kind;
    }
    case 'pick':
      return nuget.pick(first, second.split(' ')) ?? 'none';
    case 'rewrite': {
      const rewritten = nuget.rewrite(first, second);
      if (!rewritten.ok) return `refused: ${rewritten.reason}`;
      assert.ok(nuget.satisfies(second, rewritten.text), 'what was asked for satisfies the new range');
      const among = [first.match(/\d[\d.]*/)?.[0] ?? '0.0.1', second, '99.0.0'];
      assert.equal(nuget.pick(rewritten.text, among), second, 'and is the one chosen');
      return rewritten.text;
    }
    default:
      throw new Error(`nothing is called ${asked}`);
  }
}

test('NuGet: hostile text is answered at once', () => {
  for (const unit of ['1.', '0', '-', '1-', '*', '[', ',', ' ', '(,', '+a', 'a.']) {
    const text = unit.repeat(200_000);
    for (const it of [text, `[${text}]`, `1.0.0-${text}`, `1.0.0-${text}*`, `${text}\u0000`]) {
      nuget.read(it);
      nuget.canonical(it);
      nuget.compare(it, text);
      nuget.satisfies('1.0.0', it);
      nuget.rewrite(it, '1.0.0');
    }
  }
});
