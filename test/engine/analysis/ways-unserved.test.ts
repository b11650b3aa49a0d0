import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWaysOut } from '../../../server/src/engine/analysis/below/ways.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { EvaluatedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import { listOf } from '../../../server/src/engine/model/facts.ts';
import type { AffectedBelow } from '../../../server/src/engine/model/graph/below.ts';
import type { Insights } from '../../../server/src/engine/model/ports.ts';

/* Most services know no requirements of crates: they are not asked again and again for them. */

const crate = (name: string, version: string, dependencies: readonly string[] = []): string =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "registry+https://registry.example/index"\ndependencies = [\n${dependencies.map((it) => ` "${it}",\n`).join('')}]\n`;
const text = `version = 3\n\n${crate('direct', '1.0.0', ['one', 'two'])}\n${crate('one', '1.0.0', ['times'])}\n${crate('two', '1.0.0', ['times'])}\n${crate('times', '0.7.0')}`;
const versions: Readonly<Record<string, readonly string[]>> = {
  direct: ['1.0.0', '1.1.0', '1.2.0'],
  times: ['0.7.0', '0.7.1', '0.8.0'],
};

test('requirements of crates are asked for once where the service does not know them, and offers stay', () => {
  const format = lockfileFormats.find((it) => it.id === 'Cargo.lock');
  const graph = format?.parse(text)?.graph();
  assert.ok(format && graph && graph !== 'unrecorded');
  const evaluated = {
    linked: {
      key: { system: 'CARGO', name: 'direct' },
      span: { start: 0, end: 0 },
      requirement: { kind: 'text', text: '1' },
    },
    resolution: { kind: 'version', version: '1.0.0', from: 'lockfile', lockfile: format.id },
    below: { lockfile: format.id, graph, nodes: [graph.nodes.findIndex((it) => it.name === 'direct')] },
  } as unknown as EvaluatedDependency;
  const facts = { advisories: [], licenses: [], provenances: [] };
  const insights = {
    package: ({ name }: { readonly name: string }) => ({
      state: 'ready',
      value: {
        key: { system: 'CARGO', name },
        versions: listOf((versions[name] ?? []).map((version) => ({ version, isDefault: false, isDeprecated: false }))),
      },
    }),
    version: (key: { readonly version: string }) => ({
      state: 'ready',
      value: { ...facts, key, version: key.version },
    }),
    requirements: () => ({ state: 'unknown', at: 0 }),
  } as unknown as Insights;
  const affected = { key: { system: 'CARGO', name: 'times', version: '0.7.0' } } as AffectedBelow;
  const { ways, wanted, isSearching } = findWaysOut(evaluated, affected, {
    insights,
    isPublic: () => true,
    policy: { cooldown: undefined } as never,
  });
  assert.equal(wanted.filter((it) => it.kind === 'requirements').length, 1);
  assert.equal(isSearching, false);
  assert.deepEqual(ways, [
    { kind: 'lock', command: 'cargo update -p times@0.7.0 --precise 0.7.1', wanted: '0.7.1', isAllowed: false },
  ]);
});
