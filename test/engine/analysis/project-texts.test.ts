import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectChains } from '../../../server/src/engine/analysis/navigation/project-chains.ts';

const uri = 'file:///w/pom.xml';

function setUp() {
  const disk = { text: 'one', mark: 'a', written: 0, reads: 0 };
  let now = 100_000;
  const chains = new ProjectChains(() => now);
  const files = {
    read: async () => {
      disk.reads++;
      return disk.text;
    },
    stamp: async () => ({ mark: disk.mark, written: disk.written }),
  };
  return { disk, chains, look: () => chains.text(files, uri), pass: (ms: number) => (now += ms) };
}

test('a file is read again when its stamp is another one, and not before', async () => {
  const { disk, chains, look, pass } = setUp();
  assert.equal(await look(), 'one');
  pass(60_000);
  assert.equal(await look(), 'one');
  assert.equal(disk.reads, 1);

  Object.assign(disk, { text: 'two', mark: 'b' });
  assert.equal(await look(), 'one', 'questions that follow at once');
  chains.forgetFound();
  assert.equal(await look(), 'two', 'an edit needs the files as they are');
  Object.assign(disk, { text: 'three', mark: 'c' });
  pass(60_000);
  assert.equal(await look(), 'three');
});

test('a stamp that is very recent proves nothing', async () => {
  const { disk, chains, look } = setUp();
  disk.written = 99_500;
  await look();
  disk.text = 'two';
  chains.forgetFound();
  assert.equal(await look(), 'two');
});

test('a change that the editor reports counts at once', async () => {
  const { disk, chains, look } = setUp();
  await look();
  disk.text = 'two';
  chains.forget([uri]);
  assert.equal(await look(), 'two');
});

test('what is reported while a file is being read is not lost', async () => {
  const { disk, chains, look } = setUp();
  const reading = look();
  chains.forget([uri]);
  await reading;
  disk.text = 'two';
  assert.equal(await look(), 'two');
});
