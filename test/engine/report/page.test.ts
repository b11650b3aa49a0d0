import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { figuresOf, toggled } from '../../../client/report-page/figures.ts';
import {
  type Filter,
  fill,
  findingOf,
  noFilter,
  rowsIn,
  rowsOf,
  select,
  severityText,
  updateText,
  worstFirst,
} from '../../../client/report-page/rows.ts';
import type { LicenseClass } from '../../../server/src/engine/model/license-policy.ts';
import { html } from '../../../server/src/engine/report/formats/html.ts';
import { pageTexts } from '../../../server/src/engine/report/formats/page-texts.ts';
import type { Report } from '../../../server/src/engine/report/report.ts';
import { reportOf, tool } from './reports.ts';

const texts = pageTexts();

test('a row of a dependency tells what its version is like and what was found at its place', () => {
  const { dependencies } = rowsOf(reportOf(['a', 'b']), texts);
  assert.partialDeepStrictEqual(dependencies[1], {
    severity: 'warning',
    name: 'b',
    requirement: '^1.1.0',
    license: 'MIT',
    days: 100,
    licenseClass: 'permissive',
    rating: 'high',
    score: 7,
    problems: ['high'],
    distance: 'major',
    message: 'b 1.1.0: 1 vulnerability, high 7.0, fixed in 2.0.0.',
    update: { version: '2.0.0' },
    line: 2,
  });
});

test('a row of a dependency that was not looked up says so, and does not count as clean', () => {
  const report = reportOf(['a', 'b']);
  const gap = 'Not looked up: it comes from the registry npm.inside.example';
  const projects = report.projects.map((it) => ({
    ...it,
    dependencies: it.dependencies.map((one) => ({ ...one, gap, gapKind: 'withheld' as const })),
  }));
  const { dependencies } = rowsOf({ ...report, projects, findings: report.findings.slice(0, 1) }, texts);
  assert.deepEqual(
    dependencies.map((it) => it.severity),
    ['error', 'gap'],
  );
  assert.equal(dependencies[1]?.message, gap);
  assert.equal(select(dependencies, { ...noFilter, problems: ['withheld'] }, undefined).length, 2);
  assert.equal(select(dependencies, { ...noFilter, search: 'inside.example' }, undefined).length, 1);
});

test('the cell of a finding leaves out what other columns say', () => {
  const [row] = rowsOf(reportOf(['b']), texts).findings;
  assert.ok(row);
  const cell = (message: string): string => findingOf({ ...row, name: 'polly', version: '8.0', message });
  assert.equal(cell('Polly 8.0 has 1 known vulnerability: X'), 'has 1 known vulnerability: X');
  assert.equal(cell('Polly 8.0: no license is known'), 'no license is known');
  assert.equal(cell('Polly 8.0.0 is deprecated'), 'Polly 8.0.0 is deprecated');
  assert.equal(cell('polly is unknown to the service'), 'polly is unknown to the service');
});

test('rows are narrowed down by words and by choices, and put in order', () => {
  const { findings } = rowsOf(reportOf(['b', 'a', 'c']), texts);
  const names = (...given: [Parameters<typeof select>[1], Parameters<typeof select>[2]]): string[] =>
    select(findings, ...given).map((it) => it.name);
  assert.deepEqual(names(noFilter, undefined), ['b', 'a', 'c']);
  assert.deepEqual(names(noFilter, { key: 'name', descending: true }), ['c', 'b', 'a']);
  assert.deepEqual(names(noFilter, worstFirst), ['b', 'c', 'a']);
  assert.deepEqual(names({ ...noFilter, license: texts.unknown }, undefined), ['b']);
  assert.deepEqual(names({ ...noFilter, search: 'APP 1.2 ' }, undefined), ['c']);
});

test('versions are ordered by their numbers', () => {
  const { findings } = rowsOf(reportOf(Array.from({ length: 11 }, () => 'a')), texts);
  const sorted = select(findings, noFilter, { key: 'version', descending: true });
  assert.deepEqual(
    sorted.slice(0, 3).map((it) => it.version),
    ['1.10.0', '1.9.0', '1.8.0'],
  );
});

