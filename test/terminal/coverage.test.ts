import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* What was not looked up, as each format for programs says it; what people read stands in pictures/incomplete.txt. */

const service = await startServiceForFile({ 'NPM known': { versions: ['1.0.0'] } });
const folder = folderWith({
  'private/package.json': '{ "dependencies": { "@ours/a": "1.0.0", "@ours/b": "1.0.0" } }',
  'private/.npmrc': '@ours:registry=https://npm.ours.example/\n',
  'variable/package.json': '{ "dependencies": { "@ours/a": "1.0.0" } }',
  'variable/.npmrc': '# ours\n@ours:registry=https://${NPM_HOST}/\n',
  'clean/package.json': '{ "dependencies": { "known": "1.0.0", "near": "file:../near" } }',
  'broken/package.json': '{ "dependencies": { "known": "1.0.0" "',
  'demanding/package.json': '{ "dependencies": { "known": "1.0.0" "',
  'demanding/.package-insights.json': '{ "failOn": ["unclear"] }',
});
after(() => folder.remove());

const check = (...args: readonly string[]) => runHere(['check', ...args], folder.path, { baseUrl: service.url });
const read = async (format: string, path: string) => JSON.parse((await check(path, '--format', format)).out);

test('SARIF says that a run was not whole, and why', async () => {
  const [{ invocations }] = (await read('sarif', 'private')).runs;
  assert.equal(invocations[0].executionSuccessful, false);
  assert.match(
    invocations[0].toolExecutionNotifications.at(-1).message.text,
    /^Incomplete: 0 of 2 dependencies in 1 manifest checked, no findings\. Not checked: 2 private$/,
  );
  const [{ invocations: clean }] = (await read('sarif', 'clean')).runs;
  assert.deepEqual(clean, [{ executionSuccessful: true, toolExecutionNotifications: [] }]);
});

test('CycloneDX says that what the projects depend on is not all there is, and counts it', async () => {
  const { compositions, metadata } = await read('cyclonedx', 'private');
  assert.deepEqual(compositions, [
    { aggregate: 'incomplete', dependencies: ['workspace', 'project:private/package.json'] },
  ]);
  const counted = Object.fromEntries(
    metadata.properties.map((it: { name: string; value: string }) => Object.values(it)),
  );
  assert.equal(counted['package-insights:coverage:withheld'], '2');
  assert.equal(counted['package-insights:coverage:lookedUp'], '0');
});

test('what comes from a folder is not expected to be looked up', async () => {
  const { coverage } = await read('json', 'clean');
  assert.deepEqual([coverage.total, coverage.lookedUp], [1, 1]);
  assert.equal((await check('clean')).out, '1 dependency in 1 manifest checked: no findings\n');
});

