import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { httpLimits } from '../../../server/src/engine/http/types.ts';
import { selfSigned } from '../../harness/certificate.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

/*
 * Connections of HTTP/2 that nobody answers on any more: the machine slept, or went over to another network.
 */
const { key, cert } = selfSigned();
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function setUp() {
  const sessions: ServerHttp2Session[] = [];
  /** Answers that are held back, by their path. */
  const held = new Map<string, () => void>();
  let isSilent = (_: string): boolean => false;
  const server: Http2SecureServer = createSecureServer({ key, cert }, (request, response) => {
    const answer = (): void => void response.writeHead(200).end(String(sessions.length));
    if (!isSilent(request.url)) return answer();
    if (request.url === '/halfway') response.writeHead(200).write('{');
    held.set(request.url, answer);
  });
  server.on('session', (it) => sessions.push(it));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = fakeClock();
  const http = createHttp({ clock, userAgent: 'test', ca: [cert] });
  open.push(async () => {
    await http.close();
    server.close();
  });
  return {
    clock,
    sessions,
    held,
    silence: (which: (path: string) => boolean) => {
      isSilent = which;
    },
    async get(path: string) {
      const answer = await http.request({ method: 'GET', origin: `https://127.0.0.1:${port}`, path });
      return answer.kind === 'answer' ? answer.text : answer.kind === 'failure' ? answer.reason : answer.kind;
    },
    async reached(path: string) {
      while (!held.has(path)) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('after a wait in vain the next request goes over a connection of its own, and what is under way is not cut', async () => {
  const { clock, get, held, reached, silence } = await setUp();
  assert.equal(await get('/first'), '1');
  silence((path) => path === '/lost' || path === '/slow');
  const lost = get('/lost');
  await reached('/lost');
  await clock.advance(httpLimits.headers - 1);
  const slow = get('/slow');
  await reached('/slow');
  await clock.advance(1);
  assert.equal(await lost, 'no answer within 30 s');
  assert.equal(await get('/next'), '2');
  held.get('/slow')?.();
  assert.equal(await slow, '2');
});

test('what lay idle for long is closed and not used again, and what did not is', async () => {
  const { clock, get, sessions } = await setUp();
  assert.equal(await get('/'), '1');
  await clock.advance(httpLimits.idle);
  assert.equal(await get('/'), '1');
  await clock.advance(httpLimits.idle + 1);
  const [first] = sessions;
  const closed = first && once(first, 'close');
  assert.equal(await get('/'), '2');
  await closed;
});

test('a host that ends a connection with all that is under way has each sent once more over one new connection', async () => {
  const { get, held, reached, sessions, silence } = await setUp();
  silence(() => true);
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const answers = paths.map(get);
  await Promise.all(paths.map(reached));
  silence(() => false);
  held.clear();
  sessions[0]?.goaway();
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['2']));
});

test('who ends every connection is told of as one that closes them', async () => {
  const { get, reached, sessions, silence } = await setUp();
  silence(() => true);
  const answer = get('/lost');
  await reached('/lost');
  sessions[0]?.goaway();
  while (sessions.length < 2) await new Promise((resolve) => setImmediate(resolve));
  sessions[1]?.destroy();
  assert.equal(await answer, 'the connection was closed');
});

test('an answer that was cut off with the connection is asked for once more, too', async () => {
  const { get, sessions, silence, reached } = await setUp();
  silence((path) => path === '/halfway');
  const answer = get('/halfway');
  await reached('/halfway');
  // Its first part has the time to arrive.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  silence(() => false);
  sessions[0]?.goaway();
  assert.equal(await answer, '2');
});
