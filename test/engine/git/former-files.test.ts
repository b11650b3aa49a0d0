import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createFormerTexts } from '../../../server/src/engine/git/former-files.ts';
import { openObjects } from '../../../server/src/engine/git/object-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'former-'));
after(() => rmSync(scratch, { recursive: true }));

function git(directory: string, ...args: readonly string[]): string {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@host.example', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...own, ...args], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function write(directory: string, name: string, text: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
}

function commit(directory: string): void {
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--message', 'more');
}

let last = 0;

const made = new Map<string, string>();

/** A repository with 40 commits, whose last one has `package.json` of 4,000 lines and one more file. */
function repository(...options: readonly string[]): string {
  const kind = options.join(' ');
  const directory = join(scratch, `${++last}`);
  const before = made.get(kind);
  if (before === undefined) {
    mkdirSync(directory);
    git(directory, 'init', '--quiet', ...options);
    for (let at = 1; at <= 40; at++) {
      write(directory, 'package.json', textOf(at));
      write(directory, 'a/b/ünlich/requirements.txt', `former==${at}\n`);
      commit(directory);
    }
    cpSync(directory, `${directory} as made`, { recursive: true });
    made.set(kind, `${directory} as made`);
  } else cpSync(before, directory, { recursive: true });
  return directory;
}

/** Mostly equal, so that git packs it as one delta on another. */
function textOf(at: number): string {
  return Array.from({ length: 4000 }, (_, line) => `line ${line} ${line % 400 === at ? `of ${at}` : ''}\n`).join('');
}

const isLike = (name: string): boolean => name === 'package.json';
const former = (...path: readonly string[]): Promise<readonly string[] | undefined> =>
  createFormerTexts((it) => Buffer.from(it).toString())(join(...path), isLike);

describe('what a file was in the last commit', () => {
  const ways: readonly (readonly [string, (directory: string) => void, ...(readonly string[])])[] = [
    ['with loose objects', () => {}],
    ['packed by git gc', (it) => git(it, 'gc', '--quiet')],
    [
      'packed, and loose since',
      (it) => {
        git(it, 'gc', '--quiet');
        write(it, 'other', 'text');
        commit(it);
      },
    ],
    [
      'in several packs with one index',
      (it) => {
        git(it, 'repack', '--quiet');
        write(it, 'other', 'text');
        commit(it);
        git(it, 'repack', '--quiet', '--write-midx');
      },
    ],
    ['with deltas to named objects', (it) => git(it, '-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq')],
    ['without compression', (it) => git(it, '-c', 'pack.compression=0', 'repack', '-adfFq')],
    ['with longer hashes', () => {}, '--object-format=sha256'],
    ['with longer hashes, packed', (it) => git(it, 'gc', '--quiet'), '--object-format=sha256'],
    ['where HEAD is a commit', (it) => git(it, 'checkout', '--quiet', '--detach')],
  ];
  for (const [name, make, ...options] of ways)
    test(name, async () => {
      const directory = repository(...options);
      make(directory);
      write(directory, 'package.json', 'now\r\n');
      assert.deepEqual(await former(directory, 'package.json'), [textOf(40)]);
      assert.deepEqual(await former(directory, 'a/b/ünlich/requirements.txt'), ['former==40\n']);
      assert.deepEqual(await former(directory, 'a/new/package.json'), []);
    });

  test('in a linked work tree, a submodule and behind a link', async () => {
    const directory = repository();
    git(directory, 'worktree', 'add', '--quiet', '-b', 'side', `${directory} side`, 'HEAD~3');
    assert.deepEqual(await former(`${directory} side`, 'package.json'), [textOf(37)]);
    const outer = repository();
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', directory, 'inner');
    assert.deepEqual(await former(outer, 'inner/package.json'), [textOf(40)]);
    symlinkSync(join(directory, 'a/b'), `${directory} link`);
    assert.deepEqual(await former(`${directory} link`, 'ünlich/requirements.txt'), ['former==40\n']);
  });

  test('each object is read as git reads it', async () => {
    const directory = repository();
    git(directory, 'gc', '--quiet', '--aggressive');
    const listed = git(directory, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)');
    const read = openObjects(join(directory, '.git', 'objects'), 20);
    for (const it of listed.trim().split('\n').slice(0, 60)) {
      const [id = '', kind = ''] = it.split(' ');
      const found = await read(id);
      assert.equal(found?.kind, kind);
      assert.equal(
        found.bytes.toString('latin1'),
        Buffer.from(execFileSync('git', ['cat-file', kind, id], { cwd: directory })).toString('latin1'),
      );
    }
    assert.equal(await read('0'.repeat(40)), undefined);
    assert.equal(await read(`${'../'.repeat(13)}0`), undefined);
  });
});

