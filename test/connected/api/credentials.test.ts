import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorize, isSendable, redact, redactAnswer } from '../../../server/src/connected/api/credentials.ts';
import { connectionNames, readConnectionAddress } from '../../../server/src/engine/model/connection.ts';
import { request } from './calls.ts';

const secret = 'planted/Secret+0123=!"\\';
const credential = { secret };

test('each service gets its credential in its place', async () => {
  const address = readConnectionAddress('https://service.example/base/');
  assert.ok(address.kind === 'valid');
  const base = await request('code-host.rateLimit.get');
  const places = connectionNames.map((connection) => {
    const { path, headers } = authorize({ ...base, connection, path: 'a' }, address, { secret: 'x+y' });
    const more = authorize({ ...base, connection, path: 'a?b=c' }, address, { secret: 'x+y' });
    return [connection, path, more.path, headers['authorization']];
  });
  assert.deepEqual(places, [
    ['code-host', '/base/a', '/base/a?b=c', 'Bearer x+y'],
    ['link-safety', '/base/a?key=x%2By', '/base/a?b=c&key=x%2By', undefined],
    ['scheduling', '/base/a', '/base/a?b=c', 'Bearer x+y'],
    ['deployments', '/base/a', '/base/a?b=c', 'Bearer x+y'],
    ['token-audit', '/base/a?access_token=x%2By', '/base/a?b=c&access_token=x%2By', undefined],
  ]);
});

test('a credential that a service repeats is replaced, however it is written', () => {
  const written = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase().replace('secret', 'Secret'),
    encodeURIComponent(secret).replace('!', '%21'),
    encodeURI(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    secret.replace('"', '&quot;').replace('/', '&#x2F;').replace('+', '&amp;#43;'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
  ];
  for (const it of written) assert.equal(redact(`a ${it} b`, credential), 'a [credential] b');
  for (const around of ['', 'a', 'ab', 'user:']) {
    for (const kind of ['base64', 'base64url'] as const) {
      const text = redact(Buffer.from(`${around}${secret}`).toString(kind), credential);
      assert.match(text, /^.{0,8}\[credential\].{0,4}$/, `${around} ${kind}`);
    }
  }
  const json = JSON.stringify({ [secret]: [secret] });
  const escaped = [
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll('/', '\\u002f'),
    json.replaceAll('p', '\\u0070').replaceAll('+', '\\u002B'),
  ];
  for (const text of escaped) {
    const answer = redactAnswer({ kind: 'answer', status: 200, headers: { 'x-echo': secret }, text }, credential);
    assert.ok(answer.kind === 'answer');
    assert.deepEqual(JSON.parse(answer.text), { '[credential]': ['[credential]'] }, text);
    assert.equal(answer.headers['x-echo'], '[credential]');
  }
  const failure = redactAnswer({ kind: 'failure', reason: `invalid ${secret}` }, credential);
  assert.deepEqual(failure, { kind: 'failure', reason: 'invalid [credential]' });
});

test('long credentials are replaced as well, and no text takes long', () => {
  const token = `${'aB3cdf9z'.repeat(10)}.`.repeat(100);
  for (const it of [token, encodeURIComponent(token).replaceAll('.', '%2E'), '/'.repeat(8192), '/'.repeat(500)])
    assert.ok(redact(`a ${it} b`, { secret: decodeURIComponent(it) }) === 'a [credential] b');
  for (const it of ['\\', '%25', '&amp;']) assert.ok(redact(it.repeat(2 ** 20), credential) === it.repeat(2 ** 20));
});

test('an answer without the credential stays as it is', () => {
  const texts = ['{"a": "\\/ \\u0041", "n": 12345678901234567890}', 'not JSON \\', '', `${'['.repeat(50_000)}\\`];
  for (const text of texts) {
    const answer = { kind: 'answer', status: 200, headers: {}, text } as const;
    assert.deepEqual(redactAnswer(answer, credential), answer);
    // So short a text is a part of many others.
    assert.deepEqual(redactAnswer(answer, { secret: 'a' }), answer);
  }
});

test('a credential is visible ASCII', () => {
  assert.deepEqual(
    ['a', secret, '', 'a b', 'a\nb', 'a\r\nx: y', 'ä', '\u0000'].map((it) => isSendable({ secret: it })),
    [true, true, false, false, false, false, false, false],
  );
});
