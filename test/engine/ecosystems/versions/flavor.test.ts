import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { flavorOf, keepsFlavor } from '../../../../server/src/engine/ecosystems/shared/flavor.ts';
import { isSystem } from '../../../../server/src/engine/model/system.ts';
import { readTable } from '../../../harness/version-table.ts';

for (const row of readTable(join(import.meta.dirname, 'flavors.txt'))) {
  const [system = '', written = '', target = '', expected] = row;
  test(`${system}: ${written} to ${target}: ${expected}`, () => {
    assert.ok(isSystem(system));
    assert.equal(keepsFlavor(system, written, target) ? 'kept' : 'no', expected);
  });
}

test('a flavor is told by its word, and a text of any length is read in no time', () => {
  assert.equal(flavorOf('MAVEN', '31.1-android'), 'android');
  assert.equal(flavorOf('MAVEN', '5.3.18.Final-redhat-00001'), 'redhat');
  assert.equal(flavorOf('NPM', '18.3.0-canary-a870b2d54'), 'canary');
  assert.equal(flavorOf('NPM', '4.17.21'), '');
  for (const system of ['MAVEN', 'NPM', 'PYPI'] as const) {
    assert.equal(flavorOf(system, `1${'-a1.'.repeat(1_000_000)}`).length < 200, true);
  }
});
