import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({ 'NPM lodash': { versions: ['4.17.21'] }, 'PYPI requests': { versions: ['2.31.0'] } });
});
after(() => service.close());

const git = (folder: Folder, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@acme.example', ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

function commit(folder: Folder): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'more');
  return git(folder, 'rev-parse', 'HEAD');
}

/** A repository that `main` of its origin was fetched into. */
function repository(files: Readonly<Record<string, string>>): Folder {
  const folder = folderWith(files);
  git(folder, 'init', '--quiet');
  git(folder, 'update-ref', 'refs/remotes/origin/main', commit(folder));
  return folder;
}

const check = (folder: Folder, environment: Record<string, string> = {}, ...args: readonly string[]) =>
  runHere(['check', ...args], folder.path, {
    baseUrl: service.url,
    environment: { PATH: process.env['PATH'], ...environment },
  });

const npm = (...names: readonly string[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((it) => [it, '*'])) });
const pullRequest = { GITHUB_BASE_REF: 'main' };
const invented = /react-form-kitt {2}warning {2}no such package \(invented\?\)/;

describe('a name without a known owner', () => {
  test('is a warning before it is committed, with exit code 0 unless it counts', async () => {
    const folder = repository({ 'package.json': npm('lodash', 'acme-ui') });
    folder.write('package.json', npm('lodash', 'acme-ui', 'react-form-kitt'));
    const { code, out } = await check(folder);
    assert.match(out, invented);
    assert.match(out, /The name is new in this file, and the service does not know it\./);
    assert.doesNotMatch(out, /acme-ui/);
    assert.equal(code, 0);
    assert.equal((await check(folder, {}, '--fail-on', 'not-found:warning')).code, 1);
    commit(folder);
    const later = await check(folder, {}, '--fail-on', 'not-found:warning');
    assert.deepEqual([later.code, invented.test(later.out)], [0, false]);
    folder.remove();
  });

  test('makes a pull request fail that brings it, and none that finds it there', async () => {
    const folder = repository({ 'package.json': npm('lodash', 'acme-ui') });
    folder.write('package.json', npm('lodash', 'acme-ui', 'react-form-kitt'));
    commit(folder);
    const brings = await check(folder, pullRequest);
    assert.match(brings.out, invented);
    assert.equal(brings.code, 1);
    assert.equal((await check(folder, {}, '--base', 'HEAD~1')).code, 1);
    assert.equal((await check(folder, pullRequest, '--fail-on', 'advisory')).code, 0);
    git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    folder.write('readme.md', 'more');
    commit(folder);
    const finds = await check(folder, pullRequest);
    assert.deepEqual([finds.code, invented.test(finds.out)], [0, false]);
    folder.remove();
  });

  test('that a project file makes a warning of alone does not', async () => {
    const folder = repository({
      'package.json': npm('acme-ui', 'lodash'),
      '.package-insights.json': '{ "severity": { "not-found": "warning" } }',
    });
    folder.write('package.json', npm('acme-ui', 'lodash').replace('{', '{ "name": "a",'));
    commit(folder);
    const { code, out } = await check(folder, pullRequest);
    assert.match(out, /acme-ui {2}warning {2}unknown to the service/);
    assert.equal(code, 0);
    folder.remove();
  });

  test('is none in a file that was moved, whose names were there', async () => {
    const folder = repository({ 'package.json': npm('acme-ui', 'lodash') });
    mkdirSync(join(folder.path, 'app'));
    renameSync(join(folder.path, 'package.json'), join(folder.path, 'app/package.json'));
    assert.doesNotMatch((await check(folder)).out, /invented/);
    folder.write('app/package.json', npm('acme-ui', 'lodash', 'react-form-kitt'));
    assert.match((await check(folder)).out, invented);
    commit(folder);
    const { code, out } = await check(folder, pullRequest);
    assert.deepEqual([code, invented.test(out), /acme-ui/.test(out)], [1, true, false]);
    folder.remove();
  });

  test('is one in a new file and before the first commit, and not known without a repository', async () => {
    const folder = folderWith({ 'package.json': npm('lodash', 'react-form-kitt') });
    assert.doesNotMatch((await check(folder)).out, /invented/);
    git(folder, 'init', '--quiet');
    assert.match((await check(folder)).out, invented);
    commit(folder);
    folder.write('requirements.txt', 'requests==2.31.0\r\ntorchfluxx==1.0\r\n');
    assert.match((await check(folder)).out, /torchfluxx {2}warning {2}no such package/);
    folder.remove();
  });

  test('says so in formats for programs', async () => {
    const folder = repository({ 'package.json': npm('lodash') });
    folder.write('package.json', npm('lodash', 'react-form-kitt', '@acme/ui'));
    const json = JSON.parse((await check(folder, {}, '--format', 'json')).out);
    assert.deepEqual(
      json.findings.map((it: Record<string, unknown>) => [it['name'], it['code'], it['severity'], it['isNewName']]),
      [
        ['react-form-kitt', 'not-found', 'warning', true],
        ['@acme/ui', 'not-found', 'hint', undefined],
      ],
    );
    const sarif = JSON.parse((await check(folder, {}, '--format', 'sarif')).out);
    assert.deepEqual(
      sarif.runs[0].results.map((it: Record<string, unknown>) => [it['ruleId'], it['level']]),
      [
        ['not-found', 'warning'],
        ['not-found', 'note'],
      ],
    );
    folder.remove();
  });

  test('is not known while the service does not answer', async () => {
    const folder = repository({ 'package.json': npm('lodash') });
    folder.write('package.json', npm('lodash', 'react-form-kitt'));
    const { code, out } = await runHere(['check', '--offline'], folder.path, { baseUrl: service.url });
    assert.deepEqual([code, /invented/.test(out)], [2, false]);
    folder.remove();
  });
});
