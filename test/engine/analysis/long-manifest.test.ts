import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';

/** Somebody's clone may hold files that no memory would, once something is made of each of their lines. */
test('of a manifest of many megabytes the beginning is read', () => {
  const format = formatOf('requirements.txt');
  assert.ok(format);
  const reader = new ManifestReader({ read: async () => undefined, find: async () => [] });
  const text = `requests==2.31.0\n${'#\n'.repeat(8_000_000)}urllib3==2.0.0\n`;
  const { dependencies, problems } = reader.manifest('file:///w/requirements.txt', format, text);
  assert.deepEqual(
    dependencies.map((it) => it.name),
    ['requests'],
  );
  assert.equal(problems.at(-1)?.message, 'a text this long is not read to its end');
});

test('of dependencies without end some count', () => {
  const format = formatOf('package-lock.json');
  assert.ok(format);
  const reader = new ManifestReader({ read: async () => undefined, find: async () => [] });
  const text = `{"packages":{${'"node_modules/a":{"version":"1.0.0"},\n'.repeat(100_000)}}}`;
  const { dependencies, problems } = reader.manifest('file:///w/package-lock.json', format, text);
  assert.equal(dependencies.length, 50_000);
  assert.ok(problems.some((it) => it.message === 'a text this long is not read to its end'));
});

test('files that take part are read up to some megabytes in all', async () => {
  const format = formatOf('requirements.txt');
  assert.ok(format);
  const large = `x==1\n${'#\n'.repeat(2_000_000)}`;
  const files = { read: async (uri: string) => (uri.endsWith('.txt') ? large : undefined), find: async () => [] };
  const text = Array.from({ length: 20 }, (_, at) => `-r ${at}.txt\n`).join('');
  const { included } = await startReading(new ManifestReader(files)).chain('file:///w/requirements.txt', format, text);
  assert.equal(included.length, 3);
});

test('of files that are named without end, and are not there, some are looked for', async () => {
  for (const [id, line] of [
    ['requirements.txt', '-r '],
    ['go.work', 'use ./'],
  ] as const) {
    const format = formatOf(id);
    assert.ok(format);
    let looks = 0;
    const read = async (): Promise<undefined> => void looks++;
    const text = Array.from({ length: 5000 }, (_, at) => `${line}${at}\n`).join('');
    await startReading(new ManifestReader({ read, find: async () => [] })).chain(`file:///w/${id}`, format, text);
    assert.equal(looks, 1000, id);
  }
});
