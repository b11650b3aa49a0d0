import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import { lockfileFormats } from '../server/src/engine/ecosystems/lockfile-formats.ts';
import { formatOf, manifestFormats } from '../server/src/engine/ecosystems/manifest-formats.ts';
import type { ManifestFormat } from '../server/src/engine/model/manifest.ts';
import { catalogSource } from '../server/src/service/catalog/source.ts';
import { embeddedCatalog } from './harness/service.ts';

const sample = join(import.meta.dirname, 'sample');

interface Sample {
  readonly path: string;
  readonly format: ManifestFormat;
}

const samples: readonly Sample[] = readdirSync(sample, { recursive: true, withFileTypes: true })
  .filter((it) => it.isFile())
  .flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name).split(sep).join('/');
    const format = formatOf(path);
    return format ? [{ path, format }] : [];
  });

test('the workspace that opens at the start has a file of every format', () => {
  const missing = manifestFormats.filter(({ id }) => !samples.some((it) => it.format.id === id)).map((it) => it.id);
  // It names the POM to build, and has nothing to show itself.
  assert.deepEqual(missing, ['maven.config']);
});

test('every lockfile stands beside a manifest that it serves', () => {
  for (const { path, format } of samples.filter((it) => it.format.record === 'lockfile')) {
    const rows = lockfileFormats.filter((it) => path.endsWith(`/${it.id}`));
    const isServed = rows.some(({ id, serves }) => {
      const directory = path.slice(0, -id.length);
      return samples.some((it) => it.path.startsWith(directory) && serves.includes(it.format.id));
    });
    // Nothing asks go.sum for a version: go.mod pins each. What stands beside a built program serves no manifest, and what
    // Gradle verified is every version that some build has ever resolved.
    assert.ok(isServed || ['go.sum', 'deps.json', 'verification-metadata.xml'].includes(format.id), path);
  }
});

test('lockfiles whose tools write the registry name the one that the service reports', async () => {
  const catalog = await embeddedCatalog();
  const lodash = await catalogSource(catalog).version({ system: 'NPM', name: 'lodash', version: '4.17.21' });
  assert.ok(lodash.kind === 'found');
  const [reported = ''] = (lodash.body as { readonly registries: readonly string[] }).registries;
  // pnpm, bun, Deno and yarn 4 leave out the usual registry, Poetry that of PyPI; PDM and Gradle write none.
  const writing = /\/(?:package-lock\.json|npm\/yarn\/yarn\.lock|uv\.lock|pylock\.toml|Pipfile\.lock|Cargo\.lock)$/;
  for (const { path, format } of samples.filter((it) => it.format.record === 'lockfile')) {
    const entries = format
      .parse(readFileSync(path, 'utf8'))
      .dependencies.filter((it) => it.requirement.kind === 'literal');
    const named = entries.flatMap((it) => it.registries ?? []);
    if (writing.test(path)) assert.equal(named.length, entries.length, path);
    for (const it of named) assert.equal(new URL(it.replace(/^registry\+/, '')).host, new URL(reported).host, path);
  }
});

for (const { path, format } of samples) {
  test(`there is something to see in ${path.slice(sample.length + 1)}`, () => {
    const { dependencies, definitions, references, problems } = format.parse(readFileSync(path, 'utf8'));
    assert.deepEqual(problems, []);
    assert.ok(dependencies.length + definitions.length + references.length > 0);
    if (format.id !== 'gradle.properties' && !path.includes('settings.gradle')) assert.ok(dependencies.length > 0);
  });
}
