import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedDocument } from '../../../server/src/engine/analysis/below/document-below.ts';
import { createWaysSearch } from '../../../server/src/engine/analysis/below/ways-search.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { EvaluatedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { AffectedBelow } from '../../../server/src/engine/model/graph/below.ts';
import type { Insights, Wanted } from '../../../server/src/engine/model/ports.ts';

const text = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    'node_modules/direct': { version: '1.0.0', dependencies: { qs: '*' } },
    'node_modules/qs': { version: '6.11.0' },
  },
});

/** What is requested to find the ways from `direct` out of `qs`. */
function wantedFor(registry: string | undefined): readonly Wanted[] {
  const format = lockfileFormats.find((it) => it.id === 'package-lock.json');
  const lockfile = format?.parse(text);
  const graph = lockfile?.graph();
  assert.ok(format && lockfile && graph && graph !== 'unrecorded');
  const key = { system: 'NPM', name: 'direct', ...(registry !== undefined && { registry }) } as const;
  const evaluated = {
    linked: { key, span: { start: 0, end: 0 }, requirement: { kind: 'text', text: '*' } },
    resolution: { kind: 'version', version: '1.0.0', from: 'lockfile', lockfile: format.id },
    below: { lockfile: format.id, graph, nodes: [graph.nodes.findIndex((it) => it.name === 'direct')] },
  } as unknown as EvaluatedDependency;
  const document = {
    lockfiles: [{ format, lockfile, directory: 'file:///w/', text }],
    dependencies: [evaluated],
    route: (it) => it,
    filter: { reasonNotToLookUp: () => undefined, admit: (linked) => ({ kind: 'asked', linked }), wanted: [] },
  } as Partial<NamedDocument> as NamedDocument;
  const insights = {
    revision: () => 0,
    package: ({ name }: { readonly name: string }) =>
      name === 'qs' ? { state: 'unknown', at: 0 } : { state: 'pending' },
    version: () => ({ state: 'pending' }),
    requirements: () => ({ state: 'pending' }),
  } as unknown as Insights;
  const affected = { key: { system: 'NPM', name: 'qs', version: '6.11.0' } } as AffectedBelow;
  return createWaysSearch(document, insights, { id: '' })(evaluated, affected).wanted;
}

test('a package of a private registry is not requested elsewhere for a way out', () => {
  const named = (all: readonly Wanted[]) => [...new Set(all.flatMap((it) => ('key' in it ? it.key.name : [])))];
  assert.deepEqual(named(wantedFor('npm https://npm.acme.example/')), ['qs']);
  assert.deepEqual(named(wantedFor(undefined)), ['qs', 'direct']);
});
