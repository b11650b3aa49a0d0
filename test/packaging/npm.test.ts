import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { list } from 'tar';
import { startLsp } from '../harness/lsp-client.ts';
import { npm } from '../tools/npm.ts';
import { packBuiltProgram } from '../tools/packing.ts';
import { cache, root } from '../tools/paths.ts';
import { run, start } from '../tools/processes.ts';
import { nodeOf } from '../tools/vscode.ts';

/** What runs in a terminal. */
const allowed = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^dist\/(cli|program|server|engine|languageserver|undici|connected|private|served|fleet|redis-queue|postgres|team|metrics|redis|import-files|usage-export|keyring|graphs|report)\.js$/,
  /^docs\/(findings|cooldown|project-file|ci|settings)\.md$/,
  /^dist\/report\.css$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^dist\/catalog\/[\w.%@/-]+\.jsonl?$/,
  /^dist\/catalog\/README\.md$/,
];

const needed = [
  'package.json',
  'README.md',
  'LICENSE',
  'l10n/bundle.l10n.de.json',
  'docs/findings.md',
  'dist/cli.js',
  'dist/program.js',
  'dist/server.js',
  'dist/engine.js',
  'dist/languageserver.js',
  'dist/connected.js',
  'dist/private.js',
  'dist/served.js',
  'dist/fleet.js',
  'dist/redis-queue.js',
  'dist/postgres.js',
  'dist/team.js',
  'dist/metrics.js',
  'dist/redis.js',
  'dist/import-files.js',
  'dist/undici.js',
  'dist/usage-export.js',
  'dist/keyring.js',
  'dist/graphs.js',
  'dist/report.js',
  'dist/report.css',
  'dist/THIRD-PARTY-NOTICES.txt',
];

const folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
const archive = join(folder, 'program.tgz');
const files: string[] = [];

before(async () => {
  await packBuiltProgram(archive);
  await list({ file: archive, onReadEntry: ({ path }) => files.push(path.replace(/^package\//, '')) });
});

after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

test('the npm package holds what runs in a terminal', () => {
  assert.deepEqual(
    files.filter((file) => !allowed.some((it) => it.test(file))),
    [],
    'these should not be in it',
  );
  assert.deepEqual(
    needed.filter((it) => !files.includes(it)),
    [],
    'these should be in it',
  );
  assert.ok(
    files.some((it) => it.startsWith('dist/catalog/')),
    'the catalog is in it',
  );
});

test('installed from its archive, it serves, checks and answers an editor on the oldest Node and on the newest', async (t) => {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{}');
  // Offline, as it has no dependencies but an optional one.
  await npm(['install', '--offline', '--no-audit', '--no-fund', archive], home);
  const installed = JSON.parse(readFileSync(join(home, 'node_modules', 'package-insights', 'package.json'), 'utf8'));
  // npm runs nothing that is not named, but a build of native code where there is a file for it.
  assert.deepEqual(
    [installed.scripts, installed.dependencies, installed.devDependencies],
    [undefined, undefined, undefined],
  );
  assert.ok(!files.includes('binding.gyp'));
  const program = join(home, 'node_modules', 'package-insights', 'dist', 'cli.js');
  const project = join(folder, 'project');
  mkdirSync(project);
  const manifest = '{ "dependencies": { "lodash": "4.17.15" } }';
  writeFileSync(join(project, 'package.json'), manifest);
  for (const major of ['20', '24', '26']) {
    await t.test(`Node ${major}`, async (context) => {
      const node = await nodeOf(major);
      const command = (...args: string[]) => ({
        name: args.join(' '),
        command: node,
        args: [program, ...args],
        cwd: project,
      });
      const usage = await run(command('--version'));
      assert.ok(usage.ok, usage.output);
      const service = await start(command('serve', '--port', '0'), /listening on (http:\S+)/);
      context.after(() => service.stop());
      const baseUrl = service.said[1] ?? '';
      const answer = await fetch(`${baseUrl}/v3alpha/systems/NPM/packages/lodash`);
      assert.equal(answer.status, 200);
      const checked = await run(command('check', '--base-url', baseUrl, 'package.json'));
      assert.match(checked.output, /^lodash 4\.17\.15 {2}high 7\.4/m);
      const editor = await startLsp({ node, program: [program, 'lsp', '--stdio'], settings: { baseUrl } });
      const uri = pathToFileURL(join(project, 'package.json')).href;
      await editor.open(uri, manifest);
      await editor.pushedUntil(uri, (all) => all.some((it) => it.code === 'advisory'));
      assert.equal(await editor.stop(), 0);
    });
  }
});

test('the notices name every package whose code is in a bundle, with the text of its license', () => {
  const bundles = globSync('metafiles/*.json', { cwd: cache }).flatMap((file): [string, Bundle][] =>
    Object.entries(JSON.parse(readFileSync(join(cache, file), 'utf8')).outputs),
  );
  const shipped = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
  const ofExtension = bundles.filter(([path]) => shipped.includes(`!dist/${basename(path)}`));
  for (const [file, some, atLeast] of [
    ['THIRD-PARTY-NOTICES.txt', bundles, 50],
    ['EXTENSION-NOTICES.txt', ofExtension, 15],
  ] as const) {
    const bundled = new Set(some.flatMap(([, it]) => Object.keys(it.inputs)).flatMap(packageIn));
    assert.ok(bundled.size > atLeast, `${bundled.size} packages`);
    const texts = licensesIn(sectionsOf(file));
    // The shortest of the licenses that are used has some 700 characters.
    assert.deepEqual(
      [...bundled].filter((it) => (texts.get(it)?.length ?? 0) < 500),
      [],
      file,
    );
  }
  const sections = sectionsOf('THIRD-PARTY-NOTICES.txt');
  for (const database of ['GitHub Advisory Database', 'PyPA', 'RustSec', 'The Go Authors']) {
    assert.ok(sections.at(-1)?.includes(database), database);
  }
});

interface Bundle {
  readonly inputs: Readonly<Record<string, unknown>>;
}

function packageIn(input: string): readonly string[] {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
  return name === undefined ? [] : [name];
}

function sectionsOf(file: string): readonly string[] {
  return readFileSync(join(root, 'dist', file), 'utf8')
    .split(/\n-{80}\n/)
    .slice(1);
}

function licensesIn(sections: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    sections.flatMap((section) => {
      const [names = '', ...text] = section.trim().split('\n\n');
      return names.split('\n').map((it): [string, string] => [it.replace(/ \d\S* \(.*\)$/, ''), text.join('\n\n')]);
    }),
  );
}
