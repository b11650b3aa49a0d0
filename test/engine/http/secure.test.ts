import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { untrusted } from '../../../server/src/engine/http/errors.ts';
import type { HttpAnswer, HttpOptions } from '../../../server/src/engine/http/types.ts';
import { hostName, selfSigned } from '../../harness/certificate.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

const { key, cert } = selfSigned();
let server: Http2SecureServer;
let port: number;
let sessions = 0;
/** Answers that wait for the test. */
const waiting: (() => void)[] = [];

before(async () => {
  server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    const answer = () => response.writeHead(200).end(`${request.httpVersion} ${request.method} ${request.url}`);
    if (request.url === '/wait') waiting.push(answer);
    else answer();
  });
  server.on('session', () => sessions++);
  port = await listening(server);
});

after(() => void server.close());

async function listening(it: Server): Promise<number> {
  await new Promise<void>((resolve) => it.listen(0, '127.0.0.1', resolve));
  const address = it.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function ask(options: Partial<HttpOptions>, origin = `https://127.0.0.1:${port}`): Promise<HttpAnswer> {
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ...options });
  const answer = await http.request({ method: 'POST', origin, path: '/', body: '{}' });
  await http.close();
  return answer;
}

test('a certificate of an authority that is given is trusted, and HTTP/2 spoken', async () => {
  const answer = await ask({ ca: [cert] });
  assert.equal(answer.kind === 'answer' && answer.text, '2.0 POST /');
});

test('any other certificate is not', async () => {
  assert.deepEqual(await ask({}), {
    kind: 'failure',
    reason: "the host's certificate is not trusted",
    isRetryable: true,
  });
});

test('an environment that has Node trust anybody does not count', async (t) => {
  t.mock.method(process, 'emitWarning', () => {});
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
  assert.deepEqual(await ask({}), { kind: 'failure', reason: untrusted(), isRetryable: true });
  assert.equal((await ask({ ca: [cert] })).kind, 'answer');
});

test('a first wave goes over one connection, which it waits for, and so does the next', async () => {
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ca: [cert] });
  const origin = `https://127.0.0.1:${port}`;
  sessions = 0;
  for (let wave = 0; wave < 2; wave++) {
    const all = Array.from({ length: 50 }, () => http.request({ method: 'GET', origin, path: '/wait' }));
    while (waiting.length < 50) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sessions, 1);
    for (const answer of waiting.splice(0)) answer();
    for (const answer of await Promise.all(all)) assert.equal(answer.kind, 'answer');
  }
  await http.close();
});

test('where it speaks HTTP/1 alone, the others open connections of their own, and all are used again', async () => {
  let connections = 0;
  let arrived = 0;
  const answers: (() => void)[] = [];
  const old = createHttpsServer({ key, cert }, (_, response) => {
    arrived++;
    answers.push(() => response.end());
  });
  old.on('secureConnection', () => connections++);
  const origin = `https://127.0.0.1:${await listening(old)}`;
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ca: [cert] });
  for (const wave of [1, 2, 3]) {
    const all = Array.from({ length: 5 }, () => http.request({ method: 'GET', origin, path: '/' }));
    while (arrived < 5 * wave) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(connections, 5);
    for (const answer of answers.splice(0)) answer();
    for (const answer of await Promise.all(all)) assert.equal(answer.kind, 'answer');
  }
  await http.close();
  old.close();
});

test('an aborted first request leaves the connection to the next, and a failed one blocks no other', async () => {
  const sockets: Socket[] = [];
  let hangsUp = false;
  const silent = createServer((socket) => {
    sockets.push(socket);
    if (hangsUp) socket.destroy();
  });
  const origin = `https://127.0.0.1:${await listening(silent)}`;
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ca: [cert] });
  const abort = new AbortController();
  const first = http.request({ method: 'GET', origin, path: '/', signal: abort.signal });
  const others = [1, 2].map(() => http.request({ method: 'GET', origin, path: '/' }));
  while (sockets.length < 1) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  assert.equal((await first).kind, 'aborted');
  hangsUp = true;
  for (const it of sockets) it.destroy();
  for (const it of await Promise.all(others)) assert.equal(it.kind, 'failure');
  await http.close();
  silent.close();
});

