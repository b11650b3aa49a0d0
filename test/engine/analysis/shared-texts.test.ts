import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inherit } from '../../../server/src/engine/analysis/link/inheritance.ts';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { pom } from '../../../server/src/engine/ecosystems/maven/pom.ts';
import { packageJson } from '../../../server/src/engine/ecosystems/npm/package-json.ts';
import type { ManifestFormat } from '../../../server/src/engine/model/manifest.ts';
import type { ManifestChain } from '../../../server/src/engine/model/manifest-chain.ts';

const megabyte = 'c'.repeat(1_000_000);
const artifacts = Array.from(
  { length: 500 },
  (_, at) => `<dependency><groupId>g</groupId><artifactId>p${at}</artifactId></dependency>`,
).join('');

/** The lengths of all that is told of the dependencies of a text. */
function told(format: ManifestFormat, text: string, missing: readonly string[] = []): number {
  const chain: ManifestChain = {
    files: [{ uri: 'file:///a', format, manifest: format.parse(text) }],
    constraints: [],
    included: [],
    missing,
  };
  const linked = linkDependencies(chain, (files, lookup) => inherit(files, lookup, () => ({ kind: 'pending' })));
  const texts = linked.flatMap(({ requirement, dependency: { group = '', condition = '' } }) => [
    requirement.kind === 'unresolved' ? requirement.reason : '',
    group,
    condition,
  ]);
  assert.ok(texts.some((it) => it.length > 900));
  return texts.reduce((sum, it) => sum + it.length, 0);
}

test('what stands around many dependencies is told of each in a length that one reads', () => {
  const overrides = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`p${at}@${megabyte}`, '1']));
  assert.ok(told(packageJson, JSON.stringify({ overrides })) < 1_000_000);
});

test('a parent with a name of a megabyte is named in part, however many wait for what it manages', () => {
  const parent = `<parent><groupId>g</groupId><artifactId>${megabyte}</artifactId><version>1</version></parent>`;
  assert.ok(told(pom, `<project>${parent}<dependencies>${artifacts}</dependencies></project>`) < 1_000_000);
});

test('of thousands of files that cannot be read a few are named', () => {
  const missing = Array.from({ length: 5000 }, (_, at) => `../${at}/pom.xml`);
  assert.ok(told(pom, `<project><dependencies>${artifacts}</dependencies></project>`, missing) < 1_000_000);
});
