import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVersion } from '../../../server/src/engine/facts/service/read-answers.ts';
import { evaluatePurl } from '../../../server/src/engine/lookup/package-lookup.ts';
import { lookUpPurl } from '../../../server/src/engine/lookup/purl.ts';
import type { Identity, Lookups } from '../../../server/src/engine/model/lookups.ts';
import { builtInHosts } from '../../harness/built-in.ts';
import { knowingNothing } from '../../harness/knowing-nothing.ts';

test('who gives up looking at a version takes nothing from another who looks at the same', async () => {
  const key = { system: 'NPM', name: 'a', version: '1.0.0' } as const;
  const facts = readVersion({ versionKey: key, advisoryKeys: [{ id: 'GHSA-aaaa-bbbb-cccc' }] });
  const found: Identity = { kind: 'version', facts };
  const wanted = new Set<string>();
  const insights = {
    ...knowingNothing({
      request: (owner) => void wanted.add(owner),
      release: (owner) => void wanted.delete(owner),
      whenSettled: (_, __, signal) =>
        new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
    }),
    lookups: { purl: async () => ({ kind: 'found', value: found }) } as Partial<Lookups> as Lookups,
  };
  const [one, other] = [new AbortController(), new AbortController()];
  const first = lookUpPurl({ key, name: 'a', version: '1.0.0' }, insights, one.signal);
  const second = lookUpPurl({ key, name: 'a', version: '1.0.0' }, insights, other.signal);
  await new Promise(setImmediate);
  one.abort();
  await first;
  assert.equal(wanted.size, 1, 'its advisories are asked for still');
  other.abort();
  await second;
  assert.equal(wanted.size, 0);
});

test('a purl in a file whose settings name an alias of the public registry is looked up without another question', async () => {
  const purl = { key: { system: 'NPM', name: 'left-pad' }, name: 'left-pad' } as const;
  for (const [host, wanted] of [
    ['alias.registry.example', 'package left-pad'],
    ['npm.acme.example', 'version lodash'],
  ] as const) {
    const evaluation = await evaluatePurl(
      purl,
      (it) => ({ ...it, registries: [{ host, from: '.npmrc' }] }),
      knowingNothing({}),
      [],
      builtInHosts('alias.registry.example'),
    );
    assert.deepEqual(
      evaluation.wanted.map((it) => ('key' in it ? `${it.kind} ${it.key.name}` : it.kind)),
      [wanted],
    );
  }
});
