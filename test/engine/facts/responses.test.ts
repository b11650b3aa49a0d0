import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseResponse } from '../../../server/src/engine/facts/service/responses.ts';

for (const [status, headers, text, reason] of [
  [200, { 'content-type': 'text/plain' }, 'ok', 'the answer is text/plain instead of JSON'],
  [200, {}, '{', 'the answer is not JSON'],
  [404, {}, 'no such method\nat all', 'the service answered with status 404: no such method'],
] as const) {
  test(`${status} ${JSON.stringify(headers)} ${text}: ${reason}`, () => {
    const understood = parseResponse({ kind: 'answer', status, headers, text }, () => undefined);
    assert.deepEqual(understood, { kind: 'failed', reason, outage: false });
  });
}
