import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sanitize } from '../../server/src/engine/report/formats/texts.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import type { InlineCatalog } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const catalog: InlineCatalog = {
  'NPM lodash': { versions: ['4.17.15', '4.17.21'] },
  'NPM left-pad': { versions: ['1.3.0'] },
  'NPM rimraf': {
    versions: { '3.0.2': { deprecated: 'use \u001b[31mv4\u001b[0m\nor later' }, '4.0.0': { isDefault: true } },
  },
  'PYPI requests': { versions: ['2.0.0', '2.31.0'] },
  'advisory GHSA-p6mc-m468-83gw': {
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
  },
  'advisory PYSEC-2023-74': {
    affected: [{ system: 'PYPI', name: 'requests', ranges: [{ introduced: '0', fixed: '2.31.0' }] }],
  },
};

const service = await startServiceForFile(catalog);

async function check(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = folderWith(files);
  try {
    return await runHere(['check', ...args], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

const lodash = '{ "dependencies": { "lodash": "4.17.15" } }';
const rimraf = '{ "dependencies": { "rimraf": "3.0.2" } }';

test('a member of a workspace is checked without the root that it belongs to, a file with what it includes', async () => {
  const members = { 'package.json': lodash, 'app/package.json': rimraf };
  const { out } = await check(members, 'app');
  assert.match(out, /^rimraf 3\.0\.2 .*\n {4}app\/package\.json:1:32\n/);
  assert.match(out, /in 1 manifest checked: 1 finding/);
  const including = { 'requirements.txt': '-r more/frozen.txt\n', 'more/frozen.txt': 'requests==2.0.0\n' };
  assert.match((await check(including, 'requirements.txt')).out, /^requests 2\.0\.0 .*\n {4}more\/frozen\.txt:1:9\n/);
});

test('what is wrong with the command line gives 2, and nothing on standard output', async () => {
  const padded = `${' '.repeat(5000)}{ "bomFormat": "CycloneDX", "components": [{ "purl": "pkg:npm/lodash@4.17.15" }] }`;
  const files = { 'package.json': lodash, 'empty/readme': '', 'bom.json': padded, 'more/bom.xml': '<bill />' };
  for (const [args, says] of [
    [['nowhere'], 'no such file or folder: nowhere'],
    [['empty'], 'no manifest in empty'],
    [['empty/readme'], 'empty/readme is not a supported manifest'],
    // What is named and not checked does not look clean.
    [['bom.json'], 'bom.json is not a supported manifest'],
    [['more/bom.xml'], 'more/bom.xml is not a supported manifest'],
    [['--format', 'xml'], '--format requires one of table, json'],
    [['--fail-on', 'advisory:awful'], '--fail-on: “awful” is not a level of advisory'],
    [['--fail-on', 'everything'], '--fail-on: “everything” is not one of malicious, advisory'],
    [['--base-url', 'ftp://registry.example'], '--base-url requires an http or https address'],
    [['--base-url', '127.0.0.1:8099'], '--base-url requires an http or https address'],
    [['--base-url', 'https:insights.example'], '--base-url requires an http or https address'],
    [['--public-registry', '*'], '--public-registry requires a host'],
    [['--public-registry', 'https://npm.acme.example/public/'], '--public-registry requires a host'],
    [['--timeout', 'soon'], '--timeout requires a number from 1 to'],
    [
      ['--nonsense'],
      'unknown option --nonsense; package-insights check --help lists all options\nusage: package-insights check',
    ],
    [['--output', 'no/such/folder/report'], 'no/such/folder/report cannot be written: no such file or folder'],
  ] as const) {
    const { code, out, error } = await check(files, ...args);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.ok(error.startsWith(`package-insights check: ${says}`), error);
  }
});

test('--fail-on decides about the exit code, not about what is shown', async () => {
  const python = 'requests==2.0.0';
  for (const [text, failOn, code] of [
    [lodash, 'advisory', 1],
    [lodash, 'advisory:high', 1],
    [lodash, 'advisory:critical', 0],
    [lodash, 'advisory:error', 1],
    [lodash, 'deprecated,no-match', 0],
    [lodash, 'none', 0],
    [rimraf, 'advisory,no-match', 0],
    [rimraf, 'deprecated', 1],
    [rimraf, 'deprecated:error', 0],
    // Nobody rated it.
    [python, 'advisory:critical', 0],
    [python, 'advisory:high', 1],
  ] as const) {
    const files = text === python ? { 'requirements.txt': text } : { 'package.json': text };
    const ended = await check(files, '--fail-on', failOn);
    assert.equal(ended.code, code, `${text} with ${failOn}`);
    assert.match(ended.out, /\n1 dependency in 1 manifest checked: 1 finding \(1 (?:error|warning)\)\n$/);
  }
});

test('a package cannot write to the terminal by its own words', async () => {
  const { out } = await check({ 'package.json': rimraf });
  assert.match(out, /^rimraf 3\.0\.2 {2}warning {2}deprecated {2}→ 4\.0\.0 \(major\)\n.*\n +use .*v4.* or later\n/);
  assert.ok(!out.includes('\u001b'));
  assert.equal(sanitize('a\u001b[31mb\r\nc\u202ed'), 'a\ufffd[31mb c\ufffdd');
});

test('colors are for terminals, and only where they are wanted', async () => {
  const folder = folderWith({ 'package.json': rimraf });
  const given = { baseUrl: service.url, color: true };
  const colored = await runHere(['check'], folder.path, given);
  const plain = await runHere(['check', '--no-color'], folder.path, given);
  folder.remove();
  assert.ok(colored.out.includes('\u001b[33mwarning\u001b[39m'));
  assert.ok(!plain.out.includes('\u001b'));
});

test('progress is drawn in a terminal, and removed at the end', async () => {
  const folder = folderWith({ 'package.json': lodash });
  const drawn: string[] = [];
  const status = (line: string) => void drawn.push(line);
  await runHere(['check'], folder.path, { baseUrl: service.url, status });
  assert.equal(drawn.at(0), `[${'·'.repeat(24)}] 0 of 1 looked up`);
  assert.equal(drawn.at(-2), `[${'#'.repeat(24)}] 4 of 4 looked up`);
  assert.equal(drawn.at(-1), '');
  drawn.length = 0;
  folder.write('more/package.json', lodash);
  await runHere(['check'], folder.path, { baseUrl: service.url, status });
  assert.equal(drawn.at(0), 'checking 2 manifests');
  drawn.length = 0;
  await runHere(['check', '--quiet'], folder.path, { baseUrl: service.url, status });
  folder.remove();
  assert.deepEqual(drawn, ['']);
});

test('--quiet shows only what counts', async () => {
  const files = { 'package.json': '{ "dependencies": { "rimraf": "3.0.2", "lodash": "4.17.15" } }' };
  const { out } = await check(files, '--quiet');
  assert.ok(out.includes('lodash') && !out.includes('rimraf'));
  assert.deepEqual(await check({ 'package.json': rimraf }, '--quiet'), { code: 0, out: '', error: '' });
});

test('what is left out of version control, and what tools fill, is not checked unless it is named', async () => {
  const files = {
    '.git/HEAD': '',
    '.gitignore': 'ignored/\n*.gen/package.json\n',
    'app/package.json': lodash,
    'app/node_modules/other/package.json': lodash,
    'app/.hidden/package.json': lodash,
    'app/.config/dotnet-tools.json': '{ "tools": {} }',
    'app/ignored/package.json': lodash,
    'app/.gitignore': '!two.gen/package.json\n/only-here\n',
    'app/two.gen/package.json': lodash,
    'app/only-here/package.json': lodash,
    'app/deep/only-here/package.json': lodash,
    'one.gen/package.json': lodash,
    'tool.cs': '// no manifest\nclass Tool {}\n',
    'script.cs': '#!/usr/bin/env dotnet\n#:package Nothing@1.0.0\n',
  };
  const { out } = await check(files, '--show-not-found');
  assert.deepEqual((out.match(/\S+(?=:\d+:\d+)/g) ?? []).sort(), [
    'app/deep/only-here/package.json',
    'app/package.json',
    'app/two.gen/package.json',
    'script.cs',
  ]);
  assert.match(out, /3 of 4 dependencies in 5 manifests checked: /);
  const named = await check(files, 'app/ignored/package.json', 'app/ignored');
  assert.match(named.out, /^ {4}app\/ignored\/package\.json:1:32\n/m);
});

test('a file that several include is told of once', async () => {
  const files = {
    'requirements.txt': '-r base/in.list\n',
    'requirements-dev.txt': '-r base/in.list\n-r requirements.txt\n',
    'base/in.list': 'requests==2.0.0\nrequests==2.0.0\n',
  };
  const { findings, manifests, dependencies } = JSON.parse((await check(files, '--format', 'json')).out);
  assert.deepEqual([findings.length, manifests, dependencies], [2, 3, 2]);
  const [first, second] = findings.map((it: { readonly fingerprint: string }) => it.fingerprint);
  assert.match(first, /^[\da-f]{32}$/);
  assert.equal(second, `${first}:2`, 'two lines that ask for the same are two findings');
});

test('one workspace: what many manifests ask for is asked once', async () => {
  const before = service.requests.length;
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, it) => [`p${it}/package.json`, lodash]));
  const { out } = await check(files);
  assert.match(out, /30 findings \(30 errors\)/);
  // The version, its package and its advisory; the versions above it.
  assert.equal(service.requests.length - before, 4);
});

