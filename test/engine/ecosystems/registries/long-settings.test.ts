import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReading } from '../../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../../server/src/engine/analysis/load/file-reader.ts';
import { readRegistries } from '../../../../server/src/engine/analysis/load/registries.ts';
import type { LinkedDependency } from '../../../../server/src/engine/model/evaluated-dependency.ts';

/** Megabytes of settings would hold up every answer about the manifests below them. */
test('of the settings of a workspace the first megabyte is read, and the rest may say anything', async () => {
  const settings = `registry=https://first.example/\n${'#\n'.repeat(1_000_000)}@late:registry=https://late.example/\n`;
  const files = {
    read: async (uri: string) => (uri === 'file:///w/.npmrc' ? settings : undefined),
    find: async () => [],
  };
  const reading = startReading(new ManifestReader(files));
  const { route } = await readRegistries('file:///w/package.json', new Set(['NPM']), reading, files);
  const linked = { key: { system: 'NPM', name: '@late/x' }, dependency: {}, requirement: { kind: 'any' } };
  const { registries } = route(linked as unknown as LinkedDependency);
  assert.deepEqual(registries, [
    { host: 'first.example', from: '.npmrc', place: { uri: 'file:///w/.npmrc', line: 0 } },
    { from: '.npmrc', unreadable: { why: 'too long' }, place: { uri: 'file:///w/.npmrc', line: 0 } },
  ]);
});