test('the worst comes first: by severity, then by score; what was not checked before what is fine', () => {
  const report = reportOf(['a', 'b', 'c', 'd', 'e', 'f']);
  const scores = [7.4, undefined, 9.8, 5, 8.1];
  const findings = report.findings.slice(0, 5).map((it, at) => {
    const score = scores[at];
    const advisories = it.advisories.map(({ score: _, ...one }) => ({ ...one, ...(score !== undefined && { score }) }));
    return { ...it, severity: at === 3 ? ('warning' as const) : ('error' as const), advisories };
  });
  const [project] = report.projects;
  assert.ok(project);
  const gap = 'Unknown to the service';
  const dependencies = project.dependencies.map((it, at) =>
    at === 5 ? { ...it, gap, gapKind: 'unknown' as const } : it,
  );
  const [first] = dependencies;
  assert.ok(first);
  const fine = { ...first, name: 'fine', region: { ...first.region, startLine: 99 } };
  const projects = [{ ...project, dependencies: [fine, ...dependencies] }];
  const rows = rowsOf({ ...report, findings, projects }, texts);
  const sorted = select(rows.dependencies, noFilter, worstFirst);
  assert.deepEqual(
    sorted.map((it) => it.name),
    ['c', 'e', 'a', 'b', 'd', 'f', 'fine'],
  );
  assert.deepEqual(
    sorted.slice(0, 2).map((it) => severityText(it, texts)),
    ['High', 'High'],
  );
});

/** A report whose dependencies have these licenses. */
function licensed(...classes: readonly LicenseClass[]): Report {
  const report = reportOf(classes.map((it, at) => `${it}-${at}`));
  const packages = report.packages.map((it, at) => ({ ...it, licenseClass: classes[at] ?? 'unknown' }));
  return { ...report, packages };
}

test('malware that a dependency brings comes before the worst of advisories', () => {
  const report = reportOf(['a', 'b']);
  const [first, second] = report.findings;
  assert.ok(first && second);
  const brought = { ...second, code: 'malicious', severity: 'error', advisories: [] } as const;
  const { score: _, ...withoutScore } = brought;
  const findings = [{ ...first, severity: 'error' as const, score: 9.8 }, withoutScore];
  const rows = rowsOf({ ...report, findings }, texts).findings;
  const [top] = select(rows, noFilter, worstFirst);
  assert.deepEqual([top?.name, top?.rating], [second.name, 'malicious']);
});

test('bars count findings by rating and code, and dependencies by license class and by size of the update', () => {
  const report = licensed('strong-copyleft', 'permissive', 'permissive', 'unknown');
  const [first, second, third, fourth] = report.findings;
  assert.ok(first && second && third && fourth);
  const findings = [
    first,
    { ...second, code: 'deprecated' as const, advisories: [] },
    { ...third, known: true },
    { ...fourth, ignored: { reason: 'not reached' } },
  ];
  const figures = figuresOf(rowsOf({ ...report, findings }, texts), texts).map((it) =>
    it.bars.map((bar) => `${bar.label} ${bar.count}`),
  );
  assert.deepEqual(figures, [
    ['High 1', 'Deprecated 1', 'Ignored 1', 'In the baseline 1'],
    ['Permissive 2', 'Weak copyleft 0', 'Strong copyleft 1', 'Use restricted 0', 'Unknown 1'],
    ['Up to date 0', 'Patch 0', 'Minor 0', 'Major 4', 'Unknown 0'],
  ]);
});

test('each dependency that was not checked is in the bar of its reason, as in the coverage', () => {
  const report = reportOf(['a', 'b', 'c', 'd', 'e', 'f']);
  const [finding] = report.findings;
  const kinds = ['withheld', 'unknown', 'unknown', 'failed', 'unchecked', 'listed'] as const;
  const projects = report.projects.map((it) => ({
    ...it,
    dependencies: it.dependencies.map((one, at) => ({ ...one, gap: 'why', gapKind: kinds[at] ?? 'failed' })),
  }));
  assert.ok(finding);
  // One of both unknown ones is in a lockfile, and so without a finding.
  const unknown = { ...finding, code: 'not-found' as const, severity: 'hint' as const, advisories: [] };
  const findings = report.findings.slice(1, 2).map(({ region }) => ({ ...unknown, region, name: 'b' }));
  const rows = rowsOf({ ...report, projects, findings }, texts);
  assert.deepEqual(
    figuresOf(rows, texts)[0]?.bars.map((bar) => `${bar.label} ${bar.count} ${bar.view}`),
    [
      'Not looked up 1 dependencies',
      'Unknown to the service 2 dependencies',
      'Vulnerabilities unknown 1 dependencies',
      'Failed 1 dependencies',
      'Without a known version 1 dependencies',
    ],
  );
  assert.deepEqual(rowsIn('findings', rows, noFilter), []);
});

