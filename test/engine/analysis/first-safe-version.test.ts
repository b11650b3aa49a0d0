import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noUpdatePolicy } from '../../../server/src/engine/analysis/evaluate/update-policy.ts';
import { firstSafeVersion } from '../../../server/src/engine/analysis/evaluate/update-target.ts';
import type { LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { Insights } from '../../../server/src/engine/model/ports.ts';

const linked = { key: { system: 'NPM', name: 'a' } } as Partial<LinkedDependency> as LinkedDependency;

/** What is offered of 1.1.0, 1.2.0 and 1.3.0, of which the last one has nothing wrong. */
function offered(...known: readonly ('pending' | 'unknown' | 'deprecated' | 'sound')[]): string | undefined {
  const versions = ['1.1.0', '1.2.0', '1.3.0'];
  const insights = {
    version({ version }): Insight<VersionFacts> {
      const state = known[versions.indexOf(version)] ?? 'sound';
      if (state === 'pending') return { state };
      if (state === 'unknown') return { state, at: 0 };
      const facts = {
        key: { ...linked.key, version },
        isDeprecated: state === 'deprecated',
        advisories: [],
        licenses: [],
      };
      return { state: 'ready', value: facts as Partial<VersionFacts> as VersionFacts, at: 0 };
    },
  } as Partial<Insights> as Insights;
  const found = firstSafeVersion(linked, versions, insights, noUpdatePolicy);
  return typeof found === 'object' ? found.key.version : found;
}

test('the nearest sound version is offered, and none as long as a nearer one may be sound', () => {
  assert.equal(offered('sound'), '1.1.0');
  assert.equal(offered('deprecated', 'unknown'), '1.3.0');
  assert.equal(offered('deprecated', 'pending'), 'pending');
  assert.equal(offered('pending'), 'pending');
  assert.equal(offered('deprecated', 'deprecated', 'deprecated'), undefined);
});
