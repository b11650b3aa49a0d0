import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cargoRegistries } from '../../../../server/src/engine/ecosystems/cargo/registries.ts';
import {
  distinctRegistries,
  MAX_REGISTRIES,
} from '../../../../server/src/engine/ecosystems/shared/registry-address.ts';

test('of thousands of registries some count, each once and as it is named first', () => {
  const hosts = Array.from({ length: 5000 }, (_, it) => ({ host: `r${it}.example`, from: 'x' }));
  const found = distinctRegistries([
    ...hosts.slice(0, 3),
    { host: 'r0.example', from: 'x', isAdditional: true },
    ...hosts,
  ]);
  assert.deepEqual(found, hosts.slice(0, MAX_REGISTRIES));
});

test('a crate that a manifest takes from thousands of registries names some of them', () => {
  const text = Array.from(
    { length: 3000 },
    (_, it) => `[target.t${it}.dependencies]\nx = { version = "1", registry-index = "https://r${it}.example" }\n`,
  ).join('');
  const route = cargoRegistries.ownersOf([{ name: 'Cargo.toml', label: 'Cargo.toml', text, owner: 'workspace' }]);
  assert.equal(route({ name: 'x' }).length, MAX_REGISTRIES);
});
