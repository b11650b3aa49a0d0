import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { findManifests } from '../../server/src/survey/walk.ts';
import { folderWith } from '../cli/program.ts';

async function found(files: Readonly<Record<string, string>>, named: string) {
  const folder = folderWith(files);
  try {
    const walked = await findManifests([named], folder.path, { withRecords: false });
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
    const { refused } = await findManifests(['nowhere', 'notes.txt'], folder.path, { withRecords: false });
    assert.deepEqual(refused, [
      'there is no file or folder nowhere',
      'notes.txt is no manifest of a kind that is read',
    ]);
  } finally {
    folder.remove();
  }
});

const mayReadAll = process.getuid === undefined || process.getuid() === 0;

test('a folder that may not be read is told of', { skip: mayReadAll }, async () => {
  const folder = folderWith({ 'app/package.json': '{}', 'closed/package.json': '{}' });
  const closed = join(folder.path, 'closed');
  chmodSync(closed, 0);
  try {
    const walked = await findManifests(['.', 'closed'], folder.path, { withRecords: false });
    assert.deepEqual(walked.closed, [closed]);
    assert.deepEqual(walked.files, [join(folder.path, 'app', 'package.json')]);
  } finally {
    chmodSync(closed, 0o700);
    folder.remove();
  }
});
