/*
 * The first thing every npm script runs. It works on the machine's own Node (20.18 or newer) and has no dependencies:
 * it installs node_modules where they are missing or were made from another lockfile, then hands over to the Node that
 * comes with them, which runs TypeScript as it stands.
 *
 *     node test/tools/bootstrap.mjs test/tools/start.ts [arguments]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 18)) {
  console.error(`Node 20.18 or newer is needed to begin with; this is ${process.versions.node}.`);
  process.exit(1);
}

const root = resolve(import.meta.dirname, '..', '..');
const windows = process.platform === 'win32';
const node = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

// `npm ci` below runs `prepare`, which starts this program again: there is nothing to do then.
const insideInstallation = 'PACKAGE_INSIGHTS_INSTALLING';
if (process.env[insideInstallation] !== undefined) process.exit(0);

const stale = staleReason();
if (stale !== undefined) {
  console.error(`${stale}: running npm ci (about half a minute).`);
  const started = Date.now();
  const status = npmCi();
  if (status !== 0) fail(`npm ci failed (exit code ${status}); its messages stand above.`);
  const still = staleReason();
  if (still !== undefined) fail(`npm ci ran, but ${still.charAt(0).toLowerCase()}${still.slice(1)}.`);
  console.error(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
handOver(process.argv.slice(2));

/** Why node_modules cannot be used as they are, or undefined where they can. */
function staleReason() {
  const installedLock = join(root, 'node_modules', '.package-lock.json');
  // npm writes this file last, so an installation that was cut short has none.
  if (!existsSync(installedLock)) return 'The dependencies are not installed';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const there = installed[path];
    // What is optional may be left out: it is for other platforms.
    if (there === undefined ? !entry.optional : there.integrity !== entry.integrity) {
      return `The dependencies were installed from another package-lock.json (${path.replace(/^.*node_modules\//, '')} differs)`;
    }
  }
  if (!existsSync(node)) return 'The Node of this project is not installed (do npm settings forbid install scripts?)';
  return undefined;
}

function npmCi() {
  // npm passes its own path to its scripts.
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : [windows ? 'npm.cmd' : 'npm'];
  // npm's warnings, about tools that prefer a newer Node, need no action.
  const args = [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(command, args, {
    cwd: root,
    // `npm install --global git+…` hands its settings on, and `npm ci` refuses these.
    env: { ...process.env, [insideInstallation]: '1', npm_config_global: 'false', npm_config_location: 'user' },
    stdio: ['ignore', 2, 2],
    shell: windows && first.length === 0,
  });
  return result.error ? result.error.message : (result.status ?? result.signal);
}

function handOver(args) {
  // The channel closes when this process is gone, however it went: the program then ends what it started.
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('error', (error) => fail(`Cannot run ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
  // Control-C reaches the program by itself, as it sits in the same group; this process only waits for it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  if (!windows) process.on('SIGHUP', () => child.kill('SIGTERM'));
  if (process.env.npm_execpath !== undefined) endWithParent(child);
}

/** npm forwards signals, but not when it is killed itself. */
function endWithParent(child) {
  const before = lineage();
  setInterval(() => lineage() === before || child.kill('SIGTERM'), 1000).unref();
}

/** Who started this process: npm, or the shell that npm started and who started that. Changes when one of them dies. */
function lineage() {
  try {
    // `4711 (sh) S 4710 …`: number, name, state, parent
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8')) ?? [];
    return /sh$/.test(name) ? `${process.ppid} ${parent}` : `${process.ppid}`;
  } catch {
    // Only Linux reports about other processes.
    return `${process.ppid}`;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
