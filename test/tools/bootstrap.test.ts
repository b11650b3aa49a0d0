import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

/** A checkout that has nothing but the bootstrap, a lockfile, and an npm that only notes that it was called. */
function checkout(context: TestContext): {
  readonly lock: (version: string) => void;
  readonly run: (
    code: string,
    env?: Readonly<Record<string, string>>,
  ) => { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  readonly installs: () => number;
  readonly args: (code: string) => readonly string[];
  readonly folder: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'test', 'tools'), { recursive: true });
  const bootstrap = join(folder, 'test', 'tools', 'bootstrap.mjs');
  cpSync(join(import.meta.dirname, 'bootstrap.mjs'), bootstrap);
  const npm = join(folder, 'npm-cli.js');
  const node = 'node_modules/node/bin/node';
  writeFileSync(
    npm,
    `const fs = require('node:fs');
     if (!process.argv.includes('ci')) process.exit(9);
     fs.appendFileSync('installs', 'x');
     if (fs.existsSync('broken')) process.exit(3);
     if (process.env.npm_config_global === 'true' || process.env.npm_config_location === 'global') process.exit(4);
     // The checkout's \`prepare\`, which a blocked install script leaves without its Node.
     const { status } = require('node:child_process').spawnSync(process.execPath, ['test/tools/bootstrap.mjs', '-e', '']);
     if (status !== 0) process.exit(5);
     fs.mkdirSync('node_modules/node/bin', { recursive: true });
     fs.rmSync('${node}', { force: true });
     fs.symlinkSync(process.execPath, '${node}');
     fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');`,
  );
  const lock = (version: string): void => {
    const packages = {
      '': { name: 'x' },
      'node_modules/a': { version, integrity: `sha512-${version}` },
      'node_modules/for-others': { version, integrity: 'sha512-x', optional: true },
    };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  };
  lock('1.0.0');
  const args = (code: string): readonly string[] => [bootstrap, '-e', code];
  return {
    folder,
    lock,
    args,
    run: (code, env) =>
      spawnSync(process.execPath, args(code), { encoding: 'utf8', env: { ...process.env, npm_execpath: npm, ...env } }),
    installs: () => (existsSync(join(folder, 'installs')) ? readFileSync(join(folder, 'installs')).length : 0),
  };
}

test('dependencies are installed once, and again when the lockfile has changed', (context) => {
  const { run, lock, installs } = checkout(context);
  const first = run('console.log("ran")');
  assert.equal(first.stdout, 'ran\n', first.stderr);
  assert.match(first.stderr, /^The dependencies are not installed: running npm ci/);
  assert.equal(run('console.log("ran")').stderr, '');
  assert.equal(installs(), 1);
  lock('1.0.1');
  assert.match(run('').stderr, /installed from another package-lock.json \(a differs\)/);
  assert.equal(installs(), 2);
});

test('dependencies are installed where npm installs the program for everybody, and once', (context) => {
  const { run, installs } = checkout(context);
  const first = run('console.log("ran")', { npm_config_global: 'true', npm_config_location: 'global' });
  assert.equal(first.stdout, 'ran\n', first.stderr);
  assert.equal(installs(), 1);
});

test('a failing npm ci ends with its exit code named', (context) => {
  const { run, folder } = checkout(context);
  writeFileSync(join(folder, 'broken'), '');
  const { status, stderr } = run('');
  assert.equal(status, 1);
  assert.match(stderr, /npm ci failed \(exit code 3\)/);
});

test('the exit code of the program is handed back', (context) => {
  assert.equal(checkout(context).run('process.exit(7)').status, 7);
});

test('a program is asked to end when the bootstrap is, and told when the bootstrap is gone', async (context) => {
  const { run, args } = checkout(context);
  run('');
  const program = (event: string): string =>
    `process.on('${event}', () => { console.log('${event}'); process.exit(); }); setInterval(() => {}, 1000); console.log('up');`;
  for (const [signal, event] of [
    ['SIGTERM', 'SIGTERM'],
    ['SIGKILL', 'disconnect'],
  ] as const) {
    const child = spawn(process.execPath, args(program(event)), { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed === 'up\n') child.kill(signal);
    });
    await once(child, 'close');
    assert.equal(printed, `up\n${event}\n`);
  }
});
