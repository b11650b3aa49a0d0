import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswerCache } from '../../../server/src/engine/facts/cache/answer-cache.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { applyResult, newEntry } from '../../../server/src/engine/facts/store/entry.ts';
import { lifetimesFor } from '../../../server/src/engine/facts/store/lifetimes.ts';
import { advisoriesOf, type Insight, listOf } from '../../../server/src/engine/model/facts.ts';

const baseUrl = 'http://service.example';
const key = { system: 'NPM', name: 'x', version: '1.0.0' } as const;
const version = { key, licenses: [], licenseDetails: [], advisories: [], links: [], provenances: [], registries: [] };

const others: Readonly<Record<string, readonly unknown[]>> = {
  'version NPM x@1.0.0': [null, 7, 'x', [], {}, version, { ...version, projects: [], upstream: 'x' }],
  'package NPM x': [
    null,
    {},
    { key },
    { versions: [] },
    { key, versions: [null] },
    { key, versions: { names: ['1.0.0'], times: [], defaults: [], deprecated: [] } },
    { key, versions: { names: [], times: [], defaults: [] } },
    { key, versions: { names: [null], times: [7], defaults: [], deprecated: [] } },
    { key, versions: { names: ['1.0.0'], times: ['now'], defaults: [], deprecated: [] } },
    { key, versions: { names: ['1.0.0'], times: [7], defaults: ['1.0.0'], deprecated: [] } },
    { key, versions: [{}] },
    { key, versions: [{ version: 1, isDefault: true, isDeprecated: false }] },
    { key, versions: [{ version: '1.0.0', publishedAt: 'now', isDefault: true, isDeprecated: false }] },
  ],
  'advisory GHSA-1': [{}, { id: 'GHSA-1', aliases: 'x' }],
  'requirements NPM x@1.0.0': [null, true],
};

function kept(id: string, value: unknown) {
  const cache = createMemoryCache();
  cache.set([[`3 ${baseUrl} ${id}`, { value, at: 1, freshUntil: 2, bytes: 3 }]]);
  return createAnswerCache(cache, baseUrl).get(id);
}

test('what is kept in another form is as good as not kept', () => {
  for (const [id, values] of Object.entries(others)) {
    for (const it of values) assert.equal(kept(id, it), undefined, `${id}: ${JSON.stringify(it)}`);
  }
});

test('what is kept in ours is read', () => {
  assert.equal(kept('version NPM x@1.0.0', { ...version, projects: [], upstream: [] })?.insight.state, 'ready');
  assert.equal(kept('package NPM x', { key, versions: listOf([]) })?.insight.state, 'ready');
  assert.equal(kept('version NPM x@1.0.0', 'unknown')?.insight.state, 'unknown');
});

test('that the service finds an unknown version to be malware is kept with the answer', async () => {
  const cache = createAnswerCache(createMemoryCache(), baseUrl);
  const id = 'version NPM x@1.0.0';
  const answers: readonly Insight<never>[] = [
    { state: 'unknown', at: 1 },
    { state: 'unknown', at: 1, isMalicious: true },
  ];
  for (const insight of answers) {
    cache.set({ id, insight, due: 2 }, 0);
    await Promise.resolve();
    assert.deepEqual(cache.get(id)?.insight, insight);
  }
});

test('the same answer about an unknown version is no news, and another one is', () => {
  const entry = newEntry({ id: 'x', wanted: { kind: 'version', key } }, { kind: 'version', key }, undefined);
  const take = (result: Parameters<typeof applyResult>[1]): boolean =>
    applyResult(entry, result, 1, lifetimesFor(undefined), () => 1);
  const isNew = [
    { kind: 'unknown' },
    { kind: 'unknown', isMalicious: true },
    { kind: 'unknown', isMalicious: true },
  ].map((it) => take(it as Parameters<typeof applyResult>[1]));
  assert.deepEqual(isNew, [true, true, false]);
  assert.deepEqual(advisoriesOf(entry.insight as Insight<never>), ['service:malicious']);
});
