import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { figuresOf } from '../../client/report-page/figures.ts';
import { fill, findingOf, noFilter, rowsOf, select } from '../../client/report-page/rows.ts';
import { html } from '../../server/src/report/formats/html.ts';
import { pageTexts } from '../../server/src/report/formats/page-texts.ts';
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
    message: 'b 1.1.0 has 1 known advisory',
    target: '2.0.0',
    line: 2,
  });
});

test('a row of a dependency that was not looked up says so, and does not count as clean', () => {
  const report = reportOf(['a', 'b']);
  const gap = 'Not looked up: it comes from the registry npm.inside.example';
  const projects = report.projects.map((it) => ({
    ...it,
    dependencies: it.dependencies.map((one) => ({ ...one, gap })),
  }));
  const { dependencies } = rowsOf({ ...report, projects, findings: report.findings.slice(0, 1) }, texts);
  assert.deepEqual(
    dependencies.map((it) => it.severity),
    ['error', 'gap'],
  );
  assert.equal(dependencies[1]?.message, gap);
  assert.equal(select(dependencies, { ...noFilter, severity: 'none' }, undefined).length, 0);
  assert.equal(select(dependencies, { ...noFilter, search: 'inside.example' }, undefined).length, 1);
});

test('the cell of a finding leaves out what other columns say', () => {
  const [row] = rowsOf(reportOf(['b']), texts).findings;
  assert.ok(row);
  const cell = (message: string): string => findingOf({ ...row, name: 'polly', version: '8.0', message });
  assert.equal(cell('Polly 8.0 has 1 known advisory: X'), 'has 1 known advisory: X');
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
  assert.deepEqual(names(noFilter, { key: 'severity', descending: false }), ['b', 'c', 'a']);
  assert.deepEqual(names({ ...noFilter, severity: 'warning' }, undefined), ['a']);
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

test('charts count severities, licenses and ages', () => {
  const [severities, licenses, ages] = figuresOf(reportOf(['a', 'b', 'c', 'd']), texts).map((it) =>
    it.bars.filter((bar) => bar.count > 0).map((bar) => `${bar.label} ${bar.count}`),
  );
  assert.deepEqual(severities, ['Error 2', 'Warning 2']);
  assert.deepEqual(licenses, ['MIT 1', 'c 1', 'Unknown 2']);
  assert.deepEqual(ages, ['Under 6 months 2', '6 to 12 months 2']);
});

test('what is ignored or in the baseline is in no chart, and the list says so', () => {
  const report = reportOf(['a', 'b']);
  const [first, second] = report.findings;
  assert.ok(first && second);
  const findings = [
    { ...first, known: true },
    { ...second, ignored: { reason: 'not reached' } },
  ];
  const [severities] = figuresOf({ ...report, findings }, texts);
  assert.ok(severities?.bars.every((it) => it.count === 0));
  const rows = rowsOf({ ...report, findings }, texts);
  for (const list of [rows.findings, rows.dependencies]) {
    assert.deepEqual(
      list.map((it) => it.severity),
      ['inBaseline', 'ignored'],
    );
  }
});

test('many licenses are shown as the most frequent ones and the others', () => {
  const names = Array.from({ length: 60 }, (_, at) => `license ${at}`);
  const [, licenses] = figuresOf(reportOf(names), texts);
  assert.equal(licenses?.bars.length, 9);
  assert.equal(
    licenses?.bars.reduce((sum, it) => sum + it.count, 0),
    60,
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
