import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { digestsOf } from '../../server/src/asking/digests.ts';
import { identifyFile } from '../../server/src/asking/identified.ts';
import type { Lookups } from '../../server/src/model/lookups.ts';
import { folderWith } from '../cli/program.ts';

const megabyte = 1024 * 1024;
const folder = folderWith({ 'large.jar': Buffer.alloc(3 * megabyte + 1) });
after(() => folder.remove());
const path = join(folder.path, 'large.jar');

test('reading tells how far it is, piece by piece', async () => {
  const told: number[] = [];
  await digestsOf(path, undefined, (read) => told.push(read));
  assert.deepEqual(told, [megabyte, 2 * megabyte, 3 * megabyte, 3 * megabyte + 1]);
});

test('whoever cancels while a file is read has nobody asked about it', async () => {
  const aborting = new AbortController();
  const never = (): never => assert.fail('nothing is to be asked');
  const lookups: Lookups = { requirements: never, knownRequirements: never, query: never, purl: never };
  let last = 0;
  const found = await identifyFile({ name: 'large.jar', path }, lookups, undefined, aborting.signal, (read) => {
    last = read;
    aborting.abort();
  });
  assert.equal(found.kind, 'failed');
  assert.equal(last, megabyte);
});
