import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { repositoryAbove } from '../../../server/src/engine/git/git-directory.ts';
import { createTrackedFiles, readGitIndex } from '../../../server/src/engine/git/git-index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'index-'));
after(() => rmSync(scratch, { recursive: true }));

const paths = [
  'a',
  'long/way/to/a file.txt',
  'long/way/to/another.txt',
  'long/wäy',
  'package.json',
  `${'x'.repeat(200)}/${'y'.repeat(200)}`,
];
const sorted = (all: Iterable<string>): string[] => [...all].sort();

function git(directory: string, ...args: readonly string[]): string {
  const own = ['-c', 'core.quotePath=false', '-c', 'user.name=A', '-c', 'user.email=a@host.example'];
  return execFileSync('git', [...own, ...args], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** A repository with some files that git tracks, and one that it does not. */
function repository(name: string, ...options: readonly string[]): string {
  const directory = join(scratch, name);
  mkdirSync(directory);
  git(directory, 'init', ...options);
  for (const it of [...paths, 'untracked']) {
    mkdirSync(dirname(join(directory, it)), { recursive: true });
    writeFileSync(join(directory, it), it);
  }
  git(directory, 'add', ...paths);
  return directory;
}

describe('what git tracks is told as git tells it', () => {
  for (const version of ['2', '3', '4'])
    test(`of an index of version ${version}`, async () => {
      const directory = repository(`version ${version}`);
      // An entry that is only intended has the flags of version 3.
      if (version === '3') git(directory, 'add', '-N', 'untracked');
      else git(directory, 'update-index', '--index-version', version);
      assert.equal(readFileSync(join(directory, '.git', 'index')).readUInt32BE(4), Number(version));
      const told = git(directory, 'ls-files', '-z').split('\0').slice(0, -1);
      assert.deepEqual(sorted(await createTrackedFiles()(directory)), sorted(told));
    });

  test('of one with longer hashes', async () => {
    const directory = repository('sha256', '--object-format=sha256');
    assert.deepEqual(sorted(await createTrackedFiles()(directory)), sorted(paths));
  });

  test('of one that continues another', async () => {
    const directory = repository('split');
    git(directory, 'update-index', '--split-index');
    writeFileSync(join(directory, 'later'), '');
    git(directory, 'add', 'later');
    assert.deepEqual(sorted(await createTrackedFiles()(directory)), sorted([...paths, 'later']));
  });

  test('of a linked work tree', async () => {
    const directory = repository('tree', '--object-format=sha256');
    git(directory, 'commit', '-m', 'All');
    const linked = join(scratch, 'linked');
    git(directory, 'worktree', 'add', linked);
    assert.deepEqual(sorted(await createTrackedFiles()(linked)), sorted(paths));
  });

  test('and anew once it has changed', async () => {
    const directory = repository('anew');
    const tracked = createTrackedFiles();
    assert.equal((await tracked(directory)).has('untracked'), false);
    git(directory, 'add', 'untracked');
    assert.equal((await tracked(directory)).has('untracked'), true);
  });
});

test('nothing is tracked where no index can be read', async () => {
  const tracked = createTrackedFiles();
  assert.equal((await tracked(scratch)).size, 0);
  const empty = join(scratch, 'empty');
  mkdirSync(empty);
  git(empty, 'init');
  assert.equal((await tracked(empty)).size, 0);
  writeFileSync(join(empty, '.git', 'index'), 'DIRC and so on');
  assert.equal((await tracked(empty)).size, 0);
});

test('an index that is cut off anywhere, or altered, is read as none or in part', () => {
  const directory = repository('cut');
  for (const version of ['2', '4']) {
    git(directory, 'update-index', '--index-version', version);
    const whole = readFileSync(join(directory, '.git', 'index'));
    for (let end = 0; end < whole.length; end++) {
      readGitIndex(whole.subarray(0, end), 20);
      const altered = Buffer.from(whole);
      altered[end] = 255 - (altered[end] ?? 0);
      readGitIndex(altered, 20);
    }
  }
});

test('the repository of a folder is the nearest one around it', async () => {
  const directory = repository('nearest');
  assert.equal(await repositoryAbove(join(directory, 'long', 'way')), directory);
  assert.equal(await repositoryAbove(directory), directory);
  assert.equal(await repositoryAbove('/'), undefined);
});
