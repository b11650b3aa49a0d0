import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVersion } from '../../server/src/facts/service/read-answers.ts';
import { lookUpPurl } from '../../server/src/lookup/purl.ts';
import type { Identity, Lookups } from '../../server/src/model/lookups.ts';
import { knowingNothing } from '../harness/knowing-nothing.ts';

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
