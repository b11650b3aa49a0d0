import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { settingsAbove } from '../../../server/src/engine/analysis/load/settings-files.ts';
import { cargoRegistries } from '../../../server/src/engine/ecosystems/cargo/registries.ts';
import { filesOf, type Texts } from './members-lab.ts';

/** The settings of Cargo that are read for a manifest below them. */
async function settings(texts: Texts) {
  const reading = startReading(new ManifestReader(filesOf(texts)));
  return settingsAbove(reading, 'file:///w/app/Cargo.toml', cargoRegistries, { length: 10_000, exclude: new Set() });
}

test('what settings include is read beside them, and counts after them', async () => {
  const found = await settings({
    '.cargo/config.toml': 'include = ["sub/a.toml", "gone.toml"]\n',
    '.cargo/sub/a.toml': 'include = "b.toml"\n[source.crates-io]\nreplace-with = "mirror"\n',
    '.cargo/sub/b.toml': '[source.mirror]\nregistry = "sparse+https://mirror.example/"\n',
  });
  assert.deepEqual(
    found.map((it) => it.label),
    ['.cargo/config.toml', '.cargo/sub/a.toml', '.cargo/sub/b.toml'],
  );
  const sources = found.map((it) => ({ ...it, owner: 'workspace' as const }));
  assert.deepEqual(cargoRegistries.ownersOf(sources)({ name: 'serde' }), [
    { host: 'mirror.example', from: '.cargo/sub/b.toml' },
  ]);
});

test('settings that include each other, or more and more, come to an end', async () => {
  const circle = { '.cargo/config.toml': 'include = "a.toml"', '.cargo/a.toml': 'include = ["config.toml", "a.toml"]' };
  assert.equal((await settings(circle)).length, 2);
  const many = Array.from({ length: 100 }, (_, at) => `"${at}.toml"`).join();
  const all = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`.cargo/${at}.toml`, `include = [${many}]`]));
  const found = await settings({ ...all, '.cargo/config.toml': `include = [${many}]` });
  assert.equal(found.filter((it) => it.unreadable === undefined).length, 19);
  assert.deepEqual(found.find((it) => it.unreadable)?.unreadable, { why: 'too many' });
});
