import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCircuitBreaker } from '../../../server/src/engine/http/circuit-breaker.ts';
import { send } from '../../../server/src/engine/http/retry.ts';
import type { HttpAnswer, HttpRequest } from '../../../server/src/engine/http/types.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

function answer(status: number, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { kind: 'answer', status, headers, text: '' };
}

const broken: HttpAnswer = { kind: 'failure', reason: 'the connection was reset', isRetryable: true };

/** Sends one request over a network that answers in turn; tells what came of it and when each attempt was made. */
async function attempt(answers: readonly HttpAnswer[], advance: number, signal?: AbortSignal) {
  const clock = fakeClock();
  const start = clock.now();
  const at: number[] = [];
  const http = {
    async request() {
      at.push(clock.now() - start);
      return answers[at.length - 1] ?? assert.fail('one attempt too many');
    },
    async close() {},
  };
  const breaker = createCircuitBreaker(clock, () => 1);
  const request = { method: 'GET', origin: 'http://service.example', path: '/', ...(signal && { signal }) } as const;
  const sent = send({ http, breaker, clock, random: () => 1 }, request);
  await clock.advance(advance);
  return { sent: await sent, at };
}

test('what is well is sent once', async () => {
  assert.deepEqual(await attempt([answer(200)], 0), { sent: answer(200), at: [0] });
  assert.deepEqual(await attempt([answer(404)], 0), { sent: answer(404), at: [0] });
  assert.deepEqual(await attempt([answer(400)], 0), { sent: answer(400), at: [0] });
});

test('faults are tried three times, after waits that grow', async () => {
  assert.deepEqual(await attempt([broken, answer(500), answer(200)], 1200), { sent: answer(200), at: [0, 400, 1200] });
  assert.deepEqual(await attempt([answer(502), answer(500), broken], 1200), { sent: broken, at: [0, 400, 1200] });
});

test('what cannot fare better is not tried again', async () => {
  const long: HttpAnswer = { kind: 'failure', reason: 'the answer exceeds 32 MiB', isRetryable: false };
  assert.deepEqual(await attempt([long], 0), { sent: long, at: [0] });
});

test('an throttled is waited out where it is short', async () => {
  const short = await attempt([answer(429, { 'retry-after': '3' }), answer(200)], 3000);
  assert.deepEqual(short, { sent: answer(200), at: [0, 3000] });
  const unsaid = await attempt([answer(503), answer(429), answer(200)], 6000);
  assert.deepEqual(unsaid, { sent: answer(200), at: [0, 2000, 6000] });
});

test('a long throttled is told at once', async () => {
  const { sent, at } = await attempt([answer(429, { 'retry-after': '60' })], 0);
  assert.equal(sent.kind === 'refused' && sent.backoff.reason, 'the service requested a wait of 60 s');
  assert.deepEqual(at, [0]);
});

test('a service that is down says so, unless it says for how long', async () => {
  const { sent } = await attempt([answer(503), answer(503), answer(503)], 10_000);
  assert.equal(sent.kind === 'refused' && sent.backoff.reason, 'the service answered with status 503');
  assert.equal(sent.kind === 'refused' && sent.backoff.asked, false);
  const { sent: told } = await attempt([answer(503, { 'retry-after': '60' })], 0);
  assert.equal(told.kind === 'refused' && told.backoff.reason, 'the service requested a wait of 60 s');
  assert.equal(told.kind === 'refused' && told.backoff.asked, true);
});

test('who gives up during a wait is not sent again', async () => {
  const abort = new AbortController();
  const trying = attempt([broken], 0, abort.signal);
  abort.abort();
  assert.equal((await trying).sent.kind, 'aborted');
});

test('what a proxy bars is sent once', async () => {
  const barred = {
    kind: 'failure',
    reason: 'the proxy requires credentials',
    isRetryable: false,
    isBlocked: true,
  } as const;
  const { sent, at } = await attempt([barred], 0);
  assert.equal(sent.kind === 'refused' && sent.backoff.reason, 'the proxy requires credentials');
  assert.deepEqual(at, [0]);
});

test('a request that waits for a connection is told of, however many had one before', async () => {
  const clock = fakeClock();
  const breaker = createCircuitBreaker(clock, () => 1);
  let isThere = true;
  const http = {
    async request({ onConnected }: HttpRequest): Promise<HttpAnswer> {
      if (!isThere) return new Promise(() => {});
      onConnected?.();
      return answer(200);
    },
  };
  const ask = () => send({ http, breaker, clock, random: () => 1 }, { method: 'GET', origin: '', path: '/' });
  await Promise.all([ask(), ask()]);
  isThere = false;
  await clock.advance(60_000);
  void ask();
  await clock.advance(1999);
  assert.equal(breaker.trouble(), undefined);
  await clock.advance(1);
  assert.equal(breaker.trouble()?.isOnlySlow, true);
});
