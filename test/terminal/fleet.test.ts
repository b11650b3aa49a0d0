import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const service = await startServiceForFile({
  'NPM lodash': {
    versions: { '4.17.15': {}, '4.17.20': {}, '4.17.21': { isDefault: true } },
    shared: { licenses: ['MIT'] },
  },
  'NPM left-pad': { versions: ['1.2.0', '1.3.0'], shared: { licenses: ['WTFPL'] } },
  'NPM qs': { versions: ['6.10.0', '6.11.0'] },
  'NPM express': { versions: ['4.17.0'] },
  'advisory GHSA-p6mc-m468-83gw': {
    cvss3Score: 7.4,
    aliases: ['CVE-2020-8203'],
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.21' }] }],
  },
  'advisory GHSA-hrpp-h998-j3pp': {
    cvss3Score: 7.5,
    affected: [{ system: 'NPM', name: 'qs', ranges: [{ introduced: '0', fixed: '6.11.0' }] }],
  },
  'NPM stolen': { versions: ['1.0.0'] },
  'advisory MAL-2026-1': { affected: [{ system: 'NPM', name: 'stolen', versions: ['1.0.0'] }] },
});

const manifest = (dependencies: Readonly<Record<string, string>>): string => JSON.stringify({ dependencies });
const lockfile = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { express: '4.17.0' } },
    'node_modules/express': { version: '4.17.0', dependencies: { qs: '6.10.0', lodash: '4.17.20' } },
    'node_modules/qs': { version: '6.10.0' },
    'node_modules/lodash': { version: '4.17.20' },
  },
});

function fleetFolder() {
  const folder = folderWith({
    'list.txt': 'shop\nblog\ndocs\n',
    'shop/package.json': manifest({ lodash: '4.17.15', 'left-pad': '1.3.0' }),
    'shop/.github/CODEOWNERS': '* @org/shop\n',
    'blog/package.json': manifest({ express: '4.17.0' }),
    'blog/package-lock.json': lockfile,
    'docs/README.md': 'none',
  });
  after(() => folder.remove());
  return folder;
}

const fleet = (directory: string, ...args: readonly string[]) =>
  runHere(['fleet', ...args, ...(args[0] === 'report' ? [] : ['--base-url', service.url])], directory);

test('which repositories have a package below a version, and who fixes it', async () => {
  const { path } = fleetFolder();
  const ran = await fleet(path, 'list.txt');
  assert.equal(ran.code, 1, ran.error);
  assert.match(ran.out, /: 3 of 3 repositories checked, 3 dependencies in 2 manifests\n/);
  assert.match(ran.out, /\n1 repository without a manifest\n/);
  // The file is for this user alone: it says what a company uses.
  assert.equal(statSync(join(path, 'fleet.sqlite')).mode & 0o077, 0);

  const asked = await fleet(path, 'report', '--package', 'npm:lodash<4.17.21');
  assert.equal(asked.code, 1);
  assert.equal(
    asked.out.replace(/Run \S+:/, 'Run ID:'),
    [
      'shop  npm:lodash 4.17.15',
      '    package.json:1  advisory  high 7.4  GHSA-p6mc-m468-83gw  → 4.17.21 in this line  @org/shop',
      'blog  npm:lodash 4.17.20',
      '    package-lock.json:1  brought by express  advisory-below  high 7.4  GHSA-p6mc-m468-83gw  by an update of express (package.json:1)  no owner',
      '',
      'Run ID: 3 of 3 repositories checked, 3 dependencies in 2 manifests',
      '2 places in 2 repositories',
      '1 repository without a manifest',
      '',
    ].join('\n'),
  );
  const none = await fleet(path, 'report', '--package', 'npm:lodash<4.17.15');
  assert.deepEqual([none.code, /Nothing found/.test(none.out)], [0, true]);
});

