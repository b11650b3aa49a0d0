import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { versioning } from '../../../server/src/ecosystems/versioning.ts';
import { isSystem, type System } from '../../../server/src/model/system.ts';
import type { Versioning } from '../../../server/src/model/versioning.ts';
import { readTable } from '../../harness/version-table.ts';

const refusals = readTable(join(import.meta.dirname, 'refusals.txt')).map((row) =>
  row.map((it) => (it === '-' ? '' : it.replaceAll('∥', '||'))),
);

for (const [system = '', range = '', target = '', reason = ''] of refusals) {
  test(`${system}: ${range} is not moved to ${target}`, () => {
    assert.ok(isSystem(system));
    assert.deepEqual(versioning[system].rewrite(range, target), { ok: false, reason });
  });
}

test('every reason in the code has a row, but for those that nothing was found to give', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'ecosystems');
  const source = globSync(['*/versions.ts', '*/range.ts', 'shared/maven-versions.ts', 'shared/semver-ranges.ts'], {
    cwd: folder,
  })
    .map((it) => readFileSync(join(folder, it), 'utf8'))
    .join('');
  const given = refusals.map((it) => it[3] ?? '');
  const missing = [...source.matchAll(/l10n\.t\(\s*'([^']+)'/g)].flatMap(([, template = '']) => {
    const pattern = template.split(/\{\d\}/).map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return given.some((it) => new RegExp(`^${pattern.join('.+')}$`).test(it)) ? [] : [template];
  });
  assert.deepEqual(missing.sort(), ['{0} cannot be changed to {1}']);
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
      ...['>=# <#', '># <=#', '>=#  <#', '<# >=#', '# - #', '^# || ^#', '^#||#', '~# <#', '>=# || <#', '# || # || ^#'],
    ],
  },
  CARGO: {
    version: versions(['-beta.1', '-rc.2', '+7']),
    forms: [
      ...['#', '=#', '^#', '~#', '>=#', '>#', '<#', '<=#', '^ #', '>= #', '@.*', '@.x', '=@.*', '>=@.*'],
      ...['>=#, <#', '>#, <=#', '>=#,<#', '<#, >=#', '~#, >=#', '^#, <#'],
    ],
  },
  PYPI: {
    version: versions(['a1', 'rc2', '.post1', '.dev1', '+cu12'], some),
    forms: [
      ...['#', '==#', '== #', '===#', '==@.*', '!=#', '~=#', '>=#', '>= #', '>#', '<#', '<=#', '^#', '~#', '@.*'],
      ...['>=#,<#', '>=#, !=#', '~=#,!=@.*', '<#,>=#', '>=#,==@.*', '^# || ^#', '>=# <#', '>=#,<=#'],
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
  test(`${system}: what a requirement is moved to means the version, keeps its words, and stays`, () => {
    let moved = 0;
    fc.assert(
      fc.property(ranges(forms), forms.version, fc.array(forms.version, { maxLength: 8 }), (range, target, others) => {
        const rewritten = rules.rewrite(range, target);
        if (!rewritten.ok) return assert.match(rewritten.reason, /^\S.*\S$/);
        const { text } = rewritten;
        moved++;
        assert.ok(rules.satisfies(target, text), `${target} satisfies ${text}`);
        const lower = others.filter((it) => rules.compare(it, target) < 0);
        const chosen = rules.pick(text, [...lower, target]);
        assert.equal(rules.compare(chosen ?? '', target), 0, `${chosen} is chosen by ${text}`);
        // `^0` becomes `^1`, as precise as before; asked once more, `^1` becomes `^1.4.5`, since it already allows 1.4.5.
        const again = rules.rewrite(text, target);
        const twice = again.ok ? again.text : text;
        const last = rules.rewrite(twice, target);
        assert.equal(last.ok ? last.text : twice, twice, 'then nothing moves any more');
        assert.equal(words(system, twice), words(system, range), `${text} has the words of before`);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 400) },
    );
    assert.ok(moved > 50, `${moved} were moved`);
  });
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
