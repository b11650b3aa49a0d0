import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reader } from '../../server/src/engine/files.ts';
import { formatOf } from '../../server/src/manifests/index.ts';

/** Somebody's clone may hold files that no memory would, once something is made of each of their lines. */
test('of a manifest of many megabytes the beginning is read', () => {
  const format = formatOf('requirements.txt');
  assert.ok(format);
  const reader = new Reader({ read: async () => undefined, find: async () => [] });
  const text = `requests==2.31.0\n${'#\n'.repeat(8_000_000)}urllib3==2.0.0\n`;
  const { dependencies, problems } = reader.manifest('file:///w/requirements.txt', format, text);
  assert.deepEqual(
    dependencies.map((it) => it.name),
    ['requests'],
  );
  assert.equal(problems.at(-1)?.message, 'a text this long is not read to its end');
});
