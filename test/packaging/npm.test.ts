import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { npm } from '../tools/npm.ts';
import { root } from '../tools/paths.ts';
import { run, start } from '../tools/processes.ts';
import { nodeOf } from '../tools/vscode.ts';

/** What runs in a terminal. The client is there because npm packs whatever `main` names. */
const allowed = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^dist\/(cli|program|server|engine|languageserver|client|undici|connected|private|served|fleet|redis-queue|postgres|team|metrics|redis|import-files|usage-export|keyring|graphs|report)\.js$/,
  /^dist\/report\.css$/,
  /^dist\/catalog\/[\w.%@/-]+\.jsonl?$/,
  /^dist\/catalog\/README\.md$/,
];

const needed = [
  'package.json',
  'README.md',
  'LICENSE',
  'l10n/bundle.l10n.de.json',
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
];

const folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
let files: string[] = [];
let archive = '';

before(async () => {
  const packed = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root);
  const [answer]: { filename: string; files: { path: string }[] }[] = Object.values(JSON.parse(packed));
  assert.ok(answer);
  files = answer.files.map((it) => it.path);
  archive = join(folder, answer.filename);
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

test('installed from its archive, it serves packages on the oldest Node it is for', async (context) => {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{}');
  // Offline, as it has no dependencies but an optional one.
  await npm(['install', '--offline', '--no-audit', '--no-fund', archive], home);
  const program = join(home, 'node_modules', 'package-insights', 'dist', 'cli.js');
  const node = await nodeOf('20');
  const usage = await run({ name: 'package-insights', command: node, args: [program, '--version'], cwd: home });
  assert.ok(usage.ok, usage.output);
  const service = await start(
    { name: 'package-insights serve', command: node, args: [program, 'serve', '--port', '0'], cwd: home },
    /listening on (http:\S+)/,
  );
  context.after(() => service.stop());
  const answer = await fetch(`${service.said[1]}/v3alpha/systems/NPM/packages/lodash`);
  assert.equal(answer.status, 200);
});
