import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go } from '../../../../server/src/engine/ecosystems/go/versions.ts';
import { testTable } from '../../../harness/version-answers.ts';

testTable(go, 'go.txt');

test('GO: ten megabytes of labels are a version like any other', () => {
  const labels = `${'a.'.repeat(5_000_000)}a`;
  assert.ok(go.compare(`v1.0.0-${labels}`, 'v1.0.0') < 0);
  assert.ok(go.isStable(`v1.0.0+${labels}`));
});
