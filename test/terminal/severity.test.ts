import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import type { InlineCatalog } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Every door and format says the same of how bad an advisory is, whatever it is rated by. */

const rated = {
  'a-word': { severity: 'CRITICAL' },
  'b-four': { cvss4Score: 8.8, cvss4Vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:N/SC:N/SI:N/SA:N' },
  'c-exploited': { cvss3Score: 7.1, cvss3Vector: 'CVSS:3.1/AV:N/AC:H', knownExploited: true },
  'd-both': { cvss3Score: 5.4, cvss3Vector: 'CVSS:3.1/AV:N', cvss4Score: 9.9, cvss4Vector: 'CVSS:4.0/AV:N' },
  'e-none': {},
} as const;
const names = Object.keys(rated);
const idOf = (name: string) => `GHSA-${name}`;

const catalog: InlineCatalog = Object.fromEntries(
  Object.entries(rated).flatMap(([name, severity]) => [
    [`NPM ${name}`, { versions: ['1.0.0'] }],
    [`advisory ${idOf(name)}`, { ...severity, affected: [{ system: 'NPM', name, versions: ['1.0.0'] }] }],
  ]),
);
const service = await startServiceForFile(catalog);
const folder = folderWith({
  'package.json': JSON.stringify({ dependencies: Object.fromEntries(names.map((it) => [it, '1.0.0'])) }),
});
after(() => folder.remove());

const run = async (...args: readonly string[]) =>
  (await runHere(['check', ...args], folder.path, { baseUrl: service.url })).out;
const json = async (format: string) => JSON.parse(await run('--format', format));

/** Worst first: of one level what is exploited, whatever the scores are. */
const order = ['a-word', 'c-exploited', 'b-four', 'd-both', 'e-none'];
const texts = ['critical', 'high 7.1, exploited', 'high 8.8', 'medium 5.4', 'unrated'];

test('the table', async () => {
  const heads = [...(await run()).matchAll(/^(\S+) 1\.0\.0 {2}(.*?) {2}1 vulnerability/gm)];
  assert.deepEqual(
    heads.map(([, name, severity]) => [name, severity]),
    order.map((name, at) => [name, texts[at]]),
  );
});

test('Markdown', async () => {
  const text = await run('--format', 'markdown');
  const cells = [...text.matchAll(/\| (\S+) 1\.0\.0 \| (.*?): \[/g)];
  assert.deepEqual(
    cells.map(([, name, cell]) => [name, cell?.replace(/ · .*$/, '')]),
    order.map((name, at) => [name, texts[at]]),
  );
});

test('JSON', async () => {
  const { findings } = await json('json');
  const found = new Map(findings.map((it: { name: string }) => [it.name, it]));
  assert.deepEqual(
    names.map((it) => {
      const { severity, advisories } = found.get(it) as {
        severity: string;
        advisories: { rating: string; score?: number; vector?: string; exploited?: boolean }[];
      };
      const [{ rating, score, vector, exploited }] = advisories as [(typeof advisories)[0]];
      return [severity, rating, score, vector?.slice(0, 8), exploited];
    }),
    [
      ['error', 'critical', undefined, undefined, undefined],
      ['error', 'high', 8.8, 'CVSS:4.0', undefined],
      ['error', 'high', 7.1, 'CVSS:3.1', true],
      ['warning', 'medium', 5.4, 'CVSS:3.1', undefined],
      ['warning', 'unrated', undefined, undefined, undefined],
    ],
  );
});

test('SARIF', async () => {
  const [{ results, tool }] = (await json('sarif')).runs;
  const found = new Map(results.map((it: { properties: { package: string } }) => [it.properties.package, it]));
  assert.deepEqual(
    names.map((it) => {
      const { ruleIndex, level, properties } = found.get(it) as {
        ruleIndex: number;
        level: string;
        properties: { exploited?: boolean };
      };
      const rule = tool.driver.rules[ruleIndex];
      return [level, rule.id, rule.properties['security-severity'], properties.exploited];
    }),
    [
      ['error', 'advisory/critical', '9.0', undefined],
      ['error', 'advisory/high', '7.0', undefined],
      ['error', 'advisory/high', '7.0', true],
      ['warning', 'advisory/medium', '4.0', undefined],
      ['warning', 'advisory', undefined, undefined],
    ],
  );
});

test('CycloneDX', async () => {
  const { vulnerabilities } = await json('cyclonedx');
  const found = new Map(vulnerabilities.map((it: { id: string }) => [it.id, it]));
  assert.deepEqual(
    names.map((it) => {
      const { ratings, properties } = found.get(idOf(it)) as {
        ratings: { severity: string; score?: number; method?: string }[];
        properties?: readonly object[];
      };
      const [{ severity, score, method }] = ratings as [(typeof ratings)[0]];
      return [severity, score, method, properties];
    }),
    [
      ['critical', undefined, undefined, undefined],
      ['high', 8.8, 'CVSSv4', undefined],
      ['high', 7.1, 'CVSSv31', [{ name: 'package-insights:exploited', value: 'true' }]],
      ['medium', 5.4, 'CVSSv31', undefined],
      ['unknown', undefined, undefined, undefined],
    ],
  );
});

test('lookup', async () => {
  for (const [at, name] of order.entries()) {
    const { out } = await runHere(['lookup', `pkg:npm/${name}@1.0.0`], folder.path, { baseUrl: service.url });
    assert.match(out, new RegExp(`${idOf(name)}, ${texts[at]}$`, 'm'));
  }
});

test('--fail-on', async () => {
  for (const [gate, counting] of [
    ['critical', ['a-word']],
    ['high', ['a-word', 'b-four', 'c-exploited', 'e-none']],
    ['medium', names],
  ] as const) {
    const { findings } = JSON.parse(await run('--format', 'json', '--fail-on', `advisory:${gate}`));
    const counted = findings.filter((it: { counts: boolean }) => it.counts).map((it: { name: string }) => it.name);
    assert.deepEqual(counted.sort(), counting, gate);
  }
});
