import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheFile } from '../../server/src/engine/facts/cache/disk.ts';
import { cli } from '../harness/cli.ts';
import { startService } from '../harness/service.ts';
import { folderWith, runProgram } from './program.ts';
import { runHere } from './terminal.ts';

const sqlite = process.getBuiltinModule('node:sqlite') !== undefined;
test('one file carries what was looked up to where nothing can be', { skip: !sqlite }, async (t) => {
  const folder = folderWith({
    'work/npm/package.json':
      '{ "dependencies": { "lodash": "^4.17.0", "request": "2.88.2", "never-heard-of": "1.0.0" } }',
    'work/python/requirements.txt': 'requests==2.19.0\nPillow~=9.0\n',
  });
  t.after(() => folder.remove());
  const service = await startService();
  const check = (baseUrl: string, kept: string) =>
    runProgram(['check', '--base-url', baseUrl], join(folder.path, 'work'), { PACKAGE_INSIGHTS_CACHE_DIR: kept });
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
  [['--from-cache', 'nowhere'], /nowhere cannot be read: no such file or folder/],
  [['--from-cache', '.'], /\. contains no answers/],
  [['--from-cache', 'text'], /text cannot be read: /],
  [['--from-cache', 'a', 'b'], /--from-cache requires exactly one file or folder/],
  [['--from-cache', '--catalog', 'x'], /--from-cache and --catalog cannot be combined/],
  [['--catalog', 'nowhere'], /invalid catalog in nowhere: there is no such folder/],
  [['--catalog', 'text'], /invalid catalog in text: it is a file, not a folder/],
  [['--catalog', '.'], /invalid catalog in \.: it has none of the folders advisories, /],
  [['--catalog', 'empty'], /invalid catalog in empty: it holds no packages/],
  [['--catalog', 'advised'], /invalid catalog in advised: it holds no packages/],
  [['--catalog', 'scoped'], /invalid catalog in scoped: npm\/@babel: expected a file of a package/],
  [['--catalog', 'taken'], /invalid catalog in taken: npm: /],
  [['--catalog', 'folder'], /invalid catalog in folder: npm\/x\.json: /],
  [['--catalog', 'half'], /invalid catalog in half: npm\/b\.json:1:1: Unexpected end of JSON input/],
  [['--catalog', 'same'], /invalid catalog in same: pypi\/a_b\.json: the package is in pypi\/a-b\.json, too/],
  [['somewhere'], /somewhere requires --from-cache/],
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
    const { readCachedServices } = await import('../../server/src/platform/kept-answers.ts');
    const { code, error } = await runHere(['serve', ...args], folder.path, {
      cachedServices: readCachedServices,
      ended: Promise.resolve(),
    });
    assert.equal(code, 2);
    assert.match(error, said);
  });
}
