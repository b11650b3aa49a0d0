import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import type { InlineCatalog } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Malware fails every check, and comes first in every report. Its records never have a score. */

const catalog: InlineCatalog = {
  'NPM a-safe': { versions: ['1.0.0'] },
  'NPM a-high': { versions: ['1.0.0', '1.0.1'] },
  'NPM stolen': { versions: ['1.0.0', '1.0.1'] },
  'NPM below': { versions: ['1.0.0'] },
  'advisory GHSA-hhhh-hhhh-hhhh': {
    cvss3Score: 9.8,
    affected: [{ system: 'NPM', name: 'a-high', versions: ['1.0.0'] }],
  },
  'advisory GHSA-mmmm-mmmm-mmmm': {
    aliases: ['MAL-2026-1'],
    affected: [{ system: 'NPM', name: 'stolen', versions: ['1.0.1'] }],
  },
  'advisory MAL-2026-2': { affected: [{ system: 'NPM', name: 'below', versions: ['1.0.0'] }] },
};
const managed = (version: string) => ({
  requirements: { maven: { dependencyManagement: [{ name: 'org.cat:core', version }] } },
});
const managing: InlineCatalog = {
  'MAVEN org.boot:boot': { versions: { '2.7.0': managed('9.0.1'), '2.7.1': { isDefault: true, ...managed('9.0.2') } } },
  'MAVEN org.cat:core': { versions: ['9.0.1', '9.0.2'] },
  'advisory GHSA-bbbb-bbbb-bbbb': {
    cvss3Score: 7.5,
    affected: [{ system: 'MAVEN', name: 'org.boot:boot', versions: ['2.7.0'] }],
  },
};
const service = await startServiceForFile({ ...catalog, ...managing });

const direct = '{ "dependencies": {\n"a-high": "1.0.0",\n"stolen": "1.0.1" } }';
const brought = {
  'package.json': '{ "dependencies": { "a-safe": "1.0.0" } }',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { 'a-safe': '1.0.0' } },
      'node_modules/a-safe': { version: '1.0.0', dependencies: { below: '1.0.0' } },
      'node_modules/below': { version: '1.0.0' },
    },
  }),
};
const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a dependency': { 'package.json': direct },
  'what a dependency brings': brought,
};
const accepting = JSON.stringify({
  ignores: ['MAL-2026-1', 'GHSA-mmmm-mmmm-mmmm', 'MAL-2026-2', 'malicious', 'advisory-below'].map((id) => ({
    id,
    reason: 'it is fine',
  })),
});

async function check(files: Readonly<Record<string, string>>, ...runs: readonly (readonly string[])[]) {
  const folder = folderWith(files);
  try {
    let last: Awaited<ReturnType<typeof runHere>> = { code: -1, out: '', error: '' };
    for (const it of runs) last = await runHere(['check', ...it], folder.path, { baseUrl: service.url });
    return last;
  } finally {
    folder.remove();
  }
}

for (const [name, files] of Object.entries(shapes)) {
  test(`${name} that is malware fails a check, whatever counts and is accepted`, async () => {
    for (const failOn of ['advisory:critical', 'license', 'advisory:high,withheld:off', 'advisory-below']) {
      const { code } = await check({ ...files, '.package-insights.json': accepting }, ['--fail-on', failOn]);
      assert.equal(code, 1, failOn);
    }
    const known = ['--baseline', 'known.json'];
    assert.equal((await check(files, [...known, '--write-baseline'])).code, 1);
    assert.equal((await check(files, [...known, '--write-baseline'], known)).code, 1);
    const { code, out, error } = await check(files, ['--fail-on', 'none']);
    assert.equal(code, 0);
    assert.match(error, /^package-insights check: malicious: (?:stolen 1\.0\.1|a-safe 1\.0\.0)\n/);
    assert.match(out, /^(?:stolen|a-safe) .* malicious/);
  });
}

test('every format has it first and above critical', async () => {
  const json = async (format: string) =>
    JSON.parse((await check({ 'package.json': direct }, ['--format', format])).out);
  const { findings } = await json('json');
  assert.deepEqual(
    findings.map((it: { code: string; severity: string; advisories: { rating: string }[] }) => [
      it.code,
      it.severity,
      it.advisories[0]?.rating,
    ]),
    [
      ['malicious', 'error', 'malicious'],
      ['advisory', 'error', 'critical'],
    ],
  );
  const [{ results, tool }] = (await json('sarif')).runs;
  assert.equal(results[0].ruleId, 'malicious');
  assert.equal(tool.driver.rules[results[0].ruleIndex].properties['security-severity'], '10.0');
  const { vulnerabilities } = await json('cyclonedx');
  const [rating] = vulnerabilities.find((it: { id: string }) => it.id === 'GHSA-mmmm-mmmm-mmmm').ratings;
  assert.equal(rating.severity, 'critical');
  const { out } = await check({ 'package.json': direct }, ['--format', 'markdown']);
  assert.ok(out.indexOf('stolen') < out.indexOf('a-high'), out);
});

test('a project file cannot lower it', async () => {
  const project = '{ "severity": { "malicious": "hint" } }';
  const { code, error } = await check({ 'package.json': direct, '.package-insights.json': project }, []);
  assert.equal(code, 1);
  assert.match(error, /malicious/);
});

test('--fix moves no parent that makes malware of what a module has', async () => {
  const parent = (version: string): string =>
    `<project><parent><groupId>org.boot</groupId><artifactId>boot</artifactId><version>${version}</version><relativePath/></parent>
<groupId>app</groupId><artifactId>app</artifactId><version>1</version><packaging>pom</packaging><modules><module>core</module></modules></project>`;
  const files = {
    'pom.xml': parent('2.7.0'),
    'core/pom.xml': `<project><parent><groupId>app</groupId><artifactId>app</artifactId><version>1</version></parent>
<artifactId>x</artifactId><dependencies><dependency><groupId>org.cat</groupId><artifactId>core</artifactId></dependency></dependencies></project>`,
  };
  const stolen = { affected: [{ system: 'MAVEN', name: 'org.cat:core', versions: ['9.0.2'] }] } as const;
  const infected = await startServiceForFile({ ...managing, 'advisory MAL-2026-3': stolen });
  for (const [url, expected] of [
    [service.url, '2.7.1'],
    [infected.url, '2.7.0'],
  ] as const) {
    const folder = folderWith(files);
    try {
      await runHere(['check', '--fix', '--fail-on', 'none'], folder.path, { baseUrl: url });
      assert.equal(readFileSync(join(folder.path, 'pom.xml'), 'utf8'), parent(expected));
    } finally {
      folder.remove();
    }
  }
});
