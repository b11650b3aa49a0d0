import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../../server/src/engine/http/types.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';
import {
  type Act,
  gzipped,
  held,
  json,
  reset,
  resetWithin,
  type ScriptedServer,
  scriptedServer,
  stall,
  stallWithin,
  status,
} from '../../harness/scripted-server.ts';

let server: ScriptedServer;
let clock: FakeClock;
let http: Http;

before(async () => {
  server = await scriptedServer();
  clock = fakeClock();
  http = createHttp({
    clock,
    userAgent: 'package-insights/1.0.0 (+https://example.org)',
    limits: { bodyBytes: 100_000 },
  });
});

after(async () => {
  await http.close();
  await server.close();
});

afterEach(() => assert.equal(clock.next(), undefined, 'every deadline is taken back'));

function get(path = '/', more: Partial<HttpRequest> = {}): Promise<HttpAnswer> {
  return http.request({ method: 'GET', origin: server.url, path, ...more });
}

/** Makes a request, and waits until it has arrived. */
async function arrive(more: Partial<HttpRequest> = {}): Promise<Promise<HttpAnswer>[]> {
  const count = server.arrived.length;
  const answer = get('/', more);
  await server.reached(count + 1);
  return [answer];
}

/** Lets what was sent arrive. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('the path is sent as it stands, and the program names itself', async () => {
  await get('/systems/NPM/packages/%40a%2Fb/../%2E%2E?x=%2B');
  const { path, headers } = server.arrived.at(-1) ?? assert.fail();
  assert.equal(path, '/systems/NPM/packages/%40a%2Fb/../%2E%2E?x=%2B');
  assert.equal(headers['user-agent'], 'package-insights/1.0.0 (+https://example.org)');
  assert.equal(headers['accept-encoding'], 'gzip');
});

test('a body is sent as JSON', async () => {
  await get('/', { method: 'POST', body: '{"a":"ä"}' });
  const { body, headers } = server.arrived.at(-1) ?? assert.fail();
  assert.equal(body, '{"a":"ä"}');
  assert.equal(headers['content-type'], 'application/json');
});

test('an answer comes with status, headers and text, compressed or not', async () => {
  server.script(
    json({ ok: 'ä' }, { 'Cache-Control': 'max-age=1' }),
    gzipped({ ok: 'ä' }),
    status(404, 'package not found'),
  );
  const plain = await get();
  assert.equal(plain.kind === 'answer' && plain.text, '{"ok":"ä"}');
  assert.equal(plain.kind === 'answer' && plain.headers['cache-control'], 'max-age=1');
  const packed = await get();
  assert.equal(packed.kind === 'answer' && packed.text, '{"ok":"ä"}');
  const missing = await get();
  assert.equal(missing.kind === 'answer' && `${missing.status} ${missing.text}`, '404 package not found');
});

test('a redirect is an answer like any other, and not followed', async () => {
  server.script(status(302, 'elsewhere', { location: `${server.url}/elsewhere` }));
  const before = server.arrived.length;
  const answer = await get('/moved');
  assert.equal(answer.kind === 'answer' && answer.status, 302);
  assert.deepEqual(
    server.arrived.slice(before).map((it) => it.path),
    ['/moved'],
  );
});

test('connections are kept', async () => {
  const ports = new Set<number | undefined>();
  for (let count = 0; count < 3; count++) {
    server.script((request, response) => {
      ports.add(response.socket?.remotePort);
      return json({})(request, response);
    });
    await get();
  }
  assert.equal(ports.size, 1);
});

const failures: readonly (readonly [string, Act, HttpAnswer])[] = [
  ['a reset', reset, { kind: 'failure', reason: 'the connection was reset', isRetryable: true }],
  [
    'a reset within the answer',
    resetWithin('{"a":1}'.repeat(99)),
    { kind: 'failure', reason: 'the connection was reset', isRetryable: true },
  ],
  [
    'an announced answer that is too long',
    status(200, 'x'.repeat(100_001)),
    { kind: 'failure', reason: 'the answer exceeds 0 MiB', isRetryable: false },
  ],
  [
    'an answer that grows too long',
    (_, response) => void response.write('x'.repeat(100_001)),
    { kind: 'failure', reason: 'the answer exceeds 0 MiB', isRetryable: false },
  ],
  [
    'an answer that is too long once decompressed',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_001))),
    { kind: 'failure', reason: 'the answer exceeds 0 MiB', isRetryable: false },
  ],
  [
    'a broken gzip',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    { kind: 'failure', reason: 'the compressed answer is corrupt', isRetryable: true },
  ],
  [
    'a compression nobody asked for',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
    { kind: 'failure', reason: 'unsupported compression of the answer (br)', isRetryable: false },
  ],
];

for (const [name, act, expected] of failures) {
  test(`${name} is a failure with a reason`, async () => {
    server.script(act);
    assert.deepEqual(await get(), expected);
  });
}

test('a host that refuses is a failure', async () => {
  const gone = await scriptedServer();
  await gone.close();
  const answer = await http.request({ method: 'GET', origin: gone.url, path: '/' });
  assert.deepEqual(answer, { kind: 'failure', reason: 'connection refused', isRetryable: true });
});

test('no answer within the deadline ends the request and its connection', async () => {
  server.script(stall);
  const [answer] = await arrive();
  await clock.advance(30_000);
  assert.deepEqual(await answer, { kind: 'failure', reason: 'no answer within 30 s', isRetryable: true });
  await server.arrived.at(-1)?.gone;
});

test('an answer that drips for ever ends at its deadline', async () => {
  server.script(stallWithin('{'));
  const [answer] = await arrive();
  // The deadline of the headers is there first, and has to be gone.
  while (clock.next() === 30_000) await new Promise((resolve) => setImmediate(resolve));
  await clock.pass(60_000);
  assert.deepEqual(await answer, { kind: 'failure', reason: 'the answer did not end within 60 s', isRetryable: true });
  await server.arrived.at(-1)?.gone;
});

test('an aborted request ends at once, and the server sees it', async () => {
  const abort = new AbortController();
  server.script(stall);
  const [answer] = await arrive({ signal: abort.signal });
  abort.abort();
  assert.deepEqual(await answer, { kind: 'aborted' });
  await server.arrived.at(-1)?.gone;
});

test('what is aborted before it is sent never arrives', async () => {
  const narrow = createHttp({ clock, userAgent: 'test', limits: { connections: 1 } });
  const ask = (path: string, signal?: AbortSignal) =>
    narrow.request({ method: 'GET', origin: server.url, path, ...(signal && { signal }) });
  const count = server.arrived.length;
  const first = held(json({}));
  server.script(first.act);
  const abort = new AbortController();
  const before = ask('/before');
  const queued = ask('/queued', abort.signal);
  const after = ask('/after');
  await server.reached(count + 1);
  abort.abort();
  assert.deepEqual(await queued, { kind: 'aborted' });
  assert.deepEqual(await ask('/', AbortSignal.abort()), { kind: 'aborted' });
  first.release();
  await Promise.all([before, after]);
  assert.deepEqual(
    server.arrived.slice(count).map((it) => it.path),
    ['/before', '/after'],
  );
  await narrow.close();
});

test('closing ends what is under way', async () => {
  const other = createHttp({ clock, userAgent: 'test' });
  server.script(stall);
  const count = server.arrived.length;
  const answer = other.request({ method: 'GET', origin: server.url, path: '/' });
  await server.reached(count + 1);
  await other.close();
  assert.equal((await answer).kind, 'aborted');
  assert.deepEqual(await other.request({ method: 'GET', origin: server.url, path: '/' }), { kind: 'aborted' });
});

test('an answer that says it is too long is not waited for', async () => {
  server.script((_, response) => {
    response.writeHead(200, { 'content-length': 100_001 }).flushHeaders();
  });
  const answer = await get();
  assert.equal(answer.kind === 'failure' && answer.reason, 'the answer exceeds 0 MiB');
});

test('the abort listener of a request is removed when it is answered', async () => {
  const { signal } = new AbortController();
  server.script(json({}));
  await get('/', { signal });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('an informational response is no answer yet', async () => {
  server.script((_, response) => response.writeProcessing());
  const [answer] = await arrive();
  await turns();
  await clock.advance(30_000);
  assert.deepEqual(await answer, { kind: 'failure', reason: 'no answer within 30 s', isRetryable: true });
});

test('an empty answer needs no decompression', async () => {
  server.script(status(404, '', { 'content-encoding': 'gzip' }));
  const answer = await get();
  assert.equal(answer.kind === 'answer' && answer.text, '');
});

test('all answers that are under way are bounded together, and every one that ends makes room', async () => {
  const narrow = createHttp({ clock, userAgent: 'test', limits: { underWayBytes: 150_000 } });
  const ask = (more: Partial<HttpRequest> = {}) =>
    narrow.request({ method: 'GET', origin: server.url, path: '/', ...more });
  const text = JSON.stringify({ x: 'x'.repeat(100_000) });
  const abort = new AbortController();
  server.answer(stallWithin(text));
  const both = [ask({ signal: abort.signal }), ask({ signal: abort.signal })];
  const reason = 'the pending answers exceed 0 MiB';
  assert.deepEqual(await Promise.race(both), { kind: 'failure', reason, isRetryable: true });
  abort.abort();
  await Promise.all(both);
  for (const act of [json({ text }), gzipped({ text }), status(500, text), json({ text }), json({ text })]) {
    server.answer(act);
    const answer = await ask();
    assert.equal(answer.kind, 'answer', JSON.stringify(answer).slice(0, 200));
  }
  await narrow.close();
});
