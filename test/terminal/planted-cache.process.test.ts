import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { cacheFile } from '../../server/src/engine/facts/cache/disk.ts';
import { cli } from '../harness/cli.ts';
import { startService } from '../harness/service.ts';
import { type Folder, folderWith, runScript } from './program.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const sqlite = process.getBuiltinModule('node:sqlite') !== undefined;
/** Windows names its cache folder another way. */
const isBuilt = process.platform !== 'win32' && existsSync(join(dist, 'cli.js'));

/** In code that is compiled when it is loaded. */
const honest = '[--fail-on LIST]';
const strange = '[by a stranger!]';

/** Keeps the environment of the tests from naming another place. */
const places = { PACKAGE_INSIGHTS_CACHE_DIR: undefined, XDG_CACHE_HOME: undefined } as unknown as Record<
  string,
  string
>;

/** A checkout, and the built program elsewhere. */
function checkout(t: TestContext): { readonly folder: Folder; readonly repo: string; readonly program: string } {
  const folder = folderWith({
    'repo/.git/HEAD': 'ref: refs/heads/main\n',
    'repo/package.json': '{"dependencies":{"lodash":"4.17.15"}}',
    'repo/sub/package.json': '{"dependencies":{"lodash":"4.17.15"}}',
    'home/.keep': '',
  });
  t.after(() => folder.remove());
  return { folder, repo: join(folder.path, 'repo'), program: join(folder.path, 'program') };
}

/** Puts code of another program.js, compiled, into a cache folder, as if it were that of the honest one. */
async function plant(program: string, cache: string): Promise<void> {
  cpSync(dist, program, { recursive: true, filter: (it) => !/catalog/.test(it) });
  const script = join(program, 'program.js');
  const source = readFileSync(script, 'utf8');
  const changed = source.replace(honest, strange);
  assert.notEqual(changed, source);
  assert.equal(changed.length, source.length);
  writeFileSync(script, changed);
  const compiled = join(cache, 'package-insights', 'compiled');
  const { out } = await runScript(join(program, 'cli.js'), ['--help'], program, { NODE_COMPILE_CACHE: compiled });
  assert.ok(out.includes(strange), out);
  writeFileSync(script, source);
  let planted = 0;
  for (const name of readdirSync(compiled, { recursive: true, encoding: 'utf8' })) {
    const path = join(compiled, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    const at = [0, 4, 8, 12, 16].find((it) => bytes.readUInt32LE(it) === crc32(changed));
    if (at === undefined) continue;
    bytes.writeUInt32LE(crc32(source), at);
    writeFileSync(path, bytes);
    planted++;
  }
  assert.equal(planted, 1);
}

test('compiled code in a checkout is not executed', { skip: !isBuilt }, async (t) => {
  for (const [directory, args] of [
    ['repo', []],
    // The repository of the working directory, and that of an argument.
    ['repo/sub', []],
    ['home', ['check', '../repo/sub']],
  ] as const) {
    for (const place of ['XDG_CACHE_HOME', 'HOME'] as const) {
      const { folder, repo, program } = checkout(t);
      const cache = join(repo, '.cache');
      await plant(program, cache);
      const environment = { ...places, [place]: place === 'HOME' ? repo : cache };
      const { out } = await runScript(
        join(program, 'cli.js'),
        [...args, '--help'],
        join(folder.path, directory),
        environment,
      );
      assert.ok(!out.includes(strange), `${directory} ${place}`);
      assert.ok(out.includes(honest), out);
    }
  }
});

test('compiled code in the own cache folder is executed, and kept there', { skip: !isBuilt }, async (t) => {
  const { folder, repo, program } = checkout(t);
  const cache = join(folder.path, 'home', '.cache');
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o700);
  await plant(program, cache);
  const run = (args: readonly string[]) =>
    runScript(join(program, 'cli.js'), args, repo, { ...places, XDG_CACHE_HOME: cache });
  assert.ok((await run(['--help'])).out.includes(strange));
  // Another user could have put it there.
  chmodSync(join(cache, 'package-insights'), 0o777);
  assert.ok(!(await run(['--help'])).out.includes(strange));
});

test('answers in a checkout, or that others can change, are not used', {
  skip: !sqlite || process.platform === 'win32',
}, async (t) => {
  const { folder, repo } = checkout(t);
  const service = await startService();
  t.after(() => service.close());
  const check = (environment: Record<string, string>, directory = repo, paths: readonly string[] = []) =>
    runScript(cli, ['check', '--base-url', service.url, ...paths], directory, { ...places, ...environment });
  const own = join(folder.path, 'home', '.cache');
  const first = await check({ XDG_CACHE_HOME: own });
  assert.equal(first.code, 1);
  assert.doesNotMatch(first.error, /no answers are kept/);
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  // What a stranger would have the program believe.
  const file = join(own, 'package-insights', cacheFile);
  const store = new DatabaseSync(file);
  store.exec("UPDATE answers SET value = replace(value, 'GHSA', 'XXXX')");
  store.close();
  assert.doesNotMatch((await check({ XDG_CACHE_HOME: own })).out, /GHSA/);

  const planted = join(repo, '.cache');
  cpSync(join(own, 'package-insights', cacheFile), join(planted, 'package-insights', cacheFile));
  const expected =
    /^package-insights: no answers are kept, since \S+ is in a folder that is checked, or in its repository$/m;
  for (const environment of [
    { XDG_CACHE_HOME: planted },
    { HOME: repo },
    { PACKAGE_INSIGHTS_CACHE_DIR: join(planted, 'package-insights') },
    { PACKAGE_INSIGHTS_CACHE_DIR: '../.cache/package-insights' },
  ]) {
    const { out, error, code } = await check(environment, join(repo, 'sub'));
    assert.match(out, /GHSA/, JSON.stringify(environment));
    assert.match(error, expected);
    assert.equal(code, 1);
  }
  const elsewhere = await check({ XDG_CACHE_HOME: planted }, join(folder.path, 'home'), ['../repo/sub/package.json']);
  assert.match(elsewhere.out, /GHSA/);
  assert.match(elsewhere.error, expected);
  assert.deepEqual(readdirSync(join(planted, 'package-insights')), [cacheFile]);

  chmodSync(join(own, 'package-insights'), 0o777);
  const shared = await check({ XDG_CACHE_HOME: own });
  assert.match(shared.out, /GHSA/);
  assert.match(shared.error, /^package-insights: no answers are kept, since other users can change \S+$/m);
});
