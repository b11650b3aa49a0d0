import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understand } from '../../server/src/insights/understand.ts';

/** What a network answers in the place of the service is an outage: it heals for everything at once. */
for (const [status, headers, text, reason, outage] of [
  [200, {}, ' <!doctype html>', 'a web page came in place of an answer, perhaps that of a network to sign in to', true],
  [302, { location: 'https://login.example/?to=x' }, '', 'the answer leads elsewhere, to https://login.example', true],
  [301, { location: '/elsewhere' }, '', 'the answer leads elsewhere', true],
  [307, { location: 'javascript:alert(1)' }, '', 'the answer leads elsewhere', true],
  [200, { 'content-type': 'text/plain' }, 'ok', 'the answer is not JSON but text/plain', false],
] as const) {
  test(`${status} ${JSON.stringify(headers)} ${text}: ${reason}`, () => {
    const understood = understand({ kind: 'answer', status, headers, text }, () => undefined);
    assert.deepEqual(understood, { kind: 'failed', reason, outage });
  });
}