test('a fleet is asked by advisory, license, repository and owner', async () => {
  const { path } = fleetFolder();
  await fleet(path, 'list.txt');
  const rows = async (...args: readonly string[]) => {
    const { rows: found } = JSON.parse((await fleet(path, 'report', '--format', 'json', ...args)).out);
    return found.map((it: { repository: string; package: string }) => `${it.repository} ${it.package}`);
  };
  assert.deepEqual(await rows('--advisory', 'CVE-2020-8203'), ['shop npm:lodash', 'blog npm:lodash']);
  assert.deepEqual(await rows('--license', 'WTFPL'), ['shop npm:left-pad']);
  assert.deepEqual(await rows('--repository', 'blog', '--package', 'npm:qs'), ['blog npm:qs']);
  assert.deepEqual(await rows('--owner', '@ORG/shop'), ['shop npm:lodash']);
  const grouped = await fleet(path, 'report', '--by', 'repository', '--format', 'csv');
  assert.deepEqual(grouped.out.split(/\r?\n/).slice(0, 3), [
    'repository,repositories,places,severity,score,versions,targets,advisories,owners',
    'blog,1,2,information,7.5,4.17.20 6.10.0,,GHSA-hrpp-h998-j3pp GHSA-p6mc-m468-83gw,',
    "shop,1,1,error,7.4,4.17.15,4.17.21,GHSA-p6mc-m468-83gw,'@org/shop",
  ]);
  assert.match(grouped.error, /3 of 3 repositories checked/);
  const licenses = async (...args: readonly string[]) => {
    const { out } = await fleet(path, 'report', '--by', 'license', '--format', 'csv', ...args);
    return out
      .split(/\r?\n/)
      .slice(1, -1)
      .map((it) => it.split(',').slice(0, 3).join(' '));
  };
  // Direct dependencies, with and without a finding, also those without a known license.
  assert.deepEqual(await licenses(), ['MIT 1 1', ' 1 1', 'WTFPL 1 1']);
  assert.deepEqual(await licenses('--advisory', 'CVE-2020-8203'), ['MIT 1 1']);
});

test('what was not checked is in every summary, and the exit code is 2', async () => {
  const { path } = fleetFolder();
  writeFileSync(join(path, 'list.txt'), 'shop\nmissing\next::sh -c id\n');
  const ran = await fleet(path, 'list.txt');
  assert.equal(ran.code, 2);
  assert.match(ran.error, /line 3 of the list: a transport of git/);
  for (const format of ['table', 'json', 'csv']) {
    const { code, out, error } = await fleet(path, 'report', '--format', format);
    assert.equal(code, 2, format);
    assert.match(`${out}${error}`, /1 not read, 1 invalid line of the list/, format);
    assert.match(`${out}${error}`, /missing: no such file or folder/, format);
  }
  const { summary } = JSON.parse((await fleet(path, 'report', '--format', 'json')).out);
  assert.deepEqual(summary.repositories, {
    ...{ total: 2, checked: 1, incomplete: 0, failed: 1, 'set-aside': 0, pending: 0 },
  });
  assert.deepEqual(summary.notChecked, [
    { repository: 'missing', state: 'failed', reasons: ['no such file or folder'] },
  ]);
});

test('malware comes first in a fleet, and fails it whatever counts', async () => {
  const folder = folderWith({
    'list.txt': 'blog\nzoo\n',
    'blog/package.json': manifest({ lodash: '4.17.15' }),
    'zoo/package.json': manifest({ stolen: '1.0.0' }),
  });
  after(() => folder.remove());
  const ran = await fleet(folder.path, 'list.txt', '--fail-on', 'license');
  assert.equal(ran.code, 1, ran.error);
  const found = await fleet(folder.path, 'report', '--advisory', 'MAL-2026-1');
  assert.match(found.out, /^zoo {2}npm:stolen 1\.0\.0\n {4}package\.json:1 {2}malicious {2}MAL-2026-1/);
  for (const [by, key] of [
    ['package', 'npm:stolen'],
    ['repository', 'zoo'],
    ['advisory', 'MAL-2026-1'],
  ] as const) {
    const { out } = await fleet(folder.path, 'report', '--by', by);
    assert.ok(out.startsWith(`${key}  malicious  1 repository, 1 place`), out);
  }
});

test('a fleet that archived repositories fail is incomplete where nothing asks for them', async () => {
  const folder = folderWith({ 'list.txt': 'blog\n', 'blog/package.json': manifest({ 'left-pad': '1.3.0' }) });
  after(() => folder.remove());
  assert.equal((await fleet(folder.path, 'list.txt')).code, 0);
  const { code, out, error } = await fleet(folder.path, 'list.txt', '--fail-on', 'archived');
  assert.equal(code, 2);
  assert.match(out + error, /1 repository not checked/);
});

test('what has changed since the last run', async () => {
  const { path } = fleetFolder();
  await fleet(path, 'list.txt');
  writeFileSync(join(path, 'shop', 'package.json'), manifest({ lodash: '4.17.21' }));
  writeFileSync(join(path, 'docs', 'package.json'), manifest({ lodash: '4.17.15' }));
  writeFileSync(join(path, 'list.txt'), 'shop\ndocs\n');
  // The clock of the test stands still, so the runs are told apart by their names alone.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const now = { clock: { now: () => Date.UTC(2026, 0, 2), after: () => () => {} } };
  await runHere(['fleet', 'list.txt', '--base-url', service.url], path, now);
  const changed = await fleet(path, 'report', '--since', 'last', '--format', 'json');
  const { rows } = JSON.parse(changed.out);
  assert.deepEqual(
    rows.map((it: Record<string, unknown>) => `${it['repository']} ${it['package']} ${it['change']}`),
    ['docs npm:lodash new', 'shop npm:lodash fixed', 'blog npm:lodash not checked', 'blog npm:qs not checked'],
  );
  assert.equal(changed.code, 1);
});

