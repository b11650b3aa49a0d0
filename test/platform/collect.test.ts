import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage } from '../../server/src/platform/collect.ts';

test('what a job has left is gone', async () => {
  const left = new WeakRef({});
  // A reference lives as long as the turn that has made it.
  await nextTurn();
  collectGarbage();
  assert.equal(left.deref(), undefined);
  assert.equal('gc' in globalThis, false);
});
