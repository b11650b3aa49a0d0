import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Report } from '../../server/src/engine/report/report.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/*
 * Names of files are bytes on Linux. Those that are not UTF-8 have no string that opens them.
 */
const skip = process.platform !== 'linux';
const service = await startServiceForFile({ 'NPM left-pad': { versions: ['1.3.0'] } });
const clean = '{ "dependencies": { "left-pad": "1.3.0" } }';
const csproj = '<Project Sdk="Microsoft.NET.Sdk"></Project>';

function setUp() {
  const folder = folderWith({ 'package.json': clean });
  after(() => rmSync(folder.path, { recursive: true, force: true }));
  const at = (name: string): Buffer => Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from(name, 'latin1')]);
  const git = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync('git', args, { cwd: folder.path, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  return {
    git,
    mkdir: (name: string) => mkdirSync(at(name), { recursive: true }),
    write: (name: string, text: string) => writeFileSync(at(name), text),
    remove: (name: string) => rmSync(at(name)),
    async unread(...args: readonly string[]) {
      const given = ['check', '--format', 'json', ...args];
      const { code, out } = await runHere(given, folder.path, { baseUrl: service.url });
      const { unread, manifests } = JSON.parse(out) as Report;
      return { code, unread, manifests };
    },
  };
}

test('a tracked manifest in a folder whose name is not UTF-8 counts as not read', { skip }, async () => {
  const { git, mkdir, write, unread } = setUp();
  mkdir('caf\xe9/sub');
  write('caf\xe9/package.json', clean);
  write('caf\xe9/sub/package.json', clean);
  mkdir('node_modules/\xe9');
  write('node_modules/\xe9/package.json', clean);
  mkdir('fixtures-\xe9');
  write('fixtures-\xe9/text', '');
  git('init', '-q');
  git('add', '-A', '-f');
  const expected = ['caf\ufffd/package.json', 'caf\ufffd/sub/package.json'];
  assert.deepEqual(await unread(), { code: 2, unread: expected, manifests: 1 });
  assert.deepEqual(await unread('--exclude', '/caf*'), { code: 0, unread: [], manifests: 1 });
});

test('so does one whose own name is not UTF-8', { skip }, async () => {
  const { git, write, unread } = setUp();
  write('\xe9.csproj', csproj);
  git('init', '-q');
  git('add', '-A');
  assert.deepEqual(await unread(), { code: 2, unread: ['\ufffd.csproj'], manifests: 1 });
});

test('without git the folder counts as not read', { skip }, async () => {
  const { mkdir, write, unread } = setUp();
  mkdir('caf\xe9');
  write('caf\xe9/package.json', clean);
  write('\xe9.csproj', csproj);
  assert.deepEqual(await unread(), { code: 2, unread: ['caf\ufffd', '\ufffd.csproj'], manifests: 1 });
});

test('a name with the replacement character itself is a name as any other', { skip }, async () => {
  const { git, mkdir, write, unread } = setUp();
  const folder = Buffer.from('caf\ufffd').toString('latin1');
  mkdir(folder);
  write(`${folder}/package.json`, clean);
  git('init', '-q');
  git('add', '-A');
  assert.deepEqual(await unread(), { code: 0, unread: [], manifests: 2 });
});
