import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../../server/src/engine/analysis/link/linker.ts';
import { cargoToml } from '../../../../server/src/engine/ecosystems/cargo/cargo-toml.ts';

/** What each dependency of the first file comes to, with the files above it. */
function linked(...texts: readonly string[]): readonly string[] {
  const files = texts.map((it, i) => ({ uri: `file:///${i}`, format: cargoToml, manifest: cargoToml.parse(it) }));
  return linkDependencies({ files, constraints: [], included: [], missing: [] }).map(({ key, requirement }) => {
    if (requirement.kind !== 'text') return `${key.name} ${requirement.kind}`;
    return `${key.name} ${requirement.text} in ${requirement.place?.uri.slice('file:///'.length)}`;
  });
}

const workspace = `[workspace.dependencies]
serde = "1.0"
rand_07 = { package = "rand", version = "0.7" }
local = { path = "local" }
`;

test('a member inherits the requirement and the true name', () => {
  const member = '[dependencies]\nserde.workspace = true\nrand_07 = { workspace = true }\nlocal.workspace = true\n';
  assert.deepEqual(linked(member, '[package]\nname = "between"', workspace), [
    'serde 1.0 in 2',
    'rand 0.7 in 2',
    'local source',
  ]);
});

test('what no workspace says is unresolved', () => {
  assert.deepEqual(linked('[dependencies]\nmissing.workspace = true', workspace), ['missing unresolved']);
});

test('the root of a workspace inherits from itself and looks no further', () => {
  const root = `${workspace}[dependencies]\nserde.workspace = true\n`;
  assert.equal(linked(root).at(-1), 'serde 1.0 in 0');
  assert.deepEqual(cargoToml.parse(root).references, []);
});

test('hostile manifests are read in reasonable time', () => {
  const many = 20_000;
  for (const it of ['[', '[dependencies]\n', 'a.', 'a = {', 'a = "1"\n', '"', "'", '/', '#', '@', ':']) {
    cargoToml.parse(it.repeat(many));
    cargoToml.parse(`[dependencies]\n${it.repeat(many)}`);
    cargoToml.parse(`[replace]\n"${it.replaceAll('"', '').repeat(many)}" = { path = "a" }`);
  }
});
