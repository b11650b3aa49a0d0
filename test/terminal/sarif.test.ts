import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from 'sarif';
import { sarif } from '../../server/src/engine/report/formats/sarif.ts';
import type { Report, ReportedFinding } from '../../server/src/engine/report/report.ts';
import { wholeCoverage } from '../engine/report/reports.ts';

const finding: ReportedFinding = {
  code: 'advisory',
  severity: 'error',
  message: 'a 1.0: 1 known vulnerability, high 7.4.',
  subject: 'a 1.0',
  summary: '1 known vulnerability, high 7.4.',
  path: 'a folder/ümlaut#1/package.json',
  region: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 8 },
  system: 'NPM',
  name: 'a',
  version: '1.0',
  advisories: [{ id: 'X', aliases: [], title: '', url: '', rating: 'high', score: 7.4 }],
  fixes: [],
  fingerprint: 'f',
  counts: true,
  known: false,
};

function log(
  findings: readonly ReportedFinding[],
  failures: Report['failures'] = [],
  withheld: Report['withheld'] = [],
  unclear: Report['unclear'] = [],
): Log {
  const tool = { name: 'package-insights', version: '1.0.0' };
  const looked = { manifests: 1, dependencies: 1, at: '', projects: [], packages: [], unchecked: [] };
  const coverage = {
    ...wholeCoverage,
    withheld: withheld.reduce((sum, it) => sum + it.count, 0),
    unclear: unclear.length,
  };
  const report: Report = { ...looked, coverage, findings, failures, withheld, unclear, unread: [] };
  return JSON.parse(sarif.write(report, { color: false, tool, page: () => ({ script: '', style: '' }) }));
}

/* What the standard demands of what is written here; the paragraphs are those of SARIF 2.1.0. */

test('every result names a rule by its place and by its id (3.27.5, 3.27.6), and has a message and a location', () => {
  const [run] = log([
    finding,
    { ...finding, advisories: [], code: 'deprecated' },
    { ...finding, advisories: finding.advisories.map(({ score: _, ...it }) => ({ ...it, rating: 'unrated' })) },
  ]).runs;
  assert.deepEqual(
    run?.results?.map((it) => it.ruleId),
    ['advisory/high', 'deprecated', 'advisory'],
  );
  const ids = run?.tool.driver.rules?.map((it) => it.id) ?? [];
  assert.equal(new Set(ids).size, ids.length, 'no two rules have one id');
  for (const it of run?.results ?? []) {
    assert.equal(ids[it.ruleIndex ?? -1], it.ruleId);
    assert.ok(it.message.text);
    assert.equal(it.locations?.length, 1);
  }
});

test('addresses are valid relative references whose base is named (3.4.3, 3.4.4)', () => {
  const [run] = log([finding]).runs;
  const location = run?.results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation;
  assert.equal(location?.uri, 'a%20folder/%C3%BCmlaut%231/package.json');
  assert.ok(location?.uriBaseId && run?.originalUriBaseIds?.[location.uriBaseId]);
});

test('a fix replaces regions of the files it names (3.55)', () => {
  const region = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
  const edits = ['a', 'b', 'a'].map((path, at) => ({ path, region, newText: `${at}` }));
  const fixes = [
    { version: '2', why: 'default', kinds: ['default'], fixed: 1, notes: [], edits, flaw: 'deprecated' },
    { version: '3', why: 'nearest', kinds: ['safe'], fixed: 1, notes: [], edits: [], refused: 'pinned by hash' },
  ] as const;
  const result = log([{ ...finding, fixes }]).runs[0]?.results?.[0];
  assert.equal(result?.fixes?.length, 1, 'what cannot be done is no fix');
  const [fix] = result?.fixes ?? [];
  assert.equal(fix?.description?.text, 'Update a to 2 (latest; deprecated)');
  assert.deepEqual(
    fix?.artifactChanges.map((it) => [it.artifactLocation.uri, it.replacements.map((to) => to.insertedContent?.text)]),
    [
      ['a', ['0', '2']],
      ['b', ['1']],
    ],
  );
});