test('a repository is not trusted', async () => {
  const folder = folderWith({
    'list.txt': 'evil\n',
    'evil/package.json': manifest({ lodash: '4.17.15' }),
    // An ignore, an exclusion and an acceptance would hide what the repository has.
    'evil/.package-insights.json': JSON.stringify({
      exclude: ['package.json'],
      allowPrivate: true,
      ignores: [{ id: 'GHSA-p6mc-m468-83gw', reason: 'hidden' }],
    }),
    'evil/private/package.json': manifest({ '@inside/x': '1.0.0' }),
    'evil/private/.npmrc': '@inside:registry=https://npm.inside.example/\n//npm.inside.example/:_authToken=x\n',
  });
  after(() => folder.remove());
  symlinkSync('/etc/passwd', join(folder.path, 'evil', 'requirements.txt'));
  const ran = await fleet(folder.path, 'list.txt', '--fail-on', 'advisory');
  assert.equal(ran.code, 2);
  assert.match(ran.out, /1 partly/);
  assert.match(ran.out, /1 private/);
  assert.match(ran.out, /1 manifest not read/);
  const { rows } = JSON.parse((await fleet(folder.path, 'report', '--format', 'json', '--package', 'npm:lodash')).out);
  assert.deepEqual(
    rows.map((it: Record<string, unknown>) => [it['path'], it['code']]),
    [['package.json', 'advisory']],
  );
  assert.ok(service.requests.every((it) => !JSON.stringify(it).includes('inside')));
});

test('files without end, pipes and depths cost a repository itself alone', async () => {
  const folder = folderWith({
    'list.txt': 'sparse\npipe\ndeep\nlast\n',
    'sparse/a/package.json': '',
    'sparse/b/package.json': manifest({ lodash: '4.17.15' }),
    'pipe/sub/package.json': manifest({ lodash: '4.17.15' }),
    'deep/package.json': manifest({}),
    'last/package.json': manifest({ lodash: '4.17.15' }),
  });
  after(() => folder.remove());
  truncateSync(join(folder.path, 'sparse', 'a', 'package.json'), 10 * 1024 ** 3);
  for (const it of ['package.json', 'CODEOWNERS']) execFileSync('mkfifo', [join(folder.path, 'pipe', it)]);
  // Two paths that the system opens, and together none.
  const half = Array.from({ length: 100 }, () => 'a'.repeat(30)).join('/');
  for (const it of ['deep', 'deeper']) mkdirSync(join(folder.path, it, half), { recursive: true });
  renameSync(join(folder.path, 'deeper'), join(folder.path, 'deep', half, 'deeper'));
  const ran = await fleet(folder.path, 'list.txt');
  assert.equal(ran.code, 2);
  const { rows, summary } = JSON.parse(
    (await fleet(folder.path, 'report', '--format', 'json', '--package', 'npm:lodash')).out,
  );
  assert.deepEqual(
    rows.map((it: Record<string, unknown>) => `${it['repository']}/${it['path']}`),
    ['sparse/b/package.json', 'pipe/sub/package.json', 'last/package.json'],
  );
  assert.deepEqual(
    summary.notChecked.map((it: Record<string, unknown>) => `${it['repository']}: ${it['reasons']}`),
    ['sparse: 1 manifest not read', 'deep: 1 manifest not read'],
  );
});

