import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import '../../../harness/seed.ts';
import fc from 'fast-check';
import { versioning } from '../../../../server/src/engine/ecosystems/versioning.ts';
import { isSystem, type System } from '../../../../server/src/engine/model/system.ts';
import { boundedRanges, type Versioning } from '../../../../server/src/engine/model/versioning.ts';
import { readTable } from '../../../harness/version-table.ts';

const refusals = readTable(join(import.meta.dirname, 'refusals.txt')).map((row) =>
  row.map((it) => (it === '-' ? '' : it.replaceAll('∥', '||'))),
);

for (const [system = '', range = '', target = '', reason = '', bounded] of refusals) {
  test(`${system}: ${range} is not moved to ${target}`, () => {
    assert.ok(isSystem(system));
    assert.ok(bounded === undefined || bounded === 'never');
    assert.deepEqual(versioning[system].rewrite(range, target, bounded), { ok: false, reason });
  });
}

test('every reason in the code has a row', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', 'server', 'src', 'engine', 'ecosystems');
  const source = globSync(
    ['*/versions.ts', '*/range.ts', 'shared/maven-versions.ts', 'shared/semver-ranges.ts', 'shared/range-bounds.ts'],
    {
      cwd: folder,
    },
  )
    .map((it) => readFileSync(join(folder, it), 'utf8'))
    .join('');
  const given = refusals.map((it) => it[3] ?? '');
  const missing = [...source.matchAll(/l10n\.t\(\s*'([^']+)'/g)].flatMap(([, template = '']) => {
    const pattern = template.split(/\{\d\}/).map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return given.some((it) => new RegExp(`^${pattern.join('.+')}$`).test(it)) ? [] : [template];
  });
  assert.deepEqual(missing, []);
});

/** How a system's requirements are put together; `#` stands for a version, or for the first numbers of one, `@` for numbers alone. */
interface Forms {
  readonly version: fc.Arbitrary<string>;
  readonly forms: readonly string[];
}

const number = fc.integer({ min: 0, max: 4 });
const release = fc.tuple(number, number, number).map((it) => it.join('.'));

function versions(suffixes: readonly string[], numbers: fc.Arbitrary<string> = release): fc.Arbitrary<string> {
  return fc.tuple(numbers, fc.constantFrom('', '', '', '', ...suffixes)).map((it) => it.join(''));
}

const some = fc.array(number, { minLength: 1, maxLength: 4 }).map((it) => it.join('.'));

const systems: Record<System, Forms> = {
  NPM: {
    version: versions(['-beta.1', '-rc.2']),
    forms: [
      ...['#', '=#', 'v#', '^#', '~#', '~>#', '>=#', '>#', '<#', '<=#', '^ #', '>= #', '@.x', '@.*', '^@.x', '~@.X'],
      ...[
        '>=# <#',
        '>=# <#',
        '<#',
        '># <=#',
        '>=#  <#',
        '<# >=#',
        '# - #',
        '^# || ^#',
        '^#||#',
        '~# <#',
        '>=# || <#',
        '# || # || ^#',
        '>=# <# || >=# <#',
        '>=# @.x',
        '@.x || @.x',
      ],
    ],
  },
  CARGO: {
    version: versions(['-beta.1', '-rc.2', '+7']),
    forms: [
      ...['#', '=#', '^#', '~#', '>=#', '>#', '<#', '<=#', '^ #', '>= #', '@.*', '@.x', '=@.*', '>=@.*'],
      ...['>=#, <#', '>#, <=#', '>=#,<#', '<#, >=#', '~#, >=#', '^#, <#', '>=#, <=#', '#, #'],
    ],
  },
  PYPI: {
    version: versions(['a1', 'rc2', '.post1', '.dev1', '+cu12'], some),
    forms: [
      ...['#', '==#', '== #', '===#', '==@.*', '!=#', '~=#', '>=#', '>= #', '>#', '<#', '<=#', '^#', '~#', '@.*'],
      ...[
        '>=#,<#',
        '>=#, !=#',
        '~=#,!=@.*',
        '<#,>=#',
        '>=#,==@.*',
        '^# || ^#',
        '>=# <#',
        '>=#,<=#',
        '>#,<#',
        '>=#,>=#',
        '>=#,~=#',
        '~=#,<#',
        '^#||>=#,<#',
      ],
    ],
  },
  NUGET: {
    version: versions(['-beta.1', '-rc.2', '-a'], some),
    forms: [
      ...['#', '[#]', '[ # ]', '[#,)', '(#,)', '[#,#)', '(#,#)', '[#, #]', '(,#)', '(, #]', '@.*', '#-*', '#-beta*'],
      ...['@.*-*', '*', '*-*', '[@.*,#)', '[#-*, #]'],
    ],
  },
  MAVEN: {
    version: versions(['-beta-1', '-RC2', '-jre', '.Final', '-SNAPSHOT'], some),
    forms: ['#', '[#]', '[#,)', '(#,)', '[#,#)', '(#,#)', '[#, #]', '(,#)', '(,#],[#,)', '[#,#),[#,#)', '@.+', ']#,#['],
  },
  GO: {
    version: fc
      .tuple(release, fc.constantFrom('', '', '-rc.1', '+incompatible', '-0.20240131120000-abcdef012345'))
      .map(([numbers, suffix]) => `v${numbers}${suffix}`),
    forms: ['#', '>=#', '<#', 'latest'],
  },
};

