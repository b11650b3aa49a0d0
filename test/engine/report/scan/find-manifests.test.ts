import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { findManifests } from '../../../../server/src/engine/report/scan/find-manifests.ts';
import { folderWith } from '../../../terminal/program.ts';

async function found(files: Readonly<Record<string, string>>, named: string) {
  const folder = folderWith(files);
  try {
    const walked = await findManifests([named], folder.path, { withRecords: false, exclude });
    return walked.files.map((it) => relative(join(folder.path, named), it).replaceAll('\\', '/'));
  } finally {
    folder.remove();
  }
}

const files = {
  '.git/HEAD': '',
  '.gitignore': 'scratch/\npackage.json\n',
  'scratch/package.json': '{}',
  'scratch/.gitignore': 'old/\n',
  'scratch/old/package.json': '{}',
  'kept/go.mod': 'module x',
};

const exclude = { patterns: [], isTrusted: true };

test('what version control leaves out is left out', async () => {
  assert.deepEqual(await found(files, '.'), ['kept/go.mod']);
});

test('the first rule counts behind a byte order mark, and with line ends of Windows', async () => {
  const marked = { ...files, '.gitignore': '\uFEFFscratch/\r\npackage.json\r\n' };
  assert.deepEqual(await found(marked, '.'), ['kept/go.mod']);
});

test('a folder that is named is looked at, although version control leaves it out', async () => {
  assert.deepEqual(await found(files, 'scratch'), ['package.json']);
});

test('what cannot be looked at is told', async () => {
  const folder = folderWith({ 'notes.txt': '' });
  try {
    const { refused } = await findManifests(['nowhere', 'notes.txt'], folder.path, { withRecords: false, exclude });
    assert.deepEqual(refused, ['no such file or folder: nowhere', 'notes.txt is not a supported manifest']);
  } finally {
    folder.remove();
  }
});

const mayReadAll = process.getuid === undefined || process.getuid() === 0;

test('a folder without read permission is reported', { skip: mayReadAll }, async () => {
  const folder = folderWith({ 'app/package.json': '{}', 'closed/package.json': '{}' });
  const closed = join(folder.path, 'closed');
  chmodSync(closed, 0);
  try {
    const walked = await findManifests(['.', 'closed'], folder.path, { withRecords: false, exclude });
    assert.deepEqual(walked.closed, [closed]);
    assert.deepEqual(walked.files, [join(folder.path, 'app', 'package.json')]);
  } finally {
    chmodSync(closed, 0o700);
    folder.remove();
  }
});

/** A repository in which git tracks some of the files, and links with where they lead. */
function repositoryWith(
  tracked: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
  links: Readonly<Record<string, string>> = {},
) {
  const folder = folderWith({ ...tracked, ...others });
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(folder.path, name));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder.path, stdio: 'ignore' });
  git('init');
  git('add', '--force', ...Object.keys(tracked), ...Object.keys(links));
  return folder;
}

async function walkedIn({ path, remove }: ReturnType<typeof folderWith>, named = '.') {
  try {
    const { files, closed, excluded } = await findManifests([named], path, { withRecords: false, exclude });
    const short = (it: string): string => relative(path, it).replaceAll('\\', '/');
    return { files: files.map(short), closed: closed.map(short), excluded };
  } finally {
    remove();
  }
}

test('what git tracks is taken, whatever .gitignore says of it and whatever its folder is called', async () => {
  const tracked = {
    '.gitignore': 'hidden/\npackage.json\n',
    'package.json': '{}',
    'hidden/go.mod': 'module x',
    '.tools/requirements.txt': 'a==1',
    'bin/app.csproj': '<Project/>',
  };
  const walked = await walkedIn(
    repositoryWith(tracked, { 'hidden/requirements.txt': '', 'target/pom.xml': '<project/>' }),
  );
  assert.deepEqual(walked, {
    files: ['.tools/requirements.txt', 'bin/app.csproj', 'hidden/go.mod', 'package.json'],
    closed: [],
    excluded: 0,
  });
});

test('packages of others that git tracks are counted, and not looked at', async () => {
  const tracked = { 'package.json': '{}', 'node_modules/a/package.json': '{}', 'vendor/b/package.json': '{}' };
  assert.deepEqual(await walkedIn(repositoryWith(tracked)), { files: ['package.json'], closed: [], excluded: 2 });
});

test('below a folder that is named, what git tracks beside it does not count', async () => {
  const tracked = {
    '.gitignore': 'package.json\n',
    'package.json': '{}',
    'app/package.json': '{}',
    'apple/package.json': '{}',
  };
  assert.deepEqual(await walkedIn(repositoryWith(tracked), 'app'), {
    files: ['app/package.json'],
    closed: [],
    excluded: 0,
  });
});

test('a manifest that is a link is read where it leads, once, and told of where that is outside', async () => {
  const folder = repositoryWith(
    { 'package.json': '{}', 'app/real.txt': 'a==1' },
    {},
    {
      'requirements.txt': join('app', 'real.txt'),
      'app/package.json': join('..', 'package.json'),
      'go.mod': join('..', 'elsewhere', 'go.mod'),
      'Cargo.toml': 'nowhere',
      'pom.xml': process.execPath,
    },
  );
  assert.deepEqual(await walkedIn(folder), {
    files: ['package.json', 'requirements.txt'],
    closed: ['Cargo.toml', 'go.mod', 'pom.xml'],
    excluded: 0,
  });
});

test('what .gitignore hides is counted where no index says whether it is tracked', async () => {
  const walked = await walkedIn(
    folderWith({ '.git/HEAD': '', '.gitignore': 'go.mod\n', 'go.mod': '', 'package.json': '{}' }),
  );
  assert.deepEqual(walked, { files: ['package.json'], closed: [], excluded: 1 });
});