test('one request of several over a connection can be given up', async () => {
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ca: [cert] });
  const origin = `https://127.0.0.1:${port}`;
  await http.request({ method: 'GET', origin, path: '/' });
  const abort = new AbortController();
  const given = http.request({ method: 'GET', origin, path: '/wait', signal: abort.signal });
  const kept = http.request({ method: 'GET', origin, path: '/wait' });
  while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  assert.equal((await given).kind, 'aborted');
  waiting.splice(0)[1]?.();
  assert.equal((await kept).kind, 'answer');
  await http.close();
});

test('who closes does not wait for a host that says nothing', async (t) => {
  const silent = createServer();
  const reached = once(silent, 'connection');
  const origin = `https://127.0.0.1:${await listening(silent)}`;
  t.after(() => silent.close());
  const http = createHttp({ clock: fakeClock(), userAgent: 'test' });
  const waiting = http.request({ method: 'GET', origin, path: '/' });
  const [socket] = await reached;
  const gone = once(socket.resume(), 'close');
  await http.close();
  assert.equal((await waiting).kind, 'aborted');
  await gone;
});

test('a host that answers with something else than HTTP is told in words', async (t) => {
  const host = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-x\r\n'));
  const origin = `http://127.0.0.1:${await listening(host)}`;
  t.after(() => host.close());
  assert.deepEqual(await ask({}, origin), {
    kind: 'failure',
    reason: 'the host does not speak HTTP',
    isRetryable: true,
  });
});

test('a host that answers a greeting of TLS with something else is told in words', async (t) => {
  const host = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.after(() => host.close());
  const answer = await ask({}, `https://127.0.0.1:${(host.address() as AddressInfo).port}`);
  assert.deepEqual(answer, { kind: 'failure', reason: 'the host does not speak TLS', isRetryable: true });
});

test('the authorities of the machine are read only where Node does not trust the host', async () => {
  let looked = 0;
  const systemCa = () => {
    looked++;
    return true;
  };
  assert.equal((await ask({ ca: [cert], systemCa })).kind, 'answer');
  assert.equal(looked, 0);
  assert.deepEqual(await ask({ systemCa }), { kind: 'failure', reason: untrusted(), isRetryable: true });
  assert.ok(looked > 0);
});

test('of a wave that cannot connect one tries, then the others together, and the next wave may fare better', async (t) => {
  const elsewhere = selfSigned('elsewhere', [hostName('elsewhere.example')]);
  let connections = 0;
  const wrong = createHttpsServer(elsewhere, (_, response) => void response.end());
  wrong.on('connection', () => connections++);
  const origin = `https://127.0.0.1:${await listening(wrong)}`;
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ca: [cert, elsewhere.cert] });
  t.after(async () => {
    await http.close();
    wrong.close();
  });
  const wave = (): Promise<HttpAnswer[]> =>
    Promise.all(Array.from({ length: 3 }, () => http.request({ method: 'GET', origin, path: '/' })));
  const reason = "the host's certificate belongs to another host";
  for (const time of [1, 2]) {
    for (const it of await wave()) assert.equal(it.kind === 'failure' && it.reason, reason);
    assert.ok(connections <= 2 * time, `${connections} connections`);
  }
  wrong.setSecureContext({ key, cert });
  for (const it of await wave()) assert.equal(it.kind, 'answer');
});

test('an untrusted host is tried once more where the machine may trust it, and then one request at a time', async () => {
  const own = selfSigned();
  const stranger = createHttpsServer({ key: own.key, cert: own.cert }, (_, response) => response.end());
  stranger.on('tlsClientError', () => {});
  let calls = 0;
  stranger.on('connection', () => calls++);
  const origin = `https://127.0.0.1:${await listening(stranger)}`;
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', systemCa: () => true });
  const counts: number[] = [];
  for (let time = 0; time < 3; time++) {
    calls = 0;
    const answer = await http.request({ method: 'GET', origin, path: '/' });
    assert.equal(answer.kind === 'failure' && answer.reason, untrusted());
    counts.push(calls);
  }
  assert.deepEqual(counts, [2, 1, 1]);
  await http.close();
  stranger.close();
});