test('a failed lookup makes the run unsuccessful (3.20.14, 3.20.21)', () => {
  assert.equal(log([]).runs[0]?.invocations?.[0]?.executionSuccessful, true);
  const [invocation] = log([], [{ reason: 'connection refused', count: 2 }]).runs[0]?.invocations ?? [];
  assert.equal(invocation?.executionSuccessful, false);
  const [notification] = invocation?.toolExecutionNotifications ?? [];
  assert.equal(notification?.message.text, '2 lookups failed: connection refused');
});

test('what stays private is told of, and the run was not whole (3.20.14, 3.20.21, 3.58.6)', () => {
  const [invocation] =
    log([], [], [{ origin: 'the registry npm.inside.example (.npmrc)', count: 2 }]).runs[0]?.invocations ?? [];
  assert.equal(invocation?.executionSuccessful, false);
  assert.deepEqual(invocation?.toolExecutionNotifications?.slice(0, 1), [
    {
      level: 'warning',
      message: {
        text: 'not looked up to keep names private: 2 dependencies from the registry npm.inside.example (.npmrc)',
      },
    },
  ]);
});

test('a manifest that is understood in part alone is named where it breaks off (3.58.3, 3.58.6)', () => {
  const [invocation] = log([], [], [], [{ path: 'a b/pom.xml', line: 12 }]).runs[0]?.invocations ?? [];
  assert.equal(invocation?.executionSuccessful, false);
  const [notification] = invocation?.toolExecutionNotifications ?? [];
  assert.equal(notification?.level, 'warning');
  assert.match(notification.message.text ?? '', /^a b\/pom\.xml:12: partly understood/);
  const { artifactLocation, region } = notification.locations?.[0]?.physicalLocation ?? {};
  assert.deepEqual([artifactLocation?.uri, region], ['a%20b/pom.xml', { startLine: 12 }]);
});

test('what the baseline has is suppressed (3.35), all else is not', () => {
  const results = log([finding, { ...finding, known: true }]).runs[0]?.results;
  assert.deepEqual(
    results?.map((it) => it.suppressions?.[0]?.kind),
    [undefined, 'external'],
  );
});

test('a result names the package once, and lists the advisories after the answer', () => {
  const textOf = (count: number): string | undefined => {
    const advisories = Array.from({ length: count }, (_, at) => ({
      ...({ id: `X-${at}`, aliases: [], title: at === 0 ? 'Odd' : '', url: '', rating: 'high', score: 7 } as const),
    }));
    return log([{ ...finding, message: 'a 1.0: Fixed in 2.0.', advisories }]).runs[0]?.results?.[0]?.message.text;
  };
  assert.equal(textOf(1), 'a 1.0: Fixed in 2.0. X-0: Odd');
  assert.equal(textOf(2), 'a 1.0: Fixed in 2.0. X-0 high 7.0: Odd; X-1 high 7.0');
  assert.match(textOf(12) ?? '', /; X-9 high 7\.0; 2 more$/);
});

test('a text of a package is no link: brackets of a plain message are escaped (3.11.6)', () => {
  const edits = [{ path: 'a', region: finding.region, newText: '2' }];
  const fix = { version: '2', why: 'default', kinds: ['default'], fixed: 0, notes: [], edits, flaw: '[x](0)' } as const;
  const evil = 'see [here](https://evil.example) \\[and](1) [1.0,2.0)';
  const [run] = log(
    [{ ...finding, message: evil, advisories: [], fixes: [fix] }],
    [{ count: 1, reason: '[why](0)' }],
    [{ count: 1, origin: '[where](0)' }],
    [{ path: '[a](0)', line: 1 }],
  ).runs;
  const [result] = run?.results ?? [];
  const notes = run?.invocations?.[0]?.toolExecutionNotifications ?? [];
  assert.equal(result?.message.text, 'see \\[here\\](https://evil.example) \\\\\\[and\\](1) \\[1.0,2.0)');
  const texts = [result?.message, result?.fixes?.[0]?.description, ...notes.map((it) => it.message)];
  assert.ok(texts.length >= 5);
  for (const it of texts) assert.doesNotMatch(it?.text?.replace(/\\./g, '') ?? assert.fail(), /[[\]]/);
});

test('invisible characters and heaps of marks do not get into a message', () => {
  const [run] = log([{ ...finding, advisories: [], message: `M\u3164IT${'\u0301'.repeat(50)}\ufe0f` }]).runs;
  assert.equal(run?.results?.[0]?.message.text, `M\ufffdIT${'\u0301'.repeat(4)}`);
});