test('nothing in a name controls a spreadsheet or a terminal', async () => {
  const name = '=cmd|calc\n\u001b[31m,"x';
  const folder = folderWith({
    'list.txt': 'evil\n',
    [`evil/${name}/package.json`]: manifest({ lodash: '4.17.15' }),
    'evil/CODEOWNERS': '* @=1+1\n',
  });
  after(() => folder.remove());
  await fleet(folder.path, 'list.txt');
  const csv = await fleet(folder.path, 'report', '--format', 'csv', '--package', 'npm:lodash');
  const [, row = '', ...rest] = csv.out.split('\r\n');
  assert.deepEqual(
    rest.filter((it) => it.trim() !== ''),
    [],
  );
  assert.ok(row.startsWith(`evil,"'=cmd|calc `), row);
  assert.match(row, /,'@=1\+1$/);
  const { out } = await fleet(folder.path, 'report', '--package', 'npm:lodash');
  assert.ok(!out.includes('\u001b') && out.includes('\ufffd'), out);
});

test('other programs read the table as Parquet', async () => {
  const { path } = fleetFolder();
  await fleet(path, 'list.txt');
  const written = await fleet(
    path,
    'report',
    '--package',
    'npm:lodash',
    '--format',
    'parquet',
    '--output',
    'x.parquet',
  );
  assert.equal(written.code, 1, written.error);
  assert.match(written.out, /3 of 3 repositories checked/);
  const file = await asyncBufferFromFile(join(path, 'x.parquet'));
  const rows = await parquetReadObjects({ file });
  assert.deepEqual(
    rows.map((it) => [it['repository'], it['line'], it['package'], it['score'], it['via'], it['owners']]),
    [
      ['shop', 1, 'npm:lodash', 7.4, null, '@org/shop'],
      ['blog', 1, 'npm:lodash', 7.4, 'express', null],
    ],
  );
  const { key_value_metadata: metadata = [] } = await parquetMetadataAsync(file);
  const summary = JSON.parse(metadata.find((it) => it.key === 'package_insights')?.value ?? '');
  assert.equal(summary.repositories.checked, 3);
  // An empty answer is a table, too.
  const empty = ['--package', 'npm:none', '--format', 'parquet', '--output', 'empty.parquet'];
  assert.equal((await fleet(path, 'report', ...empty)).code, 0);
  assert.deepEqual(await parquetReadObjects({ file: await asyncBufferFromFile(join(path, 'empty.parquet')) }), []);
  const refused = await fleet(path, 'report', '--format', 'parquet');
  assert.deepEqual([refused.code, /requires --output/.test(refused.error)], [2, true]);
});

test('the page has all repositories, and what was not checked', async () => {
  const { path } = fleetFolder();
  writeFileSync(join(path, 'list.txt'), 'shop\nblog\nmissing\n');
  await fleet(path, 'list.txt');
  const dataOf = async (...args: readonly string[]) => {
    const { out } = await fleet(path, 'report', '--format', 'html', ...args);
    return /<script type="application\/json" id="data">(.*)<\/script>/.exec(out)?.[1] ?? assert.fail(out);
  };
  const whole = await dataOf();
  for (const it of ['shop/package.json', 'blog/package.json', 'missing: no such file or folder', 'left-pad'])
    assert.ok(whole.includes(it), it);
  const some = await dataOf('--package', 'npm:lodash');
  assert.ok(some.includes('blog/package-lock.json') && some.includes('shop/package.json'));
  assert.ok(!some.includes('left-pad'));
  assert.ok(some.includes('missing: no such file or folder'));
});

test('a run is continued, and two runs use one file at the same time', async () => {
  const { path } = fleetFolder();
  const ended = { ended: Promise.resolve() };
  const cut = await runHere(['fleet', 'list.txt', '--base-url', service.url], path, ended);
  assert.equal(cut.code, 2);
  assert.match(cut.out, /3 without a result/);
  const [, id = ''] = /fleet --resume (\S+) continues the run/.exec(cut.error) ?? [];
  const [resumed, other] = await Promise.all([fleet(path, '--resume', id), fleet(path, 'list.txt')]);
  assert.deepEqual([resumed.code, other.code], [1, 1], resumed.error + other.error);
  assert.match(resumed.out, new RegExp(`Run ${id}: 3 of 3 repositories checked`));
  assert.match(other.out, /3 of 3 repositories checked/);
});

test('a file of another program, a missing one and an unknown run are errors', async () => {
  const folder = folderWith({ 'other.sqlite': 'x'.repeat(4096), 'list.txt': 'a\n' });
  after(() => folder.remove());
  const foreign = await fleet(folder.path, 'list.txt', '--results', 'other.sqlite');
  assert.equal(foreign.code, 2);
  assert.match(foreign.error, /other\.sqlite cannot be used/);
  const missing = await fleet(folder.path, 'report');
  assert.equal(missing.code, 2);
  assert.match(missing.error, /fleet\.sqlite cannot be used: no such file or folder/);
  assert.ok(!existsSync(join(folder.path, 'fleet.sqlite')));
  const empty = await runHere(['fleet', 'report'], folder.path, {
    environment: { PACKAGE_INSIGHTS_FLEET_RESULTS: '' },
  });
  assert.match(empty.error, /PACKAGE_INSIGHTS_FLEET_RESULTS is empty/);
});
