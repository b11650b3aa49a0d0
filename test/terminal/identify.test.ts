import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { digestsOf } from '../../server/src/engine/lookup/file-on-disk.ts';
import { hashTypes } from '../../server/src/engine/lookup/local-file.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

test('a file larger than one piece has the digests that it has as a whole', async (t) => {
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 1, 'package');
  const digests = await digestsOf(join(folderOf(t, { 'a.jar': bytes }), 'a.jar'));
  for (const type of hashTypes) {
    assert.deepEqual(Buffer.from(digests[type]), createHash(type.toLowerCase()).update(bytes).digest());
  }
});

test('a list that the service cuts is told to be cut, and is not printed whole', async (t) => {
  const hash = createHash('sha1').update('many').digest('hex');
  const versions = Array.from({ length: 1001 }, (_, it) => `1.0.${it}`);
  const service = await startService({ 'NPM many': { versions, shared: { hashes: { SHA1: hash } } } });
  t.after(() => service.close());
  const directory = folderOf(t, { 'many.tgz': 'many' });
  const identify = (...args: readonly string[]) => runHere(['identify', ...args], directory, { baseUrl: service.url });
  const { out, code } = await identify('many.tgz');
  assert.equal(code, 0);
  assert.match(out, /\n {2}and 980 more; --json lists them\n {2}Only the first 1000 are listed\.\n$/);
  assert.equal((await identify('.')).out, 'many.tgz  npm many 1.0.0 and at least 999 others\n');
  const [value] = JSON.parse((await identify('many.tgz', '--json')).out);
  assert.deepEqual([value.isCut, value.versions.length], [true, 1000]);
});

test('each digest is asked for in turn, until one is known', async (t) => {
  const service = await startService({});
  t.after(() => service.close());
  await runHere(['identify', 'a.tgz'], folderOf(t, { 'a.tgz': 'a' }), { baseUrl: service.url });
  assert.deepEqual(
    service.requests.map((it) => /hash\.type=(\w+)/.exec(it.path)?.[1]),
    ['SHA256', 'SHA1', 'SHA512', 'MD5'],
  );
});

test('what cannot be asked gives 2', async (t) => {
  const service = await startService({});
  await service.close();
  const directory = folderOf(t, { 'a.tgz': 'a' });
  const given = { baseUrl: service.url };
  const identified = await runHere(['identify', 'a.tgz'], directory, given);
  assert.deepEqual([identified.code, identified.out], [2, '']);
  assert.match(identified.error, /^package-insights identify: lookup of a\.tgz failed: connection refused\n$/);
  const looked = await runHere(['lookup', 'pkg:npm/a'], directory, given);
  assert.deepEqual([looked.code, looked.out], [2, '']);
});

/** The path of a folder that is gone when the test is over, however it ends. */
function folderOf(t: TestContext, files: Parameters<typeof folderWith>[0]): string {
  const folder = folderWith(files);
  t.after(() => folder.remove());
  return folder.path;
}