test('the page of a report begins with what was not looked up', async () => {
  assert.match(
    (await check('private', '--format', 'html')).out,
    /"coverage":\{"text":"Incomplete: 0 of 2 dependencies in 1 manifest checked\. Not checked: 2 private/,
  );
});

test('packages of others that git tracks are counted as left out, by every format', async () => {
  const own = folderWith({
    'package.json': '{ "dependencies": { "known": "1.0.0" } }',
    'vendor/a/package.json': '{}',
    '.gitignore': '*.json\n',
  });
  try {
    execFileSync('git', ['init'], { cwd: own.path, stdio: 'ignore' });
    execFileSync('git', ['add', '--force', '.'], { cwd: own.path });
    const run = (...args: readonly string[]) => runHere(['check', ...args], own.path, { baseUrl: service.url });
    assert.match((await run()).out, /skipped: 1/);
    assert.equal(JSON.parse((await run('--format', 'json')).out).coverage.leftOut, 1);
    for (const format of ['markdown', 'html', 'sarif']) assert.match((await run('--format', format)).out, /skipped: 1/);
  } finally {
    own.remove();
  }
});

test('what is beyond a limit counts as not checked', async () => {
  const own = folderWith({
    'long/package.json': `{ "dependencies": { "known": "1.0.0 || ${'1'.repeat(1000)}" } }`,
    'many/requirements.txt': Array.from({ length: 210 }, (_, at) => `-r lists/${at}.list\n`).join(''),
    ...Object.fromEntries(Array.from({ length: 210 }, (_, at) => [`many/lists/${at}.list`, ''])),
    'included/requirements.txt': '-r one.list\n',
    'included/one.list': '???\n',
  });
  const look = async (path: string) => {
    const { out } = await runHere(['check', path, '--format', 'json'], own.path, { baseUrl: service.url });
    return JSON.parse(out);
  };
  const { coverage, unchecked } = await look('long');
  assert.deepEqual([coverage.total, coverage.lookedUp, coverage.unchecked], [1, 0, 1]);
  assert.equal(unchecked.length, 1);
  assert.deepEqual((await look('many')).unclear, [{ path: 'many/requirements.txt', line: 200 }]);
  assert.deepEqual((await look('included')).unclear, [{ path: 'included/one.list', line: 1 }]);
  own.remove();
});

test('--fail-on decides what may be left unchecked', async () => {
  for (const [path, failOn, code] of [
    ['private', 'advisory:high', 2],
    ['private', 'advisory:high,withheld:off', 0],
    ['private', 'none', 0],
    ['broken', 'advisory', 2],
    ['broken', 'advisory,unclear:off', 0],
    ['broken', 'unclear:off', 0],
    ['demanding', 'unclear:off', 0],
  ] as const) {
    assert.equal((await check(path, '--fail-on', failOn)).code, code, `${path} with ${failOn}`);
  }
  assert.equal((await check('broken')).code, 2);
  assert.equal((await check('demanding')).code, 2);
  const { code, error } = await check('clean', '--fail-on', 'withheld:high');
  assert.equal(code, 2);
  assert.match(error, /“high” is not a level of withheld; use one of off/);
});

test('a list of nothing but gaps leaves the usual findings to count', async () => {
  const files = { 'package.json': '{ "dependencies": { "known": "^9.0.0" } }' };
  const own = folderWith(files);
  const { code } = await runHere(['check', '--fail-on', 'unclear'], own.path, { baseUrl: service.url });
  own.remove();
  assert.equal(code, 1);
});

test('what was found counts for more than what was not looked up', async () => {
  const own = folderWith({
    'package.json': '{ "dependencies": { "known": "^9.0.0", "@ours/a": "1.0.0" } }',
    '.npmrc': '@ours:registry=https://npm.ours.example/\n',
  });
  const { code, out } = await runHere(['check'], own.path, { baseUrl: service.url });
  own.remove();
  assert.match(out, /^Incomplete: 1 of 2 dependencies in 1 manifest checked, 1 finding/m);
  assert.equal(code, 1);
});

test('a list that is included and not there makes the check incomplete, and so does one at an address', async () => {
  for (const path of ['missing.txt', 'https://lists.example/more.txt']) {
    const own = folderWith({ 'requirements.txt': `-r ${path}\n` });
    try {
      const { code, out } = await runHere(['check'], own.path, { baseUrl: service.url });
      assert.equal(code, 2, path);
      assert.match(out, /^Incomplete: 0 dependencies in 1 manifest checked, no findings\n1 manifest partly read\n$/);
    } finally {
      own.remove();
    }
  }
});

test('a baseline over what could not all be looked up is written, and says so by its exit code', async () => {
  const baseline = ['--baseline', 'known.json', '--write-baseline'];
  assert.equal((await check('private', ...baseline)).code, 2);
  assert.equal((await check('private', '--allow-private', ...baseline)).code, 0);
  assert.equal((await check('clean', ...baseline)).code, 0);
});

test('what a private package brings is counted as not checked, also where private packages are allowed', async () => {
  const own = folderWith({
    'package.json': '{ "dependencies": { "@ours/a": "1.0.0" } }',
    '.npmrc': '@ours:registry=https://npm.ours.example/\n',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { '@ours/a': '1.0.0' } },
        'node_modules/@ours/a': { version: '1.0.0', dependencies: { known: '^1.0.0' } },
        'node_modules/known': { version: '1.0.0' },
      },
    }),
  });
  const { code, out } = await runHere(['check', '--allow-private'], own.path, { baseUrl: service.url });
  own.remove();
  assert.match(out, /1 of 1 that dependencies bring not checked/);
  assert.equal(code, 0);
});

test('a variable in the place of a host is no registry that a person could declare', async () => {
  const { code, out, error } = await check('variable');
  assert.equal(code, 2);
  assert.match(error, /variable\/\.npmrc:2/);
  assert.doesNotMatch(out + error, /npm_host|--public-registry/i);
  assert.match(error, /\(ask private registries with --ask-private-registries, or accept with --allow-private or /);
});