test('a file that was renamed has the texts of like files that are gone', async () => {
  const directory = repository();
  mkdirSync(join(directory, 'moved'));
  renameSync(join(directory, 'package.json'), join(directory, 'moved/package.json'));
  assert.deepEqual(await former(directory, 'moved/package.json'), [textOf(40)]);
});

test('before the first commit nothing was there', async () => {
  const directory = join(scratch, 'unborn');
  mkdirSync(directory);
  git(directory, 'init', '--quiet');
  assert.deepEqual(await former(directory, 'package.json'), []);
});

test('another commit is read once there is one', async () => {
  const directory = repository();
  const read = createFormerTexts((it) => Buffer.from(it).toString());
  const first = await read(join(directory, 'package.json'), isLike);
  assert.equal(await read(join(directory, 'package.json'), isLike), first);
  write(directory, 'package.json', 'now');
  commit(directory);
  git(directory, 'pack-refs', '--all');
  assert.deepEqual(await read(join(directory, 'package.json'), isLike), ['now']);
});

describe('it is not known', () => {
  test('outside of repositories', async () => {
    assert.equal(await former(scratch, 'package.json'), undefined);
  });

  test('where git keeps branches in tables', async () => {
    const directory = join(scratch, 'tables');
    mkdirSync(directory);
    git(directory, 'init', '--quiet');
    writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
    git(directory, 'config', 'extensions.refStorage', 'reftable');
    assert.equal(await former(directory, 'package.json'), undefined);
  });

  test('where objects are missing, damaged or another repository has them', async () => {
    const directory = repository();
    git(directory, 'clone', '--quiet', '--shared', directory, `${directory} shared`);
    assert.equal(await former(`${directory} shared`, 'package.json'), undefined);
    git(directory, 'gc', '--quiet');
    const packs = join(directory, '.git/objects/pack');
    for (const it of readdirSync(packs).filter((it) => it.endsWith('.pack'))) {
      chmodSync(join(packs, it), 0o600);
      writeFileSync(join(packs, it), Buffer.alloc(100_000, 0x66));
    }
    assert.equal(await former(directory, 'package.json'), undefined);
  });

  test('where any byte of a pack or its index is another, unless that does not matter', async () => {
    const directory = repository();
    git(directory, 'gc', '--quiet', '--aggressive');
    const packs = join(directory, '.git/objects/pack');
    const files = readdirSync(packs).filter((it) => /\.(?:idx|pack)$/.test(it));
    for (const it of files) {
      chmodSync(join(packs, it), 0o600);
      const sound = readFileSync(join(packs, it));
      for (let at = 0; at < 150; at++) {
        const altered = Buffer.from(sound);
        const where = (at * 7919) % sound.length;
        altered[where] = (sound[where] ?? 0) ^ (1 << (at % 8));
        writeFileSync(join(packs, it), altered);
        const found = await former(directory, 'a/b/ünlich/requirements.txt');
        assert.ok(found === undefined || found.every((text) => text.startsWith('former==')), `${it} ${where}`);
      }
      writeFileSync(join(packs, it), sound);
    }
    assert.deepEqual(await former(directory, 'a/b/ünlich/requirements.txt'), ['former==40\n']);
  });
});
