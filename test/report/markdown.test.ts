import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LENGTH, markdown } from '../../server/src/report/formats/markdown.ts';
import type { Report } from '../../server/src/report/report.ts';
import { reportOf, tool } from './reports.ts';

const write = (report: Report): string =>
  markdown.write(report, { color: false, tool, page: () => ({ script: '', style: '' }) });
const rowsIn = (text: string): string[] =>
  text.split('\n').filter((it) => it.startsWith('| 🔴') || it.startsWith('| 🟠'));
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `package-${at}`);

test('what fits is shown whole', () => {
  const text = write(reportOf(names(50)));
  assert.equal(rowsIn(text).length, 50);
  assert.doesNotMatch(text, /not shown/);
});

test('a comment has at most the characters that GitHub allows, ends at a row, and counts the rest', () => {
  const text = write(reportOf(names(2000)));
  assert.ok(text.length <= MAX_LENGTH && text.length > MAX_LENGTH * 0.9, `${text.length}`);
  const rows = rowsIn(text);
  for (const it of rows) assert.match(it, /\| `app\/package\.json:\d+` \|$/);
  const left = Number(/\*\*(\d+) more packages with findings not shown/.exec(text)?.[1]);
  assert.equal(rows.length + left, 2000);
  assert.match(text, /checked: 2000 findings \(1000 errors, 1000 warnings\)/m);
});

test('the worst are kept', () => {
  const rows = rowsIn(write(reportOf(names(2000))));
  assert.ok(
    rows.every((it) => it.startsWith('| 🔴')),
    'errors before warnings',
  );
});

test('gaps are counted, too, and leave room for findings', () => {
  const unread = Array.from({ length: 3000 }, (_, at) => `a/long/path/to/a/folder/that/is/closed-${at}/pom.xml`);
  const text = write({ ...reportOf(names(500)), unread });
  assert.ok(text.length <= MAX_LENGTH, `${text.length}`);
  const shown = text.split('\n').filter((it) => it.startsWith('- ')).length;
  assert.ok(rowsIn(text).length > 100 && shown > 10);
  assert.equal(shown + Number(/\*\*(\d+) more notes not shown/.exec(text)?.[1]), 3000);
});

test('a package in many places is one row, with the places counted', () => {
  const report = reportOf(['lodash']);
  const findings = Array.from({ length: 9 }, (_, at) =>
    report.findings.map((it) => ({ ...it, path: `p${at}/package.json` })),
  );
  const [row, ...others] = rowsIn(write({ ...report, findings: findings.flat() }));
  assert.deepEqual(others, []);
  assert.match(row ?? '', /`p4\/package\.json:1`, 4 more \|$/);
});
