import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cargo } from '../../../../server/src/engine/ecosystems/cargo/versions.ts';
import { testTable } from '../../../harness/version-answers.ts';

testTable(cargo, 'cargo.txt');

test('CARGO: ten megabytes of labels are a version like any other', () => {
  const labels = `${'a.'.repeat(5_000_000)}a`;
  assert.ok(cargo.compare(`1.0.0-${labels}`, '1.0.0') < 0);
  assert.ok(cargo.isStable(`1.0.0+${labels}`));
});
