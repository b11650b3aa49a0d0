import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiErrorKind, adviceFor, readError } from '../../../server/src/connected/api/errors.ts';

/** status, body, kind, message */
const table: readonly (readonly [number, unknown, ApiErrorKind, string])[] = [
  [
    404,
    {
      error: {
        code: 404,
        message: 'Not Found',
        errors: [{ domain: 'global', reason: 'notFound', message: 'Not Found' }],
      },
    },
    'not-found',
    'Not Found (notFound), status 404',
  ],
  [
    400,
    { error: { code: 400, message: 'Invalid value', status: 'INVALID_ARGUMENT', details: [{ fieldViolations: [] }] } },
    'invalid',
    'Invalid value (INVALID_ARGUMENT), status 400',
  ],
  [
    401,
    { error: 'invalid_token', error_description: 'The token expired' },
    'unauthorized',
    'The token expired (invalid_token), status 401',
  ],
  [
    403,
    { error: { message: 'Forbidden', errors: [{ reason: 'insufficientPermissions' }] } },
    'forbidden',
    'Forbidden (insufficientPermissions), status 403',
  ],
  [
    403,
    { error: { message: 'Calendar usage limits', errors: [{ reason: 'quotaExceeded' }] } },
    'limited',
    'Calendar usage limits (quotaExceeded), status 403',
  ],
  [
    403,
    { message: 'You have exceeded a secondary rate limit.' },
    'limited',
    'You have exceeded a secondary rate limit., status 403',
  ],
  [
    409,
    { error: { message: 'The requested identifier already exists.' } },
    'conflict',
    'The requested identifier already exists., status 409',
  ],
  [
    410,
    { error: { message: 'Gone', errors: [{ reason: 'fullSyncRequired' }] } },
    'gone',
    'Gone (fullSyncRequired), status 410',
  ],
  [412, '', 'changed', 'status 412'],
  [429, '<html>', 'limited', 'status 429'],
  [302, '', 'moved', 'status 302'],
  [500, '{"error": [', 'failed', 'status 500'],
  [503, '[]', 'failed', 'status 503'],
];

for (const [status, body, kind, message] of table) {
  test(`${message} is ${kind}`, () => {
    const error = readError(status, typeof body === 'string' ? body : JSON.stringify(body));
    assert.deepEqual([error.kind, error.message], [kind, message]);
    const isPlain = ['invalid', 'not-found', 'failed'].includes(kind);
    assert.equal(adviceFor(error) === undefined, isPlain);
  });
}

test('an error names the parameters and members that the service names', () => {
  const body = {
    error: {
      message: 'Bad Request',
      errors: [{ reason: 'invalid', location: 'timeMin', locationType: 'parameter' }],
      details: [{ fieldViolations: [{ field: 'threatInfo.threatTypes[0]' }] }],
    },
  };
  assert.deepEqual(readError(400, JSON.stringify(body)).locations, ['timeMin', 'threatInfo.threatTypes[0]']);
});

test('a text of the service is one short line', () => {
  const hostile = `a\r\nb\u001b[2J\u202e${'x'.repeat(10_000)}`;
  const {
    message,
    reason = '',
    locations,
  } = readError(400, JSON.stringify({ error: { message: hostile, errors: [{ reason: hostile, location: hostile }] } }));
  for (const it of [message, reason, ...locations]) {
    assert.doesNotMatch(it, /\p{Cc}|\p{Cf}/u);
    assert.ok(it.length < 700);
  }
});
