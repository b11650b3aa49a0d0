import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from './soak.ts';

/*
 * A short `npm run soak`: every request is answered, memory does not grow with edits, and the results are correct once
 * the service recovers.
 */
const skip = process.platform === 'win32' && 'no signals';

test('editing while the service is in trouble', { skip, timeout: 50_000 }, async () => {
  const { memory, requests, wrong } = await soak({ edits: 400, documents: 10, seed: 7, patience: 30_000 });
  assert.deepEqual(wrong, []);
  assert.equal(requests.answered + requests.cancelled, requests.sent);
  const [, half, end] = memory;
  assert.ok(half && end && end.heap < 1.2 * half.heap + 4e6, JSON.stringify(memory));
  assert.ok(end.rss < 500e6, JSON.stringify(memory));
});
