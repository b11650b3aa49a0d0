import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../harness/seed.ts';
import fc from 'fast-check';
import satisfies from 'semver/functions/satisfies.js';
import { cargo } from '../../../../server/src/engine/ecosystems/cargo/versions.ts';
import { go } from '../../../../server/src/engine/ecosystems/go/versions.ts';
import { npm } from '../../../../server/src/engine/ecosystems/npm/versions.ts';
import type { Versioning } from '../../../../server/src/engine/model/versioning.ts';

const number = fc.integer({ min: 0, max: 12 });
const release = fc.tuple(number, number, number).map((it) => it.join('.'));
const version = fc
  .tuple(release, fc.constantFrom('', '', '', '-beta.1', '-rc.2'))
  .map(([numbers, preRelease]) => numbers + preRelease);
const operators = ['', '^', '~', '=', '>=', '>', '<', '<=', '^ ', '>= '];
const partial = fc.tuple(number, number, fc.constantFrom('x', '*')).chain(([a, b, wild]) => {
  return fc.constantFrom(`${a}`, `${a}.${b}`, `${a}.${wild}`, `${a}.${b}.${wild}`);
});
const condition = fc
  .tuple(fc.constantFrom(...operators), fc.oneof(version, partial))
  .map(([operator, it]) => operator + it);

function ranges(separators: readonly string[]) {
  return fc
    .tuple(condition, fc.option(fc.tuple(fc.constantFrom(...separators), condition)))
    .map(([first, more]) => first + (more ? more.join('') : ''));
}

/** The range without its numbers: operators, spaces, bars and wildcards. */
function shape(range: string): string {
  return range.replace(/\d[\w.+-]*/g, (it) => it.match(/[x*]/g)?.join('') ?? '').replace(/\s+/g, ' ');
}

const systems: readonly [Versioning, readonly string[]][] = [
  [npm, [' ', ' || ', ' - ']],
  [cargo, [', ', ',']],
];

for (const [rules, separators] of systems) {
  test(`${rules.system}: a range that was moved accepts the version, in the same words`, () => {
    let moved = 0;
    fc.assert(
      fc.property(ranges(separators), version, (range, it) => {
        const rewritten = rules.rewrite(range, it);
        if (!rewritten.ok) {
          assert.match(rewritten.reason, /^\S.*[^.\s]$/);
          return;
        }
        moved++;
        assert.ok(rules.satisfies(it, rewritten.text), rewritten.text);
        // A side is added for a version above all sides, or between two of them.
        const isAdded = rewritten.end !== undefined && range.includes('||');
        const sides = rewritten.text.split(' || ');
        if (isAdded)
          assert.ok(
            sides.some((_, at) => sides.toSpliced(at, 1).join(' || ') === range),
            rewritten.text,
          );
        else if (rewritten.end === undefined) assert.equal(shape(rewritten.text), shape(range));
        // `>` excludes what it names, so a lower bound that moves along becomes `>=`.
        else assert.equal(shape(rewritten.text).replaceAll('>=', '>'), shape(range).replaceAll('>=', '>'));
        assert.notEqual(rewritten.text, range);
      }),
      { numRuns: 1500 },
    );
    assert.ok(moved > 200, `${moved} were moved`);
  });

  test(`${rules.system}: what is picked satisfies, and nothing that satisfies is higher`, () => {
    fc.assert(
      fc.property(ranges(separators), fc.array(version, { maxLength: 8 }), (range, versions) => {
        const picked = rules.pick(range, versions);
        const meeting = versions.filter((it) => rules.satisfies(it, range));
        assert.equal(picked === undefined, meeting.length === 0);
        if (picked === undefined) return;
        assert.ok(rules.satisfies(picked, range));
        assert.ok(meeting.every((it) => rules.compare(it, picked) <= 0));
      }),
      { numRuns: 500 },
    );
  });
}

for (const rules of [npm, cargo, go]) {
  test(`${rules.system}: the order is total`, () => {
    const any = fc.oneof(
      version,
      version.map((it) => `v${it}`),
      partial,
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        assert.equal(Math.sign(rules.compare(a, b)) + Math.sign(rules.compare(b, a)), 0);
        if (rules.compare(a, b) <= 0 && rules.compare(b, c) <= 0) assert.ok(rules.compare(a, c) <= 0);
      }),
      { numRuns: 500 },
    );
  });

  test(`${rules.system}: any text is answered, hostile text at once`, () => {
    const unit = [
      '1.',
      '0',
      '-',
      'x',
      '*',
      '^',
      '>',
      '<',
      '=',
      ' ',
      '|',
      '||',
      ',',
      'v',
      '+a',
      '1 - ',
      '1,',
      '>=1 ',
      '@',
    ];
    const long = unit.flatMap((it) => [it.repeat(100_000), `1.0.0-${it.repeat(100_000)}`, `${it.repeat(400)}\0`]);
    const ask = (text: string) => {
      rules.read(text);
      rules.canonical(text);
      rules.isStable(text);
      rules.compare(text, '1.0.0');
      rules.satisfies('1.0.0', text);
      rules.satisfies(text, '1.0.0');
      rules.pick(text, ['1.0.0', text]);
      rules.rewrite(text, '1.0.0');
      rules.rewrite('1.0.0', text);
    };
    for (const it of long) ask(it);
    fc.assert(
      fc.property(fc.oneof(fc.string(), ranges([' ', '||', ','])), (it) => ask(it)),
      { numRuns: 300 },
    );
  });
}

test('NPM: what is told without the range library is what the library tells', () => {
  const few = fc.integer({ min: 0, max: 2 });
  const short = fc.array(few, { minLength: 1, maxLength: 3 }).map((it) => it.join('.'));
  const common = fc.tuple(fc.constantFrom('^', '~', '>=', ''), short).map((it) => it.join(''));
  const near = fc.tuple(few, few, few).map((it) => it.join('.'));
  fc.assert(
    fc.property(common, near, (range, it) => {
      assert.equal(npm.satisfies(it, range), satisfies(it, range, { loose: true }), `${it} in ${range}`);
    }),
    { numRuns: 3000 },
  );
});
