import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { selfSigned } from '../../harness/certificate.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

/*
 * Answers that the host of HTTP/2 cuts off with a frame that reads like a regular end: RST_STREAM(CANCEL).
 */
const { key, cert } = selfSigned();
const whole = JSON.stringify({ responses: [{ request: {} }, { request: {} }], nextPageToken: '' });
const type = { 'content-type': 'application/json; charset=utf-8' };

async function ask(answer: (stream: ServerHttp2Stream) => void): Promise<string> {
  const server = createSecureServer({ key, cert });
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    answer(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ca: [cert] });
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const got = await http.request({ method: 'GET', origin, path: '/' });
  await http.close();
  server.close();
  if (got.kind === 'aborted') return got.kind;
  return got.kind === 'answer' ? got.text : `${got.reason}${got.isRetryable ? ', again' : ''}`;
}

function cutOff(stream: ServerHttp2Stream, body: Buffer | string, headers: object): void {
  stream.respond({ ':status': 200, ...headers });
  stream.write(body, () => setImmediate(() => stream.close(constants.NGHTTP2_CANCEL)));
}

const half = whole.slice(0, whole.length / 2);
const behindBracket = whole.slice(0, whole.indexOf('}') + 1);

for (const [name, body, headers, said] of [
  ['of a known length', half, { ...type, 'content-length': whole.length }, 'the host aborted its answer, again'],
  [
    'of a known length, behind a bracket,',
    behindBracket,
    { ...type, 'content-length': whole.length },
    'the host aborted its answer, again',
  ],
  [
    'of a known length that is no JSON',
    'package not',
    { 'content-type': 'text/plain', 'content-length': 17 },
    'the host aborted its answer, again',
  ],
  [
    'that is compressed',
    gzipSync(whole).subarray(0, 30),
    { ...type, 'content-encoding': 'gzip' },
    'the compressed answer is corrupt, again',
  ],
] as const) {
  test(`an answer ${name}, cut off, is tried again`, async () => {
    assert.equal(await ask((it) => cutOff(it, body, headers)), said);
  });
}

test('a request that is turned away before its answer is told in words', async () => {
  assert.equal(await ask((it) => it.close(constants.NGHTTP2_CANCEL)), 'the host aborted its answer, again');
});

test('what ends as it should is whole, whatever it is', async () => {
  for (const [body, headers] of [
    [whole, type],
    [`${whole}\n`, { ...type, 'content-length': whole.length + 1 }],
    ['package not found', { 'content-type': 'text/plain' }],
    ['', { 'content-length': 0 }],
  ] as const) {
    const got = await ask((it) => {
      it.respond({ ':status': 200, ...headers });
      it.end(body);
    });
    assert.equal(got, body);
  }
});
