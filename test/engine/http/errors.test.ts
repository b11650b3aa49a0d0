import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, describe, isCutOff } from '../../../server/src/engine/http/errors.ts';

const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code });

test('the reason of an error is that of its cause where it has no code itself', () => {
  assert.equal(describe(new TypeError('fetch failed', { cause: coded('ENOTFOUND') })), 'unknown host');
  const everyAddress = new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')]);
  assert.equal(describe(new TypeError('fetch failed', { cause: everyAddress })), 'connection refused');
});

test('its own code counts before that of its cause', () => {
  const error = Object.assign(coded('ECONNRESET'), { cause: coded('ENOTFOUND') });
  assert.equal(describe(error), 'the connection was reset');
});

test('what has no code, or one that means nothing to a person, is told in its own words', () => {
  assert.equal(describe(new Error('something else', { cause: 'no object' })), 'something else');
  assert.equal(describe(coded('EWHATEVER', 'something else')), 'something else');
  assert.equal(describe(new Error('', { cause: coded('EWHATEVER') })), 'EWHATEVER');
  assert.equal(describe(new Error('')), 'the request failed');
});

test('a code is a text, whatever stands in its place', () => {
  assert.equal(codeOf({ code: 7, errors: [coded('ENOTFOUND')] }), 'ENOTFOUND');
  for (const it of [null, undefined, 'ENOTFOUND', { code: 7 }, { errors: [] }]) assert.equal(codeOf(it), undefined);
});

test('a stream that was refused was cut off, and one that was ended for another reason was not', () => {
  assert.equal(isCutOff(coded('UND_ERR_SOCKET')), true);
  assert.equal(isCutOff(coded('ERR_HTTP2_STREAM_ERROR', 'closed with error code NGHTTP2_REFUSED_STREAM')), true);
  assert.equal(isCutOff(coded('ERR_HTTP2_STREAM_ERROR', 'closed with error code NGHTTP2_INTERNAL_ERROR')), false);
});