test('a lockfile above counts within the repository, wherever in it the check is started', async () => {
  const folder = folderWith({
    '.git/HEAD': '',
    'package-lock.json':
      '{ "lockfileVersion": 3, "packages": { "app": {}, "node_modules/lodash": { "version": "4.17.15" } } }',
    'app/package.json': '{ "dependencies": { "lodash": "^4.17.0" } }',
  });
  const { out } = await runHere(['check'], join(folder.path, 'app'), { baseUrl: service.url });
  folder.remove();
  assert.match(out, /^lodash 4\.17\.15 .*\n {4}package\.json:1:/);
});

test('lockfiles are records: they are checked where they are named, and with --all', async () => {
  const files = {
    'package.json': '{ "dependencies": { "left-pad": "1.3.0" } }',
    'package-lock.json':
      '{ "lockfileVersion": 3, "packages": { "": {}, "node_modules/lodash": { "version": "4.17.15" } } }',
  };
  assert.equal((await check(files)).out, '1 dependency in 1 manifest checked: no findings\n');
  assert.match(
    (await check(files, '--all')).out,
    /^lodash 4\.17\.15 .*\n {4}package-lock\.json:.*\n {4}GHSA-p6mc-m468-83gw\n\n.* in 2 manifests checked: 1 finding/,
  );
  assert.match(
    (await check(files, 'package-lock.json')).out,
    /^lodash 4\.17\.15 [\s\S]*1 dependency in 1 manifest checked: 1 finding/,
  );
});

test('a project file that is named counts for every manifest, wherever it lies', async () => {
  const files = {
    'app/package.json': lodash,
    'app/.package-insights.json': '{}',
    'rules/ours.json': '{ "ignores": [{ "id": "GHSA-p6mc-m468-83gw", "reason": "not reached" }] }',
  };
  assert.equal((await check(files, 'app')).code, 1);
  const named = await check(files, 'app', '--config', 'rules/ours.json');
  assert.equal(named.code, 0, named.out);
  assert.match(named.out, /1 ignored/);
  const missing = await check(files, 'app', '--config', 'rules/other.json');
  assert.deepEqual(
    [missing.code, missing.error],
    [2, 'package-insights check: rules/other.json cannot be read: no such file or folder\n'],
  );
});
