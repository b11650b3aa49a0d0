import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planUpdates } from '../../../server/src/engine/analysis/update-plan.ts';
import type { EvaluatedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { VersionFacts } from '../../../server/src/engine/model/facts.ts';

const key = { system: 'NPM', name: 'a' } as const;

function facts(version: string, isDeprecated: boolean): VersionFacts {
  const known = {
    key: { ...key, version },
    version,
    isDeprecated,
    advisories: [],
    licenses: ['MIT'],
    licenseDetails: [],
    provenances: [],
  };
  return known as Partial<VersionFacts> as VersionFacts;
}

/** A dependency in a place of its own that should be moved, and how often anybody looks where it stands. */
function watched(start: number, look: () => void): EvaluatedDependency {
  const span = { start, end: start + 5 };
  const at = { span, text: '1.0.0', encode: (value: string) => value };
  const linked = {
    key,
    uri: 'file:///package.json',
    dependency: { scope: 'runtime' },
    span,
    requirement: { kind: 'text', text: '1.0.0', via: [], place: { uri: 'file:///package.json', at } },
  };
  const evaluated = {
    resolution: { kind: 'version', version: '1.0.0', from: 'pin' },
    version: { state: 'ready', value: facts('1.0.0', true), at: 0 },
    advisories: [],
    targets: [{ version: '2.0.0', kinds: ['safe'], facts: { state: 'ready', value: facts('2.0.0', false), at: 0 } }],
  } as Partial<EvaluatedDependency> as EvaluatedDependency;
  return Object.defineProperty(evaluated, 'linked', {
    get() {
      look();
      return linked;
    },
  });
}

test('to move all dependencies of a file, none is held against all the others', () => {
  const count = 500;
  let looks = 0;
  const dependencies = Array.from({ length: count }, (_, at) =>
    watched(at * 10, () => {
      looks++;
    }),
  );
  assert.equal(
    planUpdates(dependencies, 'safe', {
      version: () => ({ state: 'pending' }),
      package: () => ({ state: 'pending' }),
      advisory: () => ({ state: 'pending' }),
    }).changes.length,
    count,
  );
  assert.ok(looks < 20 * count, `${looks}`);
});
