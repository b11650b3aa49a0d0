import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* What PyPI has quarantined is malware that is suspected: every door of the terminal says so, first and as an error. */

const service = await startServiceForFile({
  'PYPI a-high': { versions: ['1.0.0', '1.0.1'] },
  'PYPI stolen': { versions: ['1.0.0'], projectStatus: { status: 'quarantined', reason: 'Steals keys' } },
  'PYPI below': { versions: ['1.0.0'], projectStatus: { status: 'quarantined', reason: '' } },
  'PYPI brings': { versions: ['1.0.0'] },
  'PYPI old': { versions: ['1.0.0'], projectStatus: { status: 'archived', reason: 'Use new' } },
  'advisory GHSA-hhhh-hhhh-hhhh': {
    cvss3Score: 9.8,
    affected: [{ system: 'PYPI', name: 'a-high', versions: ['1.0.0'] }],
  },
});

const direct = { 'requirements.txt': 'a-high==1.0.0\nold==1.0.0\nstolen==1.0.0\n' };
const brought = {
  'pyproject.toml': '[project]\ndependencies = ["brings==1.0.0"]\n',
  'poetry.lock':
    '[[package]]\nname = "brings"\nversion = "1.0.0"\n\n[package.dependencies]\nbelow = "1.0.0"\n\n[[package]]\nname = "below"\nversion = "1.0.0"\n',
};

async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = folderWith(files);
  try {
    return await runHere([...args, '--base-url', service.url], folder.path);
  } finally {
    folder.remove();
  }
}

test('it fails every check, and accepting it changes nothing', async () => {
  const ignores = ['malicious', 'pypi:quarantined'].map((id) => ({ id, reason: 'it is ours' }));
  const project = { '.package-insights.json': JSON.stringify({ ignores, severity: { malicious: 'hint' } }) };
  for (const files of [direct, brought]) {
    const { code, error } = await run({ ...files, ...project }, 'check', '--fail-on', 'license');
    assert.equal(code, 1);
    assert.match(error, /^package-insights check: malicious: (?:stolen|brings) 1\.0\.0\n/);
  }
});

test('every format has it first, with its own words', async () => {
  const check = async (format: string) => (await run(direct, 'check', '--format', format)).out;
  for (const format of ['table', 'markdown', 'html']) {
    const out = await check(format);
    assert.match(out, /quarantined/i, format);
    assert.match(out, /Steals keys/, format);
    assert.match(out, /Archived project/, format);
    if (format !== 'html') assert.ok(out.indexOf('stolen') < out.indexOf('a-high'), format);
  }
  const { findings } = JSON.parse(await check('json'));
  assert.deepEqual(
    findings.map((it: { code: string; severity: string }) => [it.code, it.severity]),
    [
      ['malicious', 'error'],
      ['advisory', 'error'],
      ['deprecated', 'warning'],
    ],
  );
  assert.deepEqual(findings[0].advisories[0].id, 'pypi:quarantined');
  assert.equal(findings[0].advisories[0].rating, 'malicious');
  const [{ results, tool }] = JSON.parse(await check('sarif')).runs;
  assert.equal(results[0].ruleId, 'malicious');
  assert.equal(results[0].level, 'error');
  assert.equal(tool.driver.rules[results[0].ruleIndex].properties['security-severity'], '10.0');
  const { vulnerabilities, components } = JSON.parse(await check('cyclonedx'));
  const found = vulnerabilities.find((it: { id: string }) => it.id === 'pypi:quarantined');
  assert.equal(found.ratings[0].severity, 'critical');
  assert.deepEqual(found.affects[0].ref, 'pkg:pypi/stolen@1.0.0');
  const old = components.find((it: { name: string }) => it.name === 'old');
  assert.deepEqual(old.properties, [{ name: 'package-insights:deprecated', value: 'true' }]);
});

test('what is quarantined below a dependency is in every format', async () => {
  for (const format of ['table', 'markdown', 'html', 'json', 'sarif', 'cyclonedx']) {
    const { out } = await run(brought, 'check', '--format', format);
    assert.match(out, /below/, format);
    assert.match(out, /quarantined/, format);
  }
  const { components, vulnerabilities } = JSON.parse((await run(brought, 'check', '--format', 'cyclonedx')).out);
  const below = components.find((it: { name: string }) => it.name === 'below');
  assert.deepEqual(below.properties, [{ name: 'package-insights:malicious', value: 'true' }]);
  assert.equal(vulnerabilities[0].affects[0].ref, below['bom-ref']);
  assert.equal(vulnerabilities[0].ratings[0].severity, 'critical');
});

test('where nothing counts, each format ends with exit code 0, and names it first', async () => {
  for (const format of ['table', 'markdown', 'html', 'json', 'sarif', 'cyclonedx']) {
    for (const files of [direct, brought]) {
      const { code, error } = await run(files, 'check', '--format', format, '--fail-on', 'none');
      assert.equal(code, 0, format);
      assert.match(error, /^package-insights check: malicious: (?:stolen|brings) 1\.0\.0\n/, format);
    }
  }
});

test('a lookup says it', async () => {
  const { out } = await run({}, 'lookup', 'pkg:pypi/stolen@1.0.0', 'pkg:pypi/old@1.0.0');
  assert.match(out, /Malware suspected: quarantined by PyPI/);
  assert.match(out, /Archived project: Use new/);
});

test('a fleet finds it', async () => {
  const files = { 'list.txt': 'zoo\n', 'zoo/requirements.txt': direct['requirements.txt'] };
  const { code, error } = await run(files, 'fleet', 'list.txt', '--fail-on', 'none');
  assert.equal(code, 0, error);
  assert.match(error, /malicious: stolen 1\.0\.0 \(zoo\)\n/);
  const accepting = {
    ignores: ['malicious', 'pypi:quarantined'].map((id) => ({ id, reason: 'it is ours' })),
    severity: { malicious: 'hint' },
  };
  const accepted = { ...files, 'zoo/.package-insights.json': JSON.stringify(accepting) };
  const ran = await run(accepted, 'fleet', 'list.txt', '--fail-on', 'license');
  assert.equal(ran.code, 1, ran.error);
  assert.match(ran.error, /malicious: stolen 1\.0\.0 \(zoo\)\n/);
});
