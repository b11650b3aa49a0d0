import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marked, type Token, type Tokens } from 'marked';
import { MAX_LENGTH, markdown } from '../../../server/src/engine/report/formats/markdown.ts';
import type { Report } from '../../../server/src/engine/report/report.ts';
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

test('a text notifies no account, refers to no issue, and is no link, image or element', () => {
  const hostile = [
    '@octocat',
    '@acme/core',
    'a@evil.example',
    '#12',
    'https://evil.example/a',
    'examplewww.evil.example',
    '![x](https://tracker.example/a.png)',
    '<img src=x>',
    'x | y',
  ];
  const text = write(reportOf(hostile));
  const links: string[] = [];
  const texts: string[] = [];
  const others: string[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const it of tokens) {
      if (it.type === 'link') links.push(it.href);
      if (it.type === 'image') others.push(it.raw);
      // The comments that split names.
      if (it.type === 'html' && it.raw !== '<!-- -->') others.push(it.raw);
      if (it.type === 'table')
        for (const cell of (it as Tokens.Table).rows.flat()) {
          assert.equal((it as Tokens.Table).header.length, 5);
          walk(cell.tokens);
        }
      else if ('tokens' in it && it.tokens) walk(it.tokens);
      else texts.push(it.raw);
    }
  };
  walk(new Marked().lexer(text));
  assert.deepEqual(others, []);
  assert.deepEqual(
    links.filter((it) => !/^https:\/\/(?:osv\.dev|insights\.example)\//.test(it)),
    [],
  );
  // Each piece is a text of its own in the page.
  const seen = texts.map((it) =>
    it.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).replace(/\\(.)/g, '$1'),
  );
  assert.deepEqual(
    seen.filter((it) => /@[\w-]|#\d/.test(it)),
    [],
  );
  assert.ok(rowsIn(text).length === hostile.length, text);
});