test('an ignored finding is not listed until its bar is chosen, so that ignoring makes the list shorter', () => {
  const report = reportOf(['a', 'b']);
  const [first, second] = report.findings;
  assert.ok(first && second);
  // One of two vulnerabilities of a dependency is ignored: there is a finding for each.
  const findings = [first, { ...first, ignored: { reason: 'not reached' } }, second];
  const rows = rowsOf({ ...report, findings }, texts);
  const names = (filter: Filter) => rowsIn('findings', rows, filter).map((it) => `${it.name} ${it.severity}`);
  assert.deepEqual(names(noFilter), ['a error', 'b warning']);
  assert.equal(names({ ...noFilter, problems: ['ignored'] }).length, 3);
});

test('a dependency is up to date only where this is known', () => {
  const report = reportOf(['a', 'b', 'c']);
  const [project] = report.projects;
  const [a, b, c] = project?.dependencies ?? [];
  assert.ok(project && a && b && c);
  const { purl, ...local } = { ...c, updates: [] };
  const unnumbered = { ...b, updates: [{ version: 'Hoxton.SR12', kinds: ['default' as const], notes: [] }] };
  const dependencies = [{ ...a, upToDate: true as const, updates: [] }, unnumbered, local];
  const rows = rowsOf({ ...report, projects: [{ ...project, dependencies }] }, texts);
  assert.deepEqual(
    rows.dependencies.map((it) => it.distance),
    ['current', 'unknown', 'unknown'],
  );
});

test('the bars of a chart add up, those of two charts narrow down, and a second click takes one back', () => {
  const { dependencies } = rowsOf(licensed('strong-copyleft', 'weak-copyleft', 'permissive'), texts);
  const names = (filter: Filter): string[] => select(dependencies, filter, undefined).map((it) => it.name);
  const strong = toggled(noFilter, 'classes', 'strong-copyleft');
  assert.deepEqual(names(strong), ['strong-copyleft-0']);
  const both = toggled(strong, 'classes', 'weak-copyleft');
  assert.deepEqual(names(both), ['strong-copyleft-0', 'weak-copyleft-1']);
  assert.deepEqual(names(toggled(both, 'distances', 'patch')), []);
  assert.deepEqual(names(toggled(both, 'classes', 'strong-copyleft')), ['weak-copyleft-1']);
  assert.deepEqual(names({ ...noFilter, search: 'strong copyleft' }), ['strong-copyleft-0']);
});

test('what is ignored or in the baseline has no rating, and the list says so', () => {
  const report = reportOf(['a', 'b']);
  const [first, second] = report.findings;
  assert.ok(first && second);
  const findings = [
    { ...first, known: true },
    { ...second, ignored: { reason: 'not reached' } },
  ];
  const rows = rowsOf({ ...report, findings }, texts);
  for (const list of [rows.findings, rows.dependencies]) {
    assert.deepEqual(
      list.map((it) => [it.severity, it.rating, severityText(it, texts)]),
      [
        ['inBaseline', undefined, 'In the baseline'],
        ['ignored', undefined, 'Ignored'],
      ],
    );
  }
});

test('an update names its version and step, and why it has to be done by hand', () => {
  const update = { version: '2.0.0', kinds: ['default'], step: 'major', notes: [] } as const;
  assert.equal(updateText(update, texts), '2.0.0 · major');
  assert.equal(updateText({ version: 'Hoxton.SR12', kinds: ['default'], notes: [] }, texts), 'Hoxton.SR12');
  assert.equal(
    updateText({ ...update, refused: 'managed by bom 1.0' }, texts),
    '2.0.0 · major, by hand: managed by bom 1.0',
  );
});

test('values are put in the place of their numbers, and are no places themselves', () => {
  assert.equal(fill('{0} of {1}: {2}', '{1}', 2), '{1} of 2: {2}');
});

test('no text ends the data of the page, and only the script of the page may run', () => {
  const page = () => ({ script: 'run()', style: 'p{}' });
  const text = html.write(reportOf(['</script><script>alert(1)</script><!--']), { color: false, tool, page });
  assert.equal(text.match(/<\/script>/g)?.length, 2);
  assert.doesNotMatch(text, /<!--/);
  const hash = (it: string): string => `'sha256-${createHash('sha256').update(it).digest('base64')}'`;
  assert.ok(text.includes(`default-src 'none'; script-src ${hash('run()')}; style-src ${hash('p{}')};`));
});
