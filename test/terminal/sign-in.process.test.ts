import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cli } from '../harness/cli.ts';
import { nobody } from '../harness/nobody.ts';
import { type Ended, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Signing in, over a Secret Service on a bus of its own where this machine has one. */

const secret = 'opensesame-0123456789';
const folder = folderWith({});
after(() => folder.remove());

const server = createServer(({ headers }, response) => {
  const isKnown = headers.authorization === `Bearer ${secret}`;
  response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('{"resources":{}}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const environment = {
  PATH: process.env['PATH'],
  ...nobody,
  HOME: folder.path,
  APPDATA: folder.path,
  XDG_CONFIG_HOME: join(folder.path, 'config'),
  XDG_RUNTIME_DIR: folder.path,
  PACKAGE_INSIGHTS_CACHE_DIR: '',
};

function endOf(child: ChildProcess, input: string): Promise<Ended> {
  let [out, error] = ['', ''];
  child.stdout?.on('data', (it) => {
    out += it;
  });
  child.stderr?.on('data', (it) => {
    error += it;
  });
  child.stdin?.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, error })));
}

const signIn = ['sign-in', 'code-host', '--base-url', address];
const file = join(folder.path, 'config', 'package-insights', 'connections.json');
const isOnLinux = process.platform === 'linux';
const has = (program: string): boolean => isOnLinux && spawnSync('which', [program]).status === 0;

test('where no keyring runs, signing in reports the reason and the variables, and keeps nothing', {
  skip: !isOnLinux && 'every other system has a keyring',
}, async () => {
  const { code, out, error } = await endOf(
    spawn(process.execPath, [cli, 'connections', ...signIn], { env: environment, stdio: 'pipe' }),
    `${secret}\n`,
  );
  assert.deepEqual([code, out, existsSync(file)], [2, '', false]);
  assert.match(error, /keyring .*PACKAGE_INSIGHTS_CODE_HOST_URL and PACKAGE_INSIGHTS_CODE_HOST_TOKEN/);
  assert.doesNotMatch(error, /opensesame/);
});

test('a mistaken command reads no credential', async () => {
  for (const [args, reason] of [
    [['sign-in', 'code-hosts', '--base-url', address], /did you mean code-host/],
    [['sign-in', 'code-host'], /no address/],
    [['sign-in', 'code-host', '--base-url', 'http://service.example'], /plain http is only for this machine/],
    [['sign-in', 'code-host', secret], /use sign-in NAME/],
    [['sign-out'], /sign-out NAME/],
    [['sign-in', 'code-host', '--base-url', `https://user:${secret}@code.example`], /contains a credential/],
  ] as const) {
    const unread = async () => assert.fail('a credential was read');
    const { code, error } = await runHere(['connections', ...args], folder.path, { secret: unread });
    assert.equal(code, 2);
    assert.match(error, reason);
    assert.doesNotMatch(error, /opensesame/);
  }
});

test('a credential that is typed is not shown', { skip: !has('script') && 'there is no terminal' }, async () => {
  const line = [process.execPath, cli, 'connections', ...signIn].map((it) => `'${it}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: environment, stdio: 'pipe' });
  let shown = '';
  let isTyped = false;
  child.stdout.on('data', (it) => {
    shown += it;
    if (isTyped || !shown.includes('Credential of code-host')) return;
    isTyped = true;
    child.stdin.write('opensesame-wrong\r');
  });
  await new Promise((resolve) => child.on('close', resolve));
  assert.match(shown, /does not accept the credential/);
  assert.equal(existsSync(file), false);
  assert.doesNotMatch(shown, /opensesame/);
});

test('over a Secret Service, a person signs in, uses the service without a variable, and signs out', {
  skip: !(has('dbus-run-session') && has('gnome-keyring-daemon')) && 'there is no Secret Service',
}, async () => {
  const run = (args: string) => `'${process.execPath}' '${cli}' ${args}`;
  const script = [
    'printf password | gnome-keyring-daemon --unlock --components=secrets > /dev/null',
    run(`connections ${signIn.join(' ')}`),
    run('call code-host.rateLimit.get'),
    run('connections sign-out code-host'),
  ].join('; echo "= $?"; ');
  const session = spawn('dbus-run-session', ['--', 'sh', '-c', script], { env: environment, stdio: 'pipe' });
  const { out, error } = await endOf(session, secret);
  const [unlocked, signedIn, called, signedOut] = out.split(/= \d\n/);
  assert.match(signedIn ?? '', /^Signed in to code-host/, `${unlocked}${error}`);
  // The service answers only with the credential.
  assert.deepEqual(JSON.parse(called ?? ''), { resources: {} });
  assert.match(signedOut ?? '', /^Signed out/);
  assert.equal(readFileSync(file, 'utf8'), '{}\n');
  assert.doesNotMatch(out + error, /opensesame/);
});
