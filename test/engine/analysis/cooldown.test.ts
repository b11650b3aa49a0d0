import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isSafe,
  MAX_AGE_BEHIND_CURRENT,
  updateTargetOf,
} from '../../../server/src/engine/analysis/evaluate/update-target.ts';
import type { LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import { listOf, type PackageFacts, type VersionFacts } from '../../../server/src/engine/model/facts.ts';

const linked = { key: { system: 'NPM', name: 'a' } } as Partial<LinkedDependency> as LinkedDependency;
const age = 7 * 24 * 3_600_000;
const notAfter = Date.UTC(2026, 0, 10);
const rule = { key: 'cooldownDays', limit: { kind: 'age', age } } as const;
const policy = { id: '', cooldown: { now: notAfter + age, rules: [rule] } };

/** What there is to move 1.0.0 to, where the other versions came out at these moments and the last is the default. */
function targetAmong(published: Readonly<Record<string, number>>) {
  const versions = Object.entries(published).map(([version, publishedAt]) => ({
    version,
    publishedAt,
    isDefault: false,
    isDeprecated: false,
  }));
  const list = { key: linked.key, versions: listOf(versions) } as Partial<PackageFacts> as PackageFacts;
  return updateTargetOf(linked, list, versions.at(-1)?.version, '1.0.0', policy);
}

test('a version is old enough in the very millisecond in which the cooldown ends, and not before', () => {
  assert.deepEqual(targetAmong({ '2.0.0': notAfter }), { version: '2.0.0', candidates: [] });
  assert.deepEqual(targetAmong({ '2.0.0': notAfter + 1 }), {
    heldBack: { version: '2.0.0', publishedAt: notAfter + 1, rule, limit: rule.limit },
    candidates: [],
  });
});

test('what is offered in place of a version that is too young is old enough to the millisecond, too', () => {
  const published = { '1.1.0': notAfter, '1.2.0': notAfter + 1, '2.0.0': notAfter + 2 };
  assert.deepEqual(targetAmong(published).candidates, ['1.1.0']);
});

test('a version of which the list has no date is sound from the same millisecond on', () => {
  const published = (publishedAt: number): VersionFacts =>
    ({
      key: { ...linked.key, version: '2.0.0' },
      version: '2.0.0',
      isDeprecated: false,
      advisories: [],
      licenses: [],
      publishedAt,
    }) as Partial<VersionFacts> as VersionFacts;
  assert.equal(isSafe(linked, published(notAfter), policy), true);
  assert.equal(isSafe(linked, published(notAfter + 1), policy), false);
});

test('a default version is no update where it came out more than a year before the one in use', () => {
  const at = Date.UTC(2020, 0, 1);
  assert.equal(targetAmong({ '1.0.0': at + MAX_AGE_BEHIND_CURRENT, '2.0.0': at }).version, '2.0.0');
  assert.equal(targetAmong({ '1.0.0': at + MAX_AGE_BEHIND_CURRENT + 1, '2.0.0': at }).version, undefined);
});
