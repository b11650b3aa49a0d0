import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAsShown } from '../../../client/src/connected/connections/tree-item.ts';

test('a row is read as it is shown, not as its tooltip', () => {
  const row = { label: 'bucket', description: 'storage · FAILED', tooltip: 'https://service.example/b/1' };
  assert.equal(readAsShown(row).accessibilityInformation?.label, 'bucket, storage · FAILED');
  assert.equal(readAsShown({ label: 'Resources' }).accessibilityInformation?.label, 'Resources');
});

test('a row also says what only its icon shows', () => {
  const row = { label: 'Code Host', description: 'host.example' };
  assert.equal(readAsShown(row, 'status 503').accessibilityInformation?.label, 'Code Host, host.example, status 503');
});
