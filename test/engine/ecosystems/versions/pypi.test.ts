import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import '../../../harness/seed.ts';
import fc from 'fast-check';
import { pypi } from '../../../../server/src/engine/ecosystems/python/versions.ts';
import { readTable } from '../../../harness/version-table.ts';

/** `|` parts the columns: `∥` and `¦` stand for two bars and for one. */
const table = readTable(join(import.meta.dirname, 'pypi.txt')).map((row) =>
  row.map((it) => (it === '-' ? '' : it.replaceAll('∥', '||').replaceAll('¦', '|'))),
);

for (const row of table) {
  const [asked = '', first = '', second = '', third = ''] = row;
  test(`PyPI: ${row.join(' | ')}`, () => assert.equal(answer(asked, first, second), row.length > 3 ? third : second));
}

function answer(asked: string, first: string, second: string): string | undefined {
  switch (asked) {
    case 'compare':
      assert.equal(Math.sign(pypi.compare(first, second)), -Math.sign(pypi.compare(second, first)) || 0);
      return ['<', '=', '>'][Math.sign(pypi.compare(first, second)) + 1];
    case 'canonical':
      assert.equal(pypi.canonical(pypi.canonical(first)), pypi.canonical(first));
      return pypi.canonical(first);
    case 'stable':
      return pypi.isStable(first) ? 'yes' : 'no';
    case 'keeps':
      return pypi.keeps(first, second) ? 'yes' : 'no';
    case 'satisfies':
      return pypi.satisfies(first, second) ? 'yes' : 'no';
    case 'read': {
      const reading = pypi.read(first);
      return reading.kind === 'pin' ? `pin ${reading.version}${reading.exact ? ' exactly' : ''}` : reading.kind;
    }
    case 'pick':
      return pypi.pick(first, second.split(' ')) ?? 'none';
    case 'rewrite': {
      const rewritten = pypi.rewrite(first, second);
      if (!rewritten.ok) return `refused: ${rewritten.reason}`;
      assert.ok(pypi.satisfies(second, rewritten.text), 'what was asked for satisfies the new specifier');
      return rewritten.text;
    }
    default:
      throw new Error(`nothing is called ${asked}`);
  }
}

const versions = fc
  .tuple(
    fc.constantFrom('', '1!'),
    fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', 'a1', 'b2', 'rc1'),
    fc.constantFrom('', '.post1', '-2'),
    fc.constantFrom('', '.dev3'),
  )
  .map(([epoch, release, ...rest]) => `${epoch}${release.join('.')}${rest.join('')}`);

test('PyPI: the order of three versions is one order', () => {
  fc.assert(
    fc.property(versions, versions, versions, (a, b, c) => {
      const sorted = [a, b, c].sort(pypi.compare);
      assert.ok(pypi.compare(sorted[0] ?? '', sorted[2] ?? '') <= 0);
      assert.equal(pypi.compare(a, pypi.canonical(a)), 0);
    }),
  );
});

test('PyPI: what is picked satisfies, unless only pre-releases do', () => {
  const operators = fc.constantFrom('==', '!=', '>=', '<=', '<', '>', '~=', '^', '~', '', ' || ^');
  const ranges = fc
    .array(
      fc.tuple(operators, versions).map((it) => it.join('')),
      { maxLength: 3 },
    )
    .map((it) => it.join(','));
  fc.assert(
    fc.property(ranges, fc.array(versions, { maxLength: 8 }), (range, all) => {
      const picked = pypi.pick(range, all);
      if (picked !== undefined && pypi.isStable(picked)) assert.ok(pypi.satisfies(picked, range));
      for (const it of all) {
        if (pypi.satisfies(it, range)) assert.ok(picked !== undefined && pypi.compare(picked, it) >= 0);
      }
    }),
  );
});

test('PyPI: hostile text is answered at once', () => {
  for (const unit of [
    '1.',
    '0',
    '-',
    '1-',
    '*',
    '==',
    ',',
    ' ',
    '>=1,',
    '+a',
    'a.',
    'a1',
    '.post',
    '!=1 ',
    '^',
    '~1',
    '|',
    '^1||',
    ' ^1',
    '\u0000',
  ]) {
    const text = unit.repeat(20_000);
    for (const it of [text, `==${text}`, `1.0${text}`, `>=1.0 ${text}x`, `1+${text}\u0000`]) {
      pypi.read(it);
      pypi.canonical(it);
      pypi.compare(it, text);
      pypi.satisfies('1.0.0', it);
      pypi.pick(it, ['1.0', text]);
      pypi.rewrite(it, '1.0.0');
      pypi.rewrite('>=1.0', it);
    }
  }
});
