import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cli } from '../harness/cli.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith, runProgram, spawnProgram } from './program.ts';
import { runHere } from './terminal.ts';

const service = await startServiceForFile({ 'NPM left-pad': { versions: ['1.3.0'] } });
const folder = folderWith({ 'package.json': '{ "dependencies": { "left-pad": "1.3.0" } }' });
after(() => folder.remove());
const at = (name: string): string => join(folder.path, name);
const posix = { skip: process.platform === 'win32' };
const environment = { PACKAGE_INSIGHTS_BASE_URL: service.url, PACKAGE_INSIGHTS_CACHE_DIR: '' };

/** Each command that writes a file, and how its text begins. */
const writers = [
  [['check', '--format', 'json', '--output'], '{'],
  [['check', '--format', 'html', '--output'], '<!doctype html>'],
  [['check', '--write-baseline', '--baseline'], '{'],
  [['notices', '--output'], 'Licenses of'],
] as const;

for (const [args, begin] of writers) {
  const write = (name: string) => runHere([...args, name], folder.path, { baseUrl: service.url });

  test(`${args.join(' ')} exchanges the file in one step, as it is to others`, posix, async () => {
    folder.write('old', 'the old one');
    chmodSync(at('old'), 0o600);
    symlinkSync('old', at('link'));
    // Who has opened it reads what it was, to its end.
    const reader = openSync(at('old'), 'r');
    assert.equal((await write('link')).code, 0);
    assert.equal(readFileSync(reader, 'utf8'), 'the old one');
    closeSync(reader);
    assert.ok(readFileSync(at('old'), 'utf8').startsWith(begin));
    assert.equal(statSync(at('old')).mode & 0o777, 0o600);
    assert.ok(lstatSync(at('link')).isSymbolicLink());
    assert.deepEqual(readdirSync(folder.path).sort(), ['link', 'old', 'package.json']);
    execFileSync('rm', [at('link'), at('old')]);
  });

  test(`${args.join(' ')} writes where nothing can be exchanged`, posix, async () => {
    folder.write('one', '');
    linkSync(at('one'), at('other'));
    symlinkSync('new', at('dangling'));
    for (const name of ['one', 'dangling', 'fresh']) assert.equal((await write(name)).code, 0);
    for (const name of ['other', 'new', 'fresh']) assert.ok(readFileSync(at(name), 'utf8').startsWith(begin), name);
    assert.ok(lstatSync(at('dangling')).isSymbolicLink());
    execFileSync('rm', ['one', 'other', 'dangling', 'new', 'fresh'].map(at));
  });
}

test('a report goes to standard output by its address, in a pipe and in a file', {
  skip: !existsSync('/dev/stdout'),
}, async () => {
  const args = ['check', '--format', 'json', '--output', '/dev/stdout'];
  // Node itself hands over sockets, which have no address; a shell hands over pipes.
  const line = [process.execPath, '--disable-warning=ExperimentalWarning', cli, ...args].join(' ');
  const shell = spawn('sh', ['-c', `${line} | cat`], { cwd: folder.path, env: { ...process.env, ...environment } });
  let piped = '';
  shell.stdout.setEncoding('utf8').on('data', (it: string) => {
    piped += it;
  });
  await new Promise((resolve) => shell.once('close', resolve));
  assert.ok(piped.startsWith('{'), piped);
  const file = openSync(at('redirected'), 'w');
  const child = spawnProgram(args, folder.path, environment, file);
  await new Promise((resolve) => child.once('close', resolve));
  closeSync(file);
  // The shell's file is still the one that holds it.
  assert.ok(readFileSync(at('redirected'), 'utf8').includes('"dependencies"'));
  execFileSync('rm', [at('redirected')]);
});

test('a report goes into a pipe that has a name', posix, async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const reading = spawn('cat', [at('pipe')]);
  let read = '';
  reading.stdout.setEncoding('utf8').on('data', (it: string) => {
    read += it;
  });
  const closed = new Promise((resolve) => reading.once('close', resolve));
  const { code } = await runProgram(['check', '--format', 'json', '--output', 'pipe'], folder.path, environment);
  await closed;
  assert.equal(code, 0);
  assert.ok(read.startsWith('{'));
  assert.ok(statSync(at('pipe')).isFIFO());
});
