import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createTrackedFiles } from '../../server/src/engine/git/git-index.ts';
import type { Checkout } from '../../server/src/fleet/checkout/checkout.ts';
import { openGit } from '../../server/src/fleet/checkout/git-checkout.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import { folderWith } from '../terminal/program.ts';

const folder = folderWith({});
after(() => folder.remove());
const scratch = join(folder.path, 'scratch');
mkdirSync(scratch);
const signal = new AbortController().signal;
let count = 0;

const environment = { PATH: process.env['PATH'], HOME: folder.path };

function git(directory: string, ...args: readonly string[]): string {
  const names = ['user.name=a', 'user.email=a@code.example', 'init.defaultBranch=main', 'uploadpack.allowFilter=true'];
  return execFileSync('git', [...names.flatMap((it) => ['-c', it]), '-C', directory, ...args], {
    encoding: 'utf8',
    env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** A repository with one commit, and its address. */
function repositoryWith(files: Readonly<Record<string, string>>, prepare: (path: string) => void = () => {}) {
  const path = join(folder.path, `repository ${count++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  mkdirSync(path, { recursive: true });
  git(path, 'init', '--quiet');
  prepare(path);
  git(path, 'add', '--all', '--force');
  git(path, 'commit', '--quiet', '--allow-empty', '--message=x');
  git(path, 'config', 'uploadpack.allowFilter', 'true');
  return { path, address: pathToFileURL(path).href };
}

async function checkoutOf(address: string, branch?: string): Promise<Checkout> {
  const opened = await openGit({ address, ...(branch && { branch }) }, scratch, environment, signal);
  assert.ok(opened.kind === 'checkout', JSON.stringify(opened));
  return opened.checkout;
}

async function refusalOf(address: string, branch?: string) {
  const opened = await openGit({ address, ...(branch && { branch }) }, scratch, environment, signal);
  assert.ok(opened.kind === 'refused', JSON.stringify(opened));
  assert.deepEqual(readdirSync(scratch), []);
  return opened;
}

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((it) => !it.startsWith('.git') || it.startsWith('.github'))
    .filter((it) => !lstatSync(join(directory, it)).isDirectory())
    .sort();

test('manifests, lockfiles and settings are brought, and nothing else', async () => {
  const { path, address } = repositoryWith({
    'package.json': '{}',
    'package-lock.json': '{}',
    'dist/package.json': '{}',
    '.npmrc': 'registry=https://registry.example/',
    'deep/.cargo/config.toml': '',
    '.package-insights.json': '{}',
    '.github/CODEOWNERS': '* @a',
    'src/index.ts': 'code',
    'picture.png': 'x'.repeat(100_000),
    'requirements/dev.txt': 'requests',
    'app/App.csproj': '<Project/>',
    'app/Program.cs': 'code',
    'tools/script.cs': '#:package a@1.0.0\n',
  });
  const checkout = await checkoutOf(address);
  assert.deepEqual(filesIn(checkout.directory), [
    '.github/CODEOWNERS',
    '.npmrc',
    '.package-insights.json',
    'app/App.csproj',
    'deep/.cargo/config.toml',
    'dist/package.json',
    'package-lock.json',
    'package.json',
    'requirements/dev.txt',
    'tools/script.cs',
  ]);
  assert.deepEqual(checkout.left, []);
  assert.equal(checkout.revision, git(path, 'rev-parse', 'HEAD').trim());
  // Ignored folders are searched, since git tracks what is in them.
  assert.ok((await createTrackedFiles()(checkout.directory)).has('src/index.ts'));
  await checkout.close();
  assert.deepEqual(readdirSync(scratch), []);
});

test('a file that a manifest names is brought when it is read', async () => {
  const { address } = repositoryWith({ 'requirements.txt': '-r base.list\n', 'base.list': 'requests==2.0\n' });
  const { directory, bringing, close } = await checkoutOf(address);
  assert.deepEqual(filesIn(directory), ['requirements.txt']);
  const files = bringing?.(diskFiles(() => [`${pathToFileURL(directory).href}/`])) ?? assert.fail();
  const uri = pathToFileURL(join(directory, 'base.list')).href;
  assert.deepEqual(await Promise.all([files.read(uri), files.read(uri)]), ['requests==2.0\n', 'requests==2.0\n']);
  assert.equal(await files.read(pathToFileURL(join(directory, 'none.list')).href), undefined);
  await close();
});

test('links are brought as they are, and lead nowhere else', async () => {
  const { address } = repositoryWith({ 'real/package.json': '{"name":"real"}' }, (path) => {
    symlinkSync('/etc/passwd', join(path, 'package.json'));
    symlinkSync('../../../../../../etc/passwd', join(path, '.npmrc'));
    mkdirSync(join(path, 'web'));
    symlinkSync('../real/package.json', join(path, 'web', 'package.json'));
  });
  const { directory, close } = await checkoutOf(address);
  const files = diskFiles(() => [`${pathToFileURL(directory).href}/`]);
  const read = (name: string) => files.tryRead?.(pathToFileURL(join(directory, name)).href);
  assert.deepEqual(await read('package.json'), { why: 'outside' });
  // Settings that cannot be read may make any name private: they must not look absent.
  assert.deepEqual(await read('.npmrc'), { why: 'outside' });
  assert.equal(await read('web/package.json'), '{"name":"real"}');
  await close();
});

test('hooks, filters, monitors and settings of a repository run nothing', async () => {
  const mark = join(folder.path, 'ran');
  const script = `#!/bin/sh\ntouch '${mark}'\n`;
  const { path, address } = repositoryWith({
    'package.json': '{}',
    '.gitattributes': '* filter=evil diff=evil merge=evil\n*.json filter=lfs\n',
    '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch% ${mark}"\n\tupdate = !touch ${mark}\n`,
    '.lfsconfig': `[lfs]\n\turl = ext::sh -c touch\n`,
  });
  for (const it of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-auto-gc', 'update'])
    writeFileSync(join(path, '.git', 'hooks', it), script, { mode: 0o755 });
  // Both the settings of the repository that is cloned and those of the person.
  const evil = [
    ['core.sshCommand', `touch ${mark}`],
    ['core.fsmonitor', `touch ${mark}`],
    ['core.hooksPath', join(path, '.git', 'hooks')],
    ['core.gitProxy', `touch ${mark}`],
    ['core.alternateRefsCommand', `touch ${mark}`],
    ['credential.helper', `!touch ${mark}`],
    ['filter.evil.smudge', `touch ${mark}`],
    ['uploadpack.packObjectsHook', `touch ${mark}`],
    ['remote.origin.uploadpack', `touch ${mark}; git-upload-pack`],
    ['protocol.ext.allow', 'always'],
  ] as const;
  for (const [name, value] of evil) git(path, 'config', name, value);
  writeFileSync(join(folder.path, '.gitconfig'), readFileSync(join(path, '.git', 'config')));
  const { directory, close } = await checkoutOf(address);
  assert.equal(readFileSync(join(directory, 'package.json'), 'utf8'), '{}');
  await close();
  assert.ok(!existsSync(mark));
});

test('what cannot be cloned is refused with a reason, and asks no question', async () => {
  const missing = await refusalOf(pathToFileURL(join(folder.path, 'none')).href);
  assert.match(missing.reason, /^git: /);
  assert.equal(missing.isTransient, false);
  const { address } = repositoryWith({ 'package.json': '{}' });
  assert.match((await refusalOf(address, 'none')).reason, /Remote branch none not found/);
  // Only the protocol of the address is allowed, so that nothing leads to another one.
  assert.match((await refusalOf('ext::sh -c id')).reason, /not allowed/);
});

test('another branch, and a repository without commits', async () => {
  const { path, address } = repositoryWith({ 'package.json': '{"name":"main"}' });
  git(path, 'checkout', '--quiet', '-b', 'release/2');
  writeFileSync(join(path, 'package.json'), '{"name":"release"}');
  git(path, 'commit', '--quiet', '--all', '--message=y');
  const { directory, close } = await checkoutOf(address, 'release/2');
  assert.equal(readFileSync(join(directory, 'package.json'), 'utf8'), '{"name":"release"}');
  await close();
  const empty = join(folder.path, 'empty');
  mkdirSync(empty);
  git(empty, 'init', '--quiet');
  const nothing = await checkoutOf(pathToFileURL(empty).href);
  assert.equal(nothing.revision, undefined);
  await nothing.close();
});

test('a huge file reads as too large, and takes no room', async () => {
  const { address } = repositoryWith({}, (path) => {
    writeFileSync(join(path, 'package-lock.json'), Buffer.alloc(33 * 1024 * 1024));
    writeFileSync(join(path, 'package.json'), '{}');
  });
  const { directory, close } = await checkoutOf(address);
  const files = diskFiles(() => [`${pathToFileURL(directory).href}/`]);
  const place = join(directory, 'package-lock.json');
  assert.deepEqual(await files.tryRead?.(pathToFileURL(place).href), { why: 'too large' });
  assert.ok(lstatSync(place).blocks * 512 < 1024 * 1024);
  await close();
});

test('a tree that git would not check out is refused', async () => {
  const { path, address } = repositoryWith({ 'package.json': '{}' });
  // A folder of git within the tree, as no client of git makes it.
  const blob = git(path, 'hash-object', '-w', 'package.json').trim();
  const inner = execFileSync('git', ['-C', path, 'mktree'], {
    input: `100644 blob ${blob}\tconfig\n`,
    encoding: 'utf8',
  }).trim();
  const tree = execFileSync('git', ['-C', path, 'mktree'], {
    input: `040000 tree ${inner}\t.git\n`,
    encoding: 'utf8',
  }).trim();
  const commit = git(path, 'commit-tree', '-m', 'z', tree).trim();
  git(path, 'update-ref', 'refs/heads/main', commit);
  const refused = await refusalOf(address);
  assert.match(refused.reason, /invalid path/i);
  assert.equal(refused.isTransient, false);
});
