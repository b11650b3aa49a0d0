import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentFiles } from '../../server/src/editor/sync/watched-files.ts';
import { fakeClock } from '../harness/fake-clock.ts';

const uri = 'file:///package-lock.json';

function setUp() {
  const clock = fakeClock();
  const disk = new Map<string, string>();
  let reads = 0;
  const read = async (it: string): Promise<string | undefined> => {
    reads++;
    return disk.get(it);
  };
  return { clock, disk, reads: () => reads, files: createRecentFiles({ read, find: async () => [] }, clock) };
}

test('a second of typing looks at a file once, there or not', async () => {
  const { clock, files, reads } = setUp();
  for (let time = 0; time < 9; time++) {
    assert.equal(await files.read(uri), undefined);
    await clock.advance(100);
  }
  assert.equal(reads(), 1);
});

test('a change without a notification is seen after a second', async () => {
  const { clock, disk, files } = setUp();
  disk.set(uri, 'old');
  assert.equal(await files.read(uri), 'old');
  disk.set(uri, 'new');
  await clock.advance(1000);
  assert.equal(await files.read(uri), 'new');
});

test('a change of the same size at the same moment is seen as soon as word comes', async () => {
  const { disk, files } = setUp();
  disk.set(uri, 'old');
  assert.equal(await files.read(uri), 'old');
  disk.set(uri, 'new');
  files.forget();
  assert.equal(await files.read(uri), 'new');
});

test('what is kept does not grow without end', async () => {
  const { files, reads } = setUp();
  for (let file = 0; file < 1001; file++) await files.read(`file:///${file}`);
  await files.read('file:///0');
  assert.equal(reads(), 1002);
});

test('where the clock was set back, what was read long ago is looked at again', async () => {
  let now = 3_600_000;
  let reads = 0;
  const read = async (): Promise<undefined> => void reads++;
  const files = createRecentFiles({ read, find: async () => [] }, { now: () => now, after: () => () => {} });
  await files.read(uri);
  now = 0;
  await files.read(uri);
  assert.equal(reads, 2);
});
