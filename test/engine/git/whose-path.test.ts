import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import {
  canOthersChange,
  isOfWorkspace,
  isOfWorkspaceNow,
  isWithin,
  workspacePlaces,
  workspacePlacesNow,
} from '../../../server/src/engine/git/whose-path.ts';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'whose-')));
after(() => rmSync(scratch, { recursive: true }));
const at = (path: string): string => join(scratch, path);

function write(path: string, text = ''): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
}

/** Both ways of asking, which must agree. */
async function isIts(path: string, ...folders: string[]): Promise<boolean> {
  const given = folders.map((it) => fileUri(at(it)));
  const answer = await isOfWorkspace(at(path), await workspacePlaces(given));
  assert.equal(isOfWorkspaceNow(at(path), workspacePlacesNow(given)), answer, path);
  return answer;
}

test('a path in a folder or its repository is of the workspace, whatever link leads there', async () => {
  write('repo/.git/HEAD');
  write('repo/app/.npmrc');
  write('repo/.cargo/config.toml');
  write('home/.npmrc');
  write('repository/.npmrc');
  link('home/into', at('repo/.cargo'));
  link('home/.yarnrc', '../repo/app/.npmrc');
  link('home/relative', 'into/config.toml');
  link('repo/app/out', at('home'));
  link('opened', at('repo/app'));
  for (const inside of [
    'repo/app/.npmrc',
    'repo/app/not-there',
    'repo/.cargo/config.toml',
    'home/into/config.toml',
    'home/.yarnrc',
    'home/relative',
    'opened/.npmrc',
    // Whoever wrote the link chose where it leads.
    'repo/app/out/.npmrc',
  ]) {
    assert.equal(await isIts(inside, 'repo/app'), true, inside);
  }
  // The repository of a link's target, too.
  assert.equal(await isIts('repo/.cargo/config.toml', 'opened'), true);
  for (const outside of ['home/.npmrc', 'repository/.npmrc', 'home', '.'])
    assert.equal(await isIts(outside, 'repo/app'), false, outside);
  assert.equal(await isIts('home/.npmrc', 'home'), true);
  assert.equal(await isIts('home/.npmrc', '.'), true);
  assert.equal(await isIts('home/.npmrc'), false);
});

test('a path in a circle of links is of the workspace, since nothing shows where it ends', async () => {
  link('round/a', 'b');
  link('round/b', 'a');
  assert.equal(await isIts('round/a/.npmrc', 'repo/app'), true);
});

test('a submodule belongs to the repository above it, a linked work tree to the main one', async () => {
  write('main/.git/HEAD');
  write('main/.npmrc');
  write('main/sub/.git', 'gitdir: ../.git/modules/sub\n');
  write('tree/.git', `gitdir: ${at('main/.git/worktrees/tree')}\n`);
  write('apart/.git', `gitdir: ${at('apart.git')}\n`);
  assert.equal(await isIts('main/.npmrc', 'main/sub'), true);
  assert.equal(await isIts('main/.npmrc', 'tree'), true);
  assert.equal(await isIts('main/.npmrc', 'apart'), false);
});

test('folders of other file systems and of other machines have no paths here', async () => {
  assert.deepEqual(await workspacePlaces(['vscode-vfs://host/a', 'file://host/share']), []);
});

test('paths of Windows are compared without case, in each of their forms', () => {
  const within = (path: string, folder: string): boolean => isWithin(path, folder, 'win32');
  for (const [path, folder] of [
    ['C:\\work\\app\\.npmrc', 'C:\\work\\app'],
    ['c:\\WORK\\App\\.npmrc', 'C:\\work\\app\\'],
    ['\\\\?\\C:\\work\\app\\.npmrc', 'C:\\work\\app'],
    ['C:/work/app/x', '\\\\?\\c:\\work\\app'],
    ['\\\\?\\UNC\\host\\share\\app', '\\\\host\\share'],
    ['C:\\work\\..\\work\\app', 'C:\\work'],
    ['C:\\work', 'C:\\work'],
    ['C:\\anything', 'C:\\'],
    ['C:\\work\\..config', 'C:\\work'],
  ] as const)
    assert.equal(within(path, folder), true, `${path} in ${folder}`);
  for (const [path, folder] of [
    ['D:\\work\\app', 'C:\\work'],
    ['C:\\workshop', 'C:\\work'],
    ['C:\\work\\..\\other', 'C:\\work'],
    ['\\\\host\\other\\app', '\\\\host\\share'],
    ['C:\\', 'C:\\work'],
  ] as const)
    assert.equal(within(path, folder), false, `${path} in ${folder}`);
  assert.equal(isWithin('/Users/Me/App', '/users/me', 'darwin'), true);
  assert.equal(isWithin('/home/Me/App', '/home/me', 'linux'), false);
});

test('others can change what they may write to, or replace in a folder above', {
  skip: process.platform === 'win32',
}, () => {
  write('modes/own/file');
  chmodSync(at('modes/own/file'), 0o644);
  chmodSync(at('modes/own'), 0o755);
  chmodSync(at('modes'), 0o755);
  chmodSync(scratch, 0o755);
  assert.equal(canOthersChange(at('modes/own/file')), false);
  assert.equal(canOthersChange(at('modes/own/not-there')), true);
  for (const [path, mode, isTheirs] of [
    ['modes/own/file', 0o666, true],
    ['modes/own/file', 0o664, true],
    ['modes/own', 0o777, true],
    ['modes/own', 0o775, true],
    // What this user has in a sticky folder stays.
    ['modes/own', 0o1777, false],
  ] as const) {
    chmodSync(at(path), mode);
    assert.equal(canOthersChange(at('modes/own/file')), isTheirs, `${path} ${mode.toString(8)}`);
    chmodSync(at(path), path.endsWith('file') ? 0o644 : 0o755);
  }
  chmodSync(at('modes/own'), 0o1777);
  assert.equal(canOthersChange(at('modes/own')), true);
  chmodSync(at('modes/own'), 0o755);
  // Only an administrator can give files away.
  if (process.getuid?.() !== 0) return;
  chownSync(at('modes/own'), 4711, 4711);
  assert.equal(canOthersChange(at('modes/own/file')), true);
});