function ranges({ version, forms }: Forms): fc.Arbitrary<string> {
  const shorter = fc
    .tuple(version, fc.integer({ min: 1, max: 3 }))
    .map(([it, count]) => it.split('.', count).join('.'));
  const parts = fc.tuple(fc.oneof(version, shorter), fc.constantFrom('0', '1', '3', '0.1', '1.2', '2.0'));
  return fc.tuple(fc.constantFrom(...forms), fc.array(parts, { minLength: 4, maxLength: 4 })).map(([form, all]) => {
    const left = [...all];
    return form.replace(/[#@]/g, (it) => left.pop()?.[it === '#' ? 0 : 1] ?? '');
  });
}

for (const [system, forms] of Object.entries(systems)) {
  const rules: Versioning = versioning[system as System];
  for (const bounded of boundedRanges) {
    test(`${system}, ${bounded}: what a requirement is moved to means the version, keeps its words, and stays`, () => {
      let moved = 0;
      fc.assert(
        fc.property(
          ranges(forms),
          forms.version,
          fc.array(forms.version, { maxLength: 8 }),
          (range, target, others) => {
            const rewritten = rules.rewrite(range, target, bounded);
            if (!rewritten.ok) return assert.match(rewritten.reason, /^\S.*\S$/);
            const { text, end } = rewritten;
            moved++;
            assert.notEqual(rules.read(text).kind, 'invalid', text);
            assert.ok(rules.satisfies(target, text), `${target} satisfies ${text}`);
            const lower = others.filter((it) => rules.compare(it, target) < 0);
            const chosen = rules.pick(text, [...lower, target]);
            assert.equal(rules.compare(chosen ?? '', target), 0, `${chosen} is chosen by ${text}`);
            // `^0` becomes `^1`, as precise as before; asked again, `^1` becomes `^1.4.5`, since it already allows 1.4.5.
            let last = text;
            for (let more = 0; more < 2; more++) {
              const again = rules.rewrite(last, target, bounded);
              assert.ok(!again.ok || again.end === undefined, `the end of ${last} stays`);
              last = again.ok ? again.text : last;
            }
            const settled = rules.rewrite(last, target, bounded);
            assert.equal(settled.ok ? settled.text : last, last, 'then nothing moves any more');

            const refused = rules.rewrite(range, target, 'never');
            if (end === undefined) {
              assert.deepEqual(refused, rewritten, `the setting does not concern ${range}`);
              assert.equal(words(system, text), words(system, range), `${text} has the words of before`);
              return;
            }
            assert.match(refused.ok ? '' : refused.reason, /boundedRanges/);
            if (end === 'widened') {
              const lost = others.filter((it) => rules.satisfies(it, range) && !rules.satisfies(it, text));
              assert.deepEqual(lost, [], `${text} allows what ${range} allowed`);
            }
            const isOneOfSeveral = /\||[\])],[[(]/.test(range);
            if (!isOneOfSeveral) assert.equal(kinds(system, text), kinds(system, range), `${text} is like ${range}`);
            else if (bounded === 'widen') assert.ok(isWithOneMore(range, text), `${text} has one more than ${range}`);
          },
        ),
        { numRuns: Number(process.env['RUNS'] ?? 400) },
      );
      assert.ok(moved > 50, `${moved} were moved`);
    });
  }
}

/** Whether a text has all alternatives of a range as they are, and another one between or behind them. */
function isWithOneMore(range: string, text: string): boolean {
  if (text.startsWith(range.trimEnd())) return true;
  const parts = (it: string): string[] => it.split(/\|\|?/).map((part) => part.trim());
  const [before, after] = [parts(range), parts(text)];
  return after.some((_, at) => after.toSpliced(at, 1).join() === before.join());
}

/** A requirement from one version up to another, exclusive or inclusive. */
const intervals: Partial<Record<System, (from: string, to: string, isInclusive: boolean) => string>> = {
  NPM: (from, to, isInclusive) => `>=${from} <${isInclusive ? '=' : ''}${to}`,
  CARGO: (from, to, isInclusive) => `>=${from}, <${isInclusive ? '=' : ''}${to}`,
  PYPI: (from, to, isInclusive) => `>=${from},<${isInclusive ? '=' : ''}${to}`,
  NUGET: (from, to, isInclusive) => `[${from},${to}${isInclusive ? ']' : ')'}`,
  MAVEN: (from, to, isInclusive) => `[${from},${to}${isInclusive ? ']' : ')'}`,
};

for (const [system, interval] of Object.entries(intervals)) {
  const rules: Versioning = versioning[system as System];
  test(`${system}: an end moves no further than its precision requires`, () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 });
    const target = fc.tuple(number, fc.integer({ min: 0, max: 12 }), number);
    let moved = 0;
    fc.assert(
      fc.property(
        numbers,
        target,
        fc.boolean(),
        fc.constantFrom('widen', 'replace'),
        (to, version, isInclusive, bounded) => {
          const range = interval('0', to.join('.'), isInclusive);
          const rewritten = rules.rewrite(range, version.join('.'), bounded);
          if (!rewritten.ok || rewritten.end === undefined) return;
          moved++;
          const last = isInclusive
            ? to.length - 1
            : Math.max(
                0,
                to.findLastIndex((it) => it > 0),
              );
          const isWhole = isInclusive && !['NPM', 'CARGO'].includes(system);
          const next = version.map((it, at) =>
            at < (isWhole ? 2 : last) ? it : at === (isWhole ? 2 : last) ? it + 1 : 0,
          );
          assert.ok(rules.satisfies(version.join('.'), rewritten.text));
          assert.ok(!rules.satisfies(next.join('.'), rewritten.text), `${rewritten.text} excludes ${next.join('.')}`);
        },
      ),
      { numRuns: 1000 },
    );
    assert.ok(moved > 100, `${moved} were moved`);
  });
}

/** The words of a range; the lower bound of a replaced one includes what it names. */
function kinds(system: string, range: string): string {
  return words(system, range)
    .replace(/>=?/g, '>')
    .replace(/^[(\]]/, '[');
}

/** A range without its versions: operators, brackets, commas, spaces and wildcards. */
function words(system: string, range: string): string {
  // The lowest of an interval is taken, so its bound must be part of it: `(1.0,2.0)` becomes `[1.5,2.0)`.
  if (system === 'NUGET' || system === 'MAVEN') {
    return range
      .replace(/[[(\]]?[\s]*[\w.+-]*(?=,)/, '[')
      .replace(/[\w.+*-]+/g, (it) => (it.includes('*') ? '*' : '#'));
  }
  if (system === 'GO') return '';
  return range.replace(/[\dv][\w.+-]*(?:\.?[xX*])?/g, (it) => (/[xX*]$/.exec(it)?.[0] ?? '') || '#');
}
