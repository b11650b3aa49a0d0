import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import '../../../harness/seed.ts';
import fc from 'fast-check';
import { nuget } from '../../../../server/src/engine/ecosystems/nuget/versions.ts';
import { readTable } from '../../../harness/version-table.ts';

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
    case 'keeps':
      return nuget.keeps(first, second) ? 'yes' : 'no';
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

test('NuGet: ten megabytes of labels are a version like any other', () => {
  assert.ok(nuget.compare(`1.0.0-${'a.'.repeat(5_000_000)}a`, '1.0.0') < 0);
});

const number = fc.nat({ max: 3 });
const version = fc
  .tuple(
    fc.array(number, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', '-a', '-A.1', '-a.10', '-b', '-0', '+x'),
  )
  .map(([numbers, suffix]) => numbers.join('.') + suffix);
const float = fc
  .tuple(fc.array(number, { maxLength: 3 }), fc.constantFrom('', '-*', '-a*', '-a.*'))
  .map(([numbers, suffix]) => [...numbers, '*'].join('.') + suffix);
const range = fc.oneof(
  version,
  float,
  version.map((it) => `[${it}]`),
  fc
    .tuple(
      fc.constantFrom('[', '('),
      fc.oneof(version, float, fc.constant('')),
      fc.oneof(version, fc.constant('')),
      fc.constantFrom(']', ')'),
    )
    .map(([open, low, high, close]) => `${open}${low}, ${high}${close}`),
);

test('NuGet: the order is one', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      assert.equal(Math.sign(nuget.compare(a, b)), -Math.sign(nuget.compare(b, a)) || 0);
      if (nuget.compare(a, b) <= 0 && nuget.compare(b, c) <= 0) assert.ok(nuget.compare(a, c) <= 0);
      assert.equal(nuget.compare(a, nuget.canonical(a)), 0);
      assert.equal(nuget.canonical(nuget.canonical(a)), nuget.canonical(a));
    }),
  );
});

test('NuGet: what is chosen satisfies, and a pin that is published is what is chosen', () => {
  fc.assert(
    fc.property(range, fc.array(version), (text, versions) => {
      const reading = nuget.read(text);
      const chosen = nuget.pick(text, versions);
      // What stands above all that an asterisk covers is taken in its place.
      const covered = versions.some((it) => nuget.isStable(it) && nuget.satisfies(it, text));
      if (chosen !== undefined && (covered || !text.includes('*'))) assert.ok(nuget.satisfies(chosen, text));
      if (reading.kind === 'invalid') assert.equal(chosen, undefined);
      if (reading.kind !== 'pin') return;
      const among = nuget.pick(text, [...versions, reading.version]);
      assert.equal(nuget.compare(among ?? '', reading.version), 0);
    }),
  );
});

test('NuGet: a range that was moved is one, of the same kind, and means the version', () => {
  fc.assert(
    fc.property(range, version, (text, target) => {
      const moved = nuget.rewrite(text, target);
      if (!moved.ok) return assert.notEqual(moved.reason, '');
      assert.ok(nuget.satisfies(target, moved.text), moved.text);
      assert.equal(nuget.compare(nuget.pick(moved.text, [target]) ?? '', target), 0);
      assert.equal(moved.text.includes('*'), text.includes('*'));
      assert.equal(/^[[(]/.test(moved.text), /^[[(]/.test(text));
      if (moved.end === undefined) assert.equal(moved.text.split(',')[1], text.split(',')[1], 'the upper bound stays');
    }),
    { numRuns: 1000 },
  );
});
