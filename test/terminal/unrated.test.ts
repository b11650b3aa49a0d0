import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Advisories without a rating count for checks as configured, by default as high. */

const service = await startServiceForFile({
  'NPM silent': { versions: ['1.0.0', '1.0.1'] },
  'advisory GHSA-uuuu-uuuu-uuuu': { affected: [{ system: 'NPM', name: 'silent', versions: ['1.0.0'] }] },
});

const manifest = { 'package.json': '{ "dependencies": { "silent": "1.0.0" } }' };
const says = (level: string) => ({ '.package-insights.json': `{ "unratedCountsAs": "${level}" }` });
const machine = (level: string) => ({ PACKAGE_INSIGHTS_UNRATED: level });

async function check(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const folder = folderWith({ ...manifest, ...files });
  try {
    return await runHere(['check', ...args], folder.path, { baseUrl: service.url, environment });
  } finally {
    folder.remove();
  }
}

/** What fails with a level, and passes with the next higher one. */
const rows: readonly (readonly [
  text: string,
  level: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
])[] = [
  ['nothing', 'high', {}, []],
  ['the option', 'low', {}, ['--unrated', 'low']],
  ['the option', 'critical', {}, ['--unrated', 'critical']],
  ['the project file', 'medium', says('medium'), []],
  ['the project file', 'critical', says('critical'), []],
  ['the machine', 'low', {}, [], machine('low')],
  ['the machine, with a looser project file', 'high', says('low'), [], machine('high')],
  ['the machine, with a stricter project file', 'critical', says('critical'), [], machine('medium')],
  ['the option, before both', 'low', says('high'), ['--unrated', 'low'], machine('critical')],
];
const levels = ['low', 'medium', 'high', 'critical'];

for (const [text, level, files, args, environment] of rows) {
  test(`what is unrated counts as ${level}: ${text}`, async () => {
    for (const gate of levels) {
      const { code, out } = await check(files, ['--fail-on', `advisory:${gate}`, ...args], environment);
      assert.equal(code, levels.indexOf(gate) <= levels.indexOf(level) ? 1 : 0, gate);
      assert.match(out, /^silent 1\.0\.0 {2}unrated /, 'what is shown stays');
    }
  });
}

test('manifests of several project files: the strictest', async () => {
  const folder = folderWith({
    'a/package.json': manifest['package.json'],
    'a/.package-insights.json': says('low')['.package-insights.json'],
    'b/package.json': '{}',
  });
  const run = (...args: readonly string[]) =>
    runHere(['check', '--fail-on', 'advisory:high', ...args], folder.path, { baseUrl: service.url });
  try {
    assert.equal((await run('a')).code, 0);
    assert.equal((await run('.')).code, 1);
  } finally {
    folder.remove();
  }
});

test('unknown levels are refused', async () => {
  const option = await check({}, ['--unrated', 'hihg']);
  assert.equal(option.code, 2);
  assert.match(option.error, /--unrated requires one of critical, high, medium, low, not “hihg”; did you mean high\?/);
  const variable = await check({}, [], machine('severe'));
  assert.equal(variable.code, 2);
  assert.match(variable.error, /PACKAGE_INSIGHTS_UNRATED requires one of critical, high, medium, low, not “severe”/);
  const project = await check(says('unrated'), []);
  assert.match(project.error, /This should be one of critical, high, medium, low\./);
});

test('a fleet counts as a check does, and no repository loosens that', async () => {
  const folder = folderWith({
    'list.txt': 'one\n',
    'one/package.json': manifest['package.json'],
    'one/.package-insights.json': says('low')['.package-insights.json'],
  });
  const run = (...args: readonly string[]) =>
    runHere(['fleet', 'list.txt', '--base-url', service.url, '--fail-on', 'advisory:high', ...args], folder.path);
  const report = async () => {
    const args = ['fleet', 'report', '--package', 'npm:silent', '--format', 'json'];
    return JSON.parse((await runHere(args, folder.path)).out);
  };
  try {
    await run();
    assert.equal((await report()).rows[0].counts, true);
    await run('--unrated', 'medium');
    assert.equal((await report()).rows[0].counts, false);
  } finally {
    folder.remove();
  }
});
