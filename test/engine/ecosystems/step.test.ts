import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepOf } from '../../../server/src/engine/ecosystems/shared/step.ts';
import type { System } from '../../../server/src/engine/model/system.ts';

/* The size of a step, by the number that changes first and by what zeros mean to a system. */

const steps: readonly (readonly [System, string, string, string | undefined])[] = [
  ['NPM', '4.17.15', '4.17.21', 'patch'],
  ['NPM', '4.17.15', '4.18.1', 'minor'],
  ['NPM', '4.17.15', '5.0.0', 'major'],
  ['NPM', '0.4.1', '0.4.2', 'patch'],
  ['NPM', '0.4.1', '0.5.0', 'major'],
  ['NPM', '0.0.3', '0.0.4', 'major'],
  ['NPM', '0.0.0', '0.1.0', 'major'],
  ['NPM', '2.0.0-rc.1', '2.0.0', 'patch'],
  ['CARGO', '0.7.2', '0.8.5', 'major'],
  ['GO', 'v0.3.0', 'v0.4.0', 'minor'],
  ['GO', 'v2.0.0+incompatible', 'v3.0.0+incompatible', 'major'],
  ['PYPI', '2.0', '2.0.1', 'patch'],
  ['PYPI', '2', '2.1', 'minor'],
  ['PYPI', '2023.7', '2024.2', 'major'],
  ['PYPI', '1!2.0', '2!2.0', 'major'],
  ['MAVEN', '31.1-jre', '33.8.0-jre', 'major'],
  ['MAVEN', '31.1-jre', '31.1-android', 'patch'],
  ['MAVEN', 'Hoxton.SR1', 'Hoxton.SR12', undefined],
  ['NUGET', '4.2.0.1', '4.2.0.7', 'patch'],
  ['NUGET', '0.9.0', '0.10.0', 'minor'],
];

for (const [system, from, to, step] of steps) {
  test(`${system}: ${from} → ${to} is ${step ?? 'unknown'}`, () => assert.equal(stepOf(system, from, to), step));
}

test('a very long version has no step', () => {
  assert.equal(stepOf('NPM', `1.${'0'.repeat(500)}`, '2.0.0'), undefined);
});
