import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from '../../../server/src/engine/report/formats/table.ts';
import type { ReportedFinding } from '../../../server/src/engine/report/report.ts';
import { reportOf, tool } from './reports.ts';

const [finding] = reportOf(['lodash']).findings as [ReportedFinding];
const [fix] = finding.fixes;

/** The blocks, and the summary without its last line end. */
const shown = (findings: readonly ReportedFinding[], columns?: number): string[][] => {
  const page = () => ({ script: '', style: '' });
  const style = { color: false, tool, page, ...(columns !== undefined && { columns }) };
  const text = table.write({ ...reportOf([]), findings }, style);
  return text.split('\n\n').map((it) => it.split('\n'));
};
const first = (findings: readonly ReportedFinding[], columns?: number): string[] => shown(findings, columns)[0] ?? [];
const advisory = (id: string, title: string, score: number) =>
  ({ id, aliases: [], title, url: '', rating: score >= 9 ? 'critical' : score >= 7 ? 'high' : 'low', score }) as const;
const at = (path: string, startLine: number) => ({ path, region: { ...finding.region, startLine } });

test('the answer is on the line of the package, and the places are below', () => {
  assert.deepEqual(first([finding, { ...finding, ...at('web/package.json', 9) }]), [
    'lodash 1.0.0  high 7.0  1 vulnerability  → 2.0.0 (major)',
    '    app/package.json:1:1, web/package.json:9:1',
    '    X-0  lodash',
  ]);
});

test('the worst package comes first: by severity, by score, by the number of places', () => {
  const named = (name: string, more: Partial<ReportedFinding>) => ({ ...finding, name, ...more });
  const blocks = shown([
    named('rare', { advisories: [advisory('X', '', 7)] }),
    named('often', { advisories: [advisory('X', '', 7)] }),
    named('often', { advisories: [advisory('X', '', 7)], ...at('b', 2) }),
    named('old', { code: 'deprecated', severity: 'warning', advisories: [] }),
    named('worst', { advisories: [advisory('X', '', 9.8)] }),
  ]);
  assert.deepEqual(
    blocks.slice(0, -1).map(([heading]) => heading?.split(' ')[0]),
    ['worst', 'often', 'rare', 'old'],
  );
});

test('a terminal gets lines of its width, with the answer on a line of its own', () => {
  const advisories = [
    advisory('GHSA-1', 'Command injection in the template function of lodash', 9.8),
    advisory('GHSA-22', 'ReDoS', 5),
  ];
  const lines = first(
    [
      { ...finding, advisories },
      { ...finding, advisories, ...at('web/package.json', 9) },
    ],
    48,
  );
  assert.deepEqual(lines, [
    'lodash 1.0.0  critical 9.8  2 vulnerabilities',
    '    → 2.0.0 (major)',
    '    app/package.json:1:1, web/package.json:9:1',
    '    GHSA-1   critical 9.8  Command injection in…',
    '    GHSA-22  low 5.0       ReDoS',
  ]);
});

test('in a very narrow terminal a title is below its advisory, and every place is whole', () => {
  const advisories = [advisory('GHSA-1', 'Command injection in lodash', 9.8), advisory('GHSA-22', '', 5)];
  assert.deepEqual(
    first(
      [
        { ...finding, advisories },
        { ...finding, ...at('web/package.json', 9) },
      ],
      30,
    ).slice(2),
    [
      '    app/package.json:1:1,',
      '    web/package.json:9:1',
      '    GHSA-1  critical 9.8',
      '      Command injection in',
      '      lodash',
      '    X-0  high 7.0',
      '      lodash',
      '    GHSA-22  low 5.0',
    ],
  );
});

test('wide characters count twice', () => {
  const advisories = [advisory('GHSA-1', '任意のコードの実行を許す脆弱性がある', 9.8)];
  const line = first([{ ...finding, advisories }], 40).at(-1);
  assert.equal(line, '    GHSA-1  任意のコードの実行を許す脆…');
});

test('reasons that differ from place to place are next to the places', () => {
  const pinned = {
    ...finding,
    ...at('frozen.txt', 3),
    fixes: [{ ...fix, refused: 'pinned by hash' } as typeof fix & {}],
  };
  assert.deepEqual(first([finding, { ...finding, ...at('b.txt', 2) }, pinned]).slice(0, 3), [
    'lodash 1.0.0  high 7.0  1 vulnerability  → 2.0.0 (major)',
    '    app/package.json:1:1, b.txt:2:1',
    '    frozen.txt:3:1  by hand: pinned by hash',
  ]);
});

test('many places and advisories are counted', () => {
  const advisories = Array.from({ length: 9 }, (_, index) => advisory(`X-${index}`, '', 7));
  const places = Array.from({ length: 13 }, (_, index) => ({ ...finding, advisories, ...at('a', index + 1) }));
  const lines = first(places);
  assert.equal(lines[1]?.split(', ').length, 5);
  assert.equal(lines[2], '    and 8 more places');
  assert.equal(lines.at(-1), '    and 4 more vulnerabilities');
  assert.equal(first(places.slice(0, 6))[2], '    and 1 more place');
});

test('a version with the same problem is no answer', () => {
  const flawed = { version: '2.0.0', why: 'default', kinds: ['default'], notes: ['major'], edits: [] } as const;
  const partly = {
    ...flawed,
    fixed: 1,
    flaw: 'has known vulnerabilities',
    notes: ['major', 'fixes 1 of 2 vulnerabilities'],
  };
  const heading = (fixes: ReportedFinding['fixes']) => first([{ ...finding, fixes, isWithoutFix: true }])[0];
  assert.equal(
    heading([{ ...flawed, fixed: 0, flaw: 'has known vulnerabilities' }]),
    'lodash 1.0.0  high 7.0  1 vulnerability  no fixed version',
  );
  assert.equal(
    heading([partly]),
    'lodash 1.0.0  high 7.0  1 vulnerability  → 2.0.0 (major, fixes 1 of 2 vulnerabilities)',
  );
});

test('no fix is no good news', () => {
  const page = () => ({ script: '', style: '' });
  const colored = (fixes: ReportedFinding['fixes']) =>
    table.write(
      { ...reportOf([]), findings: [{ ...finding, fixes, isWithoutFix: true }] },
      { color: true, tool, page },
    );
  assert.ok(colored([]).includes('\u001b[31mno fixed version\u001b[39m'));
  assert.ok(colored(finding.fixes).includes('\u001b[32m→ 2.0.0 (major)\u001b[39m'));
});

test('long paths have a line each, also for programs', () => {
  const long = (name: string) =>
    `a/folder/of/tests/with/a/very/long/name/that/fills/most/of/a/line/${name}/package.json`;
  const lines = first([
    { ...finding, ...at(long('one'), 1) },
    { ...finding, ...at(long('two'), 2) },
  ]);
  assert.deepEqual(lines.slice(1, 3), [`    ${long('one')}:1:1,`, `    ${long('two')}:2:1`]);
});
