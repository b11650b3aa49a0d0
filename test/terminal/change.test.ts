import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { type Folder, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({
    'NPM lodash': { versions: ['4.17.15', '4.17.21'] },
    'NPM left-pad': { versions: { '1.3.0': { deprecated: 'use padStart' } } },
    'advisory GHSA-p6mc-m468-83gw': {
      cvss3Score: 7.4,
      affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] }],
    },
  });
});
after(() => service.close());

const projectFile = '.package-insights.json';
const manifest = '{ "dependencies": { "lodash": "4.17.15" } }';
const ignored = JSON.stringify({ ignores: [{ id: 'GHSA-p6mc-m468-83gw', reason: 'only in tests' }] });

const git = (folder: Folder, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@acme.example', ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** A repository whose branch `main` was fetched, with a change of some files on top. Null removes a file. */
function changed(
  files: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Folder & { readonly base: string } {
  const folder = folderWith(files);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'before');
  const base = git(folder, 'rev-parse', 'HEAD');
  git(folder, 'update-ref', 'refs/remotes/origin/main', base);
  for (const [name, text] of Object.entries(change)) {
    if (text === null) rmSync(join(folder.path, name));
    else folder.write(name, text);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'after');
  return { ...folder, base };
}

const check = (folder: Folder, environment: Record<string, string>, ...args: readonly string[]) =>
  runHere(['check', ...args], folder.path, {
    baseUrl: service.url,
    environment: { PATH: process.env['PATH'], ...environment },
  });

const pullRequest = { GITHUB_BASE_REF: 'main' };
const first = (error: string): string => error.split('\n')[0] ?? '';

test('what a pull request ignores counts until it is merged, and the first line names it', async () => {
  const folder = changed({ 'package.json': manifest }, { [projectFile]: ignored });
  const asPullRequest = await check(folder, pullRequest);
  assert.equal(asPullRequest.code, 1);
  assert.match(
    first(asPullRequest.error),
    /this change loosens \.package-insights\.json \(ignores\); that has no effect/,
  );
  const elsewhere = await check(folder, {});
  assert.equal(elsewhere.code, 0);
  assert.match(elsewhere.out, /1 ignored|ignored: 1/);
  folder.remove();
});

test('a project file that was there before counts in a pull request', async () => {
  const folder = changed({ 'package.json': manifest, [projectFile]: ignored }, { 'readme.md': 'more' });
  const { code, error } = await check(folder, pullRequest);
  assert.deepEqual([code, error.includes('loosens')], [0, false]);
  folder.remove();
});

test('a nearer project file of the change takes no other one out of force', async () => {
  const folder = changed(
    { 'a/package.json': '{ "dependencies": { "left-pad": "1.3.0" } }', [projectFile]: '{ "failOn": ["deprecated"] }' },
    { [`a/${projectFile}`]: '{}' },
  );
  const { code, error } = await check(folder, pullRequest);
  assert.equal(code, 1);
  assert.match(first(error), /a\/\.package-insights\.json \(failOn\)/);
  folder.remove();
});

test('a project file that the change removes stays in force', async () => {
  const folder = changed(
    { 'package.json': '{ "dependencies": { "left-pad": "1.3.0" } }', [projectFile]: '{ "failOn": ["deprecated"] }' },
    { [projectFile]: null },
  );
  const { code, error } = await check(folder, pullRequest);
  assert.equal(code, 1);
  assert.match(first(error), /\.package-insights\.json \(failOn\)/);
  folder.remove();
});

test('a change excludes no manifest, and makes no withheld package agreed to', async () => {
  const folder = changed(
    {
      'package.json': manifest,
      'b/package.json': '{ "dependencies": { "@acme/a": "1.0.0" } }',
      '.npmrc': '@acme:registry=https://npm.acme.example/',
    },
    { [projectFile]: JSON.stringify({ exclude: ['/package.json'], allowPrivate: true }) },
  );
  const { code, out, error } = await check(folder, pullRequest);
  assert.match(out, /lodash/);
  assert.match(first(error), /\(allowPrivate, exclude\)/);
  assert.equal(code, 1);
  assert.equal((await check(folder, {})).code, 0);
  folder.remove();
});

test('a name that was private before is not sent because a change no longer says so', async () => {
  const folder = changed(
    { 'package.json': manifest, [projectFile]: '{ "private": ["npm/lodash"] }' },
    { [projectFile]: '{}' },
  );
  const sent = service.requests.length;
  const { code, error } = await check(folder, pullRequest);
  assert.equal(code, 2);
  assert.match(first(error), /\(private\)/);
  assert.equal(
    service.requests.slice(sent).some((it) => JSON.stringify(it).includes('lodash')),
    false,
  );
  folder.remove();
});

const baseline = (folder: string) =>
  `{ "version": 1, "findings": [ { "path": "${folder}package.json", "code": "advisory", "package": "NPM lodash", "version": "4.17.15", "advisories": ["GHSA-p6mc-m468-83gw"] } ] }`;

test('what a change adds to the baseline counts until it is merged', async () => {
  const file = 'insights-baseline.json';
  const folder = changed(
    { 'package.json': manifest, [file]: '{ "version": 1, "findings": [] }' },
    { [file]: baseline('') },
  );
  const { code, error } = await check(folder, pullRequest, '--baseline', file);
  assert.equal(code, 1);
  assert.match(first(error), /loosens insights-baseline\.json; that/);
  assert.equal((await check(folder, {}, '--baseline', file)).code, 0);
  // A baseline that the repository does not track is no part of the change.
  folder.write('.git/info/exclude', 'made.json\n');
  folder.write('made.json', baseline(''));
  assert.equal((await check(folder, pullRequest, '--baseline', 'made.json')).code, 0);
  folder.remove();
});

/** Each service says in its own way where a pull request begins. Sources: their documentation of variables. */
const services: Readonly<Record<string, (base: string) => Record<string, string>>> = {
  'GitHub Actions': () => ({ GITHUB_BASE_REF: 'main' }),
  GitLab: (base) => ({ CI_MERGE_REQUEST_IID: '7', CI_MERGE_REQUEST_DIFF_BASE_SHA: base }),
  'Azure Pipelines': () => ({ SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main' }),
  Bitbucket: (base) => ({ BITBUCKET_PR_ID: '7', BITBUCKET_PR_DESTINATION_COMMIT: base.slice(0, 12) }),
  Buildkite: () => ({ BUILDKITE_PULL_REQUEST: '7', BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main' }),
  Jenkins: () => ({ CHANGE_ID: '7', CHANGE_TARGET: 'main' }),
  'Travis CI': () => ({ TRAVIS_PULL_REQUEST: '7', TRAVIS_BRANCH: 'main' }),
  Drone: () => ({ DRONE_PULL_REQUEST: '7', DRONE_TARGET_BRANCH: 'main' }),
  Woodpecker: () => ({ CI_PIPELINE_EVENT: 'pull_request', CI_COMMIT_TARGET_BRANCH: 'main' }),
};

test('each service names the base of a pull request in its own way', async () => {
  const folder = changed({ 'package.json': manifest }, { [projectFile]: ignored });
  for (const [name, environment] of Object.entries(services))
    assert.equal((await check(folder, environment(folder.base))).code, 1, name);
  assert.equal((await check(folder, {}, '--base', folder.base)).code, 1);
  for (const none of [{ BUILDKITE_PULL_REQUEST: 'false' }, { CI_PIPELINE_EVENT: 'push' }, { GITHUB_BASE_REF: '' }])
    assert.equal((await check(folder, none)).code, 0);
  folder.remove();
});

test('where the base cannot be read, a run with a project file is incomplete and says why', async () => {
  const folder = changed({ 'package.json': manifest }, { [projectFile]: ignored });
  git(folder, 'update-ref', '-d', 'refs/remotes/origin/main');
  for (const environment of [pullRequest, { CIRCLE_PULL_REQUEST: 'https://code.example/pull/7' }]) {
    const { code, error } = await check(folder, environment);
    assert.equal(code, 2);
    assert.match(first(error), /this clone lacks the commit where it begins .*fetch-depth: 0.*--base REVISION/);
  }
  const hiding = changed({ 'package.json': manifest }, { [projectFile]: '{ "exclude": ["**"] }' });
  git(hiding, 'update-ref', '-d', 'refs/remotes/origin/main');
  const hidden = await check(hiding, pullRequest);
  assert.equal(hidden.code, 2);
  assert.match(hidden.error, /lacks the commit where it begins(?:.|\n)*every manifest in \. is excluded/);
  hiding.remove();
  const { code, error } = await check(folder, {}, '--base', 'nothing');
  assert.deepEqual(
    [code, error],
    [2, 'package-insights check: --base: the repository of this folder has no revision “nothing”\n'],
  );
  // The merge that GitHub makes for the check begins with the base.
  const head = git(folder, 'rev-parse', 'HEAD');
  const merge = git(folder, 'commit-tree', 'HEAD^{tree}', '-p', folder.base, '-p', head, '-m', 'merge');
  git(folder, 'checkout', '--quiet', merge);
  const merged = { ...pullRequest, GITHUB_REF: 'refs/pull/7/merge', GITHUB_SHA: merge };
  assert.equal((await check(folder, merged)).code, 1);
  assert.equal((await check(folder, { ...merged, GITHUB_SHA: head })).code, 2);
  folder.remove();
});

test('without a file that decides about findings, a shallow clone is enough', async () => {
  const folder = changed({ 'package.json': '{ "dependencies": { "lodash": "4.17.21" } }' }, { 'readme.md': 'more' });
  git(folder, 'update-ref', '-d', 'refs/remotes/origin/main');
  assert.equal((await check(folder, pullRequest)).code, 0);
  folder.remove();
});
