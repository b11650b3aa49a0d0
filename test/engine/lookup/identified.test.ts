import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { digestsOf } from '../../../server/src/engine/lookup/file-on-disk.ts';
import { identifyFile } from '../../../server/src/engine/lookup/identify-file.ts';
import { hashTypes } from '../../../server/src/engine/lookup/local-file.ts';
import type { Lookups } from '../../../server/src/engine/model/lookups.ts';
import { folderWith } from '../../terminal/program.ts';

const megabyte = 1024 * 1024;
const folder = folderWith({ 'large.jar': Buffer.alloc(3 * megabyte + 1) });
after(() => folder.remove());
const path = join(folder.path, 'large.jar');

const fileAt = (name: string, at: string): Parameters<typeof identifyFile>[0] => ({
  name,
  digests: (signal, tell) => digestsOf(at, signal, tell),
});

test('reading tells how far it is, piece by piece', async () => {
  const told: number[] = [];
  await digestsOf(path, undefined, (read) => told.push(read));
  assert.deepEqual(told, [megabyte, 2 * megabyte, 3 * megabyte, 3 * megabyte + 1]);
});

test('a cancellation while a file is read sends no request about it', async () => {
  const aborting = new AbortController();
  const never = (): never => assert.fail('nothing is to be asked');
  const lookups: Lookups = { requirements: never, knownRequirements: never, query: never, purl: never };
  let last = 0;
  const found = await identifyFile(fileAt('large.jar', path), lookups, undefined, aborting.signal, (read) => {
    last = read;
    aborting.abort();
  });
  assert.ok(found.kind === 'failed' && found.reason === 'interrupted');
  assert.equal(last, megabyte);
});

test('of a file that cannot be read it is told why', async () => {
  const never = (): never => assert.fail('nothing is to be asked');
  const lookups: Lookups = { requirements: never, knownRequirements: never, query: never, purl: never };
  const { signal } = new AbortController();
  const found = await identifyFile(fileAt('gone.jar', `${path}.gone`), lookups, undefined, signal);
  assert.ok(found.kind === 'failed' && found.reason === 'no such file or folder');
});

test('a file that is said to be of a version is asked for as that, by each of its digests, then without it', async () => {
  const claim = { system: 'MAVEN', name: 'g:a', version: '1.0' } as const;
  const never = (): never => assert.fail('nothing is to be asked');
  const asked: string[] = [];
  const lookups: Lookups = {
    requirements: never,
    knownRequirements: never,
    query: async ({ hash, version }) => {
      asked.push(`${hash?.type} ${version?.name}`);
      return { kind: 'unknown' };
    },
    purl: async ({ key, version }) => {
      asked.push(`${key.name} ${version}`);
      return { kind: 'unknown' };
    },
  };
  const found = await identifyFile(fileAt('large.jar', path), lookups, claim, new AbortController().signal);
  assert.deepEqual(asked, [
    ...hashTypes.map((it) => `${it} g:a`),
    ...hashTypes.map((it) => `${it} undefined`),
    'g:a 1.0',
  ]);
  assert.ok(found.kind === 'unknown' && found.knowsClaim === false);
});
