import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestsOf, hashTypes } from '../../server/src/asking/digests.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

test('a file larger than one piece has the digests that it has as a whole', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 1, 'package');
  const folder = folderWith({ 'a.jar': bytes });
  const digests = await digestsOf(join(folder.path, 'a.jar'));
  folder.remove();
  for (const type of hashTypes) {
    assert.deepEqual(Buffer.from(digests[type]), createHash(type.toLowerCase()).update(bytes).digest());
  }
});

test('a list that the service cuts is told to be cut, and is not printed whole', async () => {
  const hash = createHash('sha1').update('many').digest('hex');
  const versions = Array.from({ length: 1001 }, (_, it) => `1.0.${it}`);
  const service = await startService({ 'NPM many': { versions, shared: { hashes: { SHA1: hash } } } });
  const folder = folderWith({ 'many.tgz': 'many' });
  const identify = (...args: readonly string[]) =>
    runHere(['identify', ...args], folder.path, { baseUrl: service.url });
  const { out, code } = await identify('many.tgz');
  assert.equal(code, 0);
  assert.match(out, /\n {2}and 980 more; --json lists them\n {2}The list is cut at 1000: there are more\.\n$/);
  assert.equal((await identify('.')).out, 'many.tgz  npm many 1.0.0 and at least 999 others\n');
  const [value] = JSON.parse((await identify('many.tgz', '--json')).out);
  assert.deepEqual([value.isCut, value.versions.length], [true, 1000]);
  folder.remove();
  await service.close();
});

test('each digest is asked for in turn, until one is known', async () => {
  const service = await startService({});
  const folder = folderWith({ 'a.tgz': 'a' });
  await runHere(['identify', 'a.tgz'], folder.path, { baseUrl: service.url });
  assert.deepEqual(
    service.requests.map((it) => /hash\.type=(\w+)/.exec(it.path)?.[1]),
    ['SHA256', 'SHA1', 'SHA512', 'MD5'],
  );
  await service.close();
  folder.remove();
});

test('what cannot be asked gives 2', async () => {
  const service = await startService({});
  await service.close();
  const folder = folderWith({ 'a.tgz': 'a' });
  const given = { baseUrl: service.url };
  const identified = await runHere(['identify', 'a.tgz'], folder.path, given);
  assert.deepEqual([identified.code, identified.out], [2, '']);
  assert.match(identified.error, /^package-insights identify: a\.tgz could not be looked up: connection refused\n$/);
  const looked = await runHere(['lookup', 'pkg:npm/a'], folder.path, given);
  assert.deepEqual([looked.code, looked.out], [2, '']);
  folder.remove();
});
