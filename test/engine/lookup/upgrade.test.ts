import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementGroup } from '../../../server/src/engine/lookup/requirement-group.ts';
import { diffRequirements } from '../../../server/src/engine/lookup/upgrade-diff.ts';

test('an upgrade adds, drops and changes what comes along; what its authors use themselves does not count', () => {
  const group = (scope: RequirementGroup['scope'], all: Readonly<Record<string, string>>): RequirementGroup => ({
    name: scope,
    scope,
    entries: Object.entries(all).map(([name, requirement]) => ({
      key: { system: 'NPM', name },
      requirement,
      effective: { kind: 'text', text: requirement, via: [] },
      notes: [],
    })),
  });
  const { adds, drops, changes } = diffRequirements(
    [
      group('runtime', { a: '^1', b: '^1', c: '^1', both: '1' }),
      group('peer', { both: '2' }),
      group('dev', { d: '1' }),
    ],
    [group('runtime', { a: '^1', b: '^2', n: '^1', both: '2' }), group('dev', { d: '2', e: '1' })],
  );
  assert.deepEqual([adds.map((it) => it.key.name), drops.map((it) => it.key.name)], [['n'], ['c']]);
  assert.deepEqual(
    changes.map(({ from, to }) => `${from.key.name} ${from.requirement} → ${to.requirement}`),
    ['b ^1 → ^2'],
  );
});
