import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheFile } from '../../server/src/facts/cache/disk.ts';
import { startService } from '../harness/service.ts';
import { folderWith, runProgram } from './program.ts';
import { runHere } from './terminal.ts';

const sqlite = process.getBuiltinModule('node:sqlite') !== undefined;
const cli = join(import.meta.dirname, '..', '..', 'server', 'src', 'cli.ts');

test('one file carries what was looked up to where nothing can be', { skip: !sqlite }, async (t) => {
  const folder = folderWith({
    'npm/package.json': '{ "dependencies": { "lodash": "^4.17.0", "request": "2.88.2", "never-heard-of": "1.0.0" } }',
    'python/requirements.txt': 'requests==2.19.0\nPillow~=9.0\n',
  });
  t.after(() => folder.remove());
  const service = await startService();
  const check = (baseUrl: string, kept: string) =>
    runProgram(['check', '--base-url', baseUrl], folder.path, { PACKAGE_INSIGHTS_CACHE_DIR: kept });
  const online = await check(service.url, join(folder.path, 'outside'));
  await service.close();
  assert.equal(online.code, 1);
  assert.deepEqual(readdirSync(join(folder.path, 'outside')), [cacheFile]);

  const carried = join(folder.path, 'inside.sqlite');
  cpSync(join(folder.path, 'outside', cacheFile), carried);
  const serving = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', cli, 'serve', '--from-cache', carried],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.after(() => serving.kill('SIGKILL'));
  let said = '';
  for await (const it of serving.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += it;
    if (said.includes('listening')) break;
  }
  const [counts = '', where = ''] = said.split('\n');
  assert.match(counts, /^packages: \d+, versions: \d+, advisories: \d+; answers of http:\S+ from \d{4}-\d\d-\d\d to /);
  const offline = await check(where.replace('listening on ', ''), '');
  assert.deepEqual(offline, online);
  serving.kill('SIGINT');
  assert.deepEqual(await once(serving, 'exit'), [0, null]);
  assert.deepEqual(
    readdirSync(folder.path).filter((it) => it.startsWith('inside')),
    ['inside.sqlite'],
  );
});

for (const [args, said] of [
  [['--from-cache', 'nowhere'], /nowhere cannot be read: there is no such file or folder/],
  [['--from-cache', '.'], /nothing is kept in \./],
  [['--from-cache', 'text'], /text cannot be read: /],
  [['--from-cache', 'a', 'b'], /--from-cache takes one file or folder/],
  [['--from-cache', '--catalog', 'x'], /--from-cache and --catalog exclude each other/],
  [['--catalog', 'nowhere'], /the catalog in nowhere cannot be used: there is no such folder/],
  [['--catalog', 'text'], /the catalog in text cannot be used: it is a file, not a folder/],
  [['--catalog', '.'], /the catalog in \. cannot be used: it has none of the folders advisories, /],
  [['--catalog', 'empty'], /the catalog in empty cannot be used: it holds no packages/],
  [['--catalog', 'advised'], /the catalog in advised cannot be used: it holds no packages/],
  [['--catalog', 'scoped'], /the catalog in scoped cannot be used: npm\/@babel: expected a file of a package/],
  [['--catalog', 'taken'], /the catalog in taken cannot be used: npm: /],
  [['--catalog', 'folder'], /the catalog in folder cannot be used: npm\/x\.json: /],
  [['--catalog', 'half'], /the catalog in half cannot be used: npm\/b\.json:1:1: Unexpected end of JSON input/],
  [
    ['--catalog', 'same'],
    /the catalog in same cannot be used: pypi\/a_b\.json: the package is in pypi\/a-b\.json, too/,
  ],
  [['--allow-host', 'x'], /--allow-host goes with --from-cache/],
  [['somewhere'], /somewhere goes with --from-cache/],
] as const) {
  test(`serve ${args.join(' ')}`, async (t) => {
    const record = (system: string, name: string) =>
      JSON.stringify({ system, name, sources: {}, from: ['x'], versions: { '1.0.0': {} } });
    const folder = folderWith({
      text: 'no database',
      'empty/npm/README.md': 'nothing else',
      'advised/advisories/README.md': 'nothing else',
      'scoped/npm/a.json': record('NPM', 'a'),
      'scoped/npm/@babel/core.json': record('NPM', '@babel/core'),
      'taken/npm': 'a file',
      'folder/npm/x.json/y': '',
      'half/npm/a.json': record('NPM', 'a'),
      'half/npm/b.json': '',
      'same/pypi/a-b.json': record('PYPI', 'a-b'),
      'same/pypi/a_b.json': record('PYPI', 'a_b'),
    });
    t.after(() => folder.remove());
    const { readCachedServices } = await import('../../server/src/platform/answer-cache.ts');
    const { code, error } = await runHere(['serve', ...args], folder.path, {
      cachedServices: readCachedServices,
      ended: Promise.resolve(),
    });
    assert.equal(code, 2);
    assert.match(error, said);
  });
}
