import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Versioning } from '../../server/src/engine/model/versioning.ts';
import { readTable } from './version-table.ts';

/** One test a row of a table in test/versions; the last column is the answer. `-` is an empty text, `∥` two bars. */
export function testTable(rules: Versioning, name: string): void {
  for (const row of readTable(join(import.meta.dirname, '..', 'engine', 'ecosystems', 'versions', name))) {
    const [asked = '', ...cells] = row.map((it) => (it === '-' ? '' : it.replaceAll('∥', '||')));
    const expected = cells.pop();
    test(`${rules.system}: ${row.join(' | ')}`, () => assert.equal(answer(rules, asked, cells), expected));
  }
}

function answer(rules: Versioning, asked: string, [first = '', second = '', third]: readonly string[]): string {
  switch (asked) {
    case 'compare': {
      const sign = Math.sign(rules.compare(first, second));
      assert.equal(Math.sign(rules.compare(second, first)) + sign, 0, 'the other way round is the opposite');
      return ['<', '=', '>'][sign + 1] ?? '';
    }
    case 'canonical':
      return rules.canonical(first);
    case 'stable':
      return rules.isStable(first) ? 'yes' : 'no';
    case 'satisfies':
      return rules.satisfies(first, second) ? 'yes' : 'no';
    case 'read': {
      const reading = rules.read(first);
      return reading.kind === 'pin' ? `pin ${reading.version}${reading.exact ? ' exactly' : ''}` : reading.kind;
    }
    case 'pick':
      return rules.pick(first, second.split(' '), third) ?? 'none';
    case 'rewrite': {
      const rewritten = rules.rewrite(first, second);
      if (!rewritten.ok) return `refused: ${rewritten.reason}`;
      assert.ok(rules.satisfies(second, rewritten.text), 'the version satisfies the new range');
      assert.notEqual(rewritten.text, first, 'something has changed');
      return rewritten.text;
    }
    default:
      throw new Error(`nothing is called ${asked}`);
  }
}
