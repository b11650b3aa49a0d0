import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { HttpAnswer, HttpOptions } from '../../../server/src/engine/http/types.ts';
import { selfSigned } from '../../harness/certificate.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { proxySetting, testProxy } from '../../harness/proxy.ts';

const { key, cert } = selfSigned();
let server: Http2SecureServer;
let port: number;
/** Answers that wait for the test. */
const waiting: (() => void)[] = [];

before(async () => {
  server = createSecureServer({ key, cert }, (request, response) => {
    const answer = () => response.writeHead(200).end(`${request.httpVersion} ${request.method} ${request.url}`);
    if (request.url === '/wait') waiting.push(answer);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

after(() => void server.close());

async function ask(options: Partial<HttpOptions>, origin: string): Promise<HttpAnswer> {
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', ...options });
  const answer = await http.request({ method: 'POST', origin, path: '/', body: '{}' });
  await http.close();
  return answer;
}

test('a proxy is asked for a connection, and TLS spoken through it', async () => {
  const proxy = await testProxy(port, 'me:p@ss word');
  const https = proxy.url.replace('://', '://me:p%40ss%20word@');
  const answer = await ask({ ca: [cert], proxies: () => ({ https: proxySetting(https) }) }, 'https://localhost.:4443');
  assert.deepEqual(proxy.asked, ['CONNECT localhost.:4443']);
  assert.equal(answer.kind === 'answer' && answer.text, '2.0 POST /');
  await proxy.close();
});

test('behind a proxy with credentials a first request that waits blocks no other, once it has its connection', async () => {
  const proxy = await testProxy(port, 'me:secret');
  const https = proxy.url.replace('://', '://me:secret@');
  const http = createHttp({
    clock: fakeClock(),
    userAgent: 'test',
    ca: [cert],
    proxies: () => ({ https: proxySetting(https) }),
  });
  const get = (path: string) => http.request({ method: 'GET', origin: 'https://localhost.:4443', path });
  const first = get('/wait');
  for (const it of await Promise.all([get('/'), get('/'), get('/')])) assert.equal(it.kind, 'answer');
  assert.equal(proxy.asked.length, 1);
  waiting.splice(0)[0]?.();
  assert.equal((await first).kind, 'answer');
  await http.close();
  await proxy.close();
});

test('a proxy that asks for credentials says so', async () => {
  const proxy = await testProxy(port, 'me:secret');
  const answer = await ask(
    { ca: [cert], proxies: () => ({ https: proxySetting(proxy.url) }) },
    'https://service.example',
  );
  assert.deepEqual(answer, {
    kind: 'failure',
    reason: 'the proxy requires credentials',
    isRetryable: false,
    isBlocked: true,
  });
  assert.deepEqual(proxy.asked, ['CONNECT service.example:443']);
  await proxy.close();
});

test('a proxy that hangs up is asked once', async (t) => {
  let asked = 0;
  const proxy = createServer((socket) => {
    asked++;
    socket.on('error', () => {}).once('data', () => socket.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => proxy.close());
  const https = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const answer = await ask({ proxies: () => ({ https: proxySetting(https) }) }, 'https://service.example');
  assert.deepEqual(answer, { kind: 'failure', reason: 'the connection was closed', isRetryable: true });
  assert.equal(asked, 1);
});

test('a proxy over TLS shows a certificate that is trusted, unless a person says that any will do', async () => {
  const own = selfSigned('proxy');
  const proxy = await testProxy(port, undefined, own);
  const proxies = { https: proxySetting(proxy.url) };
  const through = (more: object, ca = [cert]) =>
    ask({ ca, proxies: () => ({ ...proxies, ...more }) }, 'https://localhost.:4443');
  assert.deepEqual(await through({}), {
    kind: 'failure',
    reason: "the host's certificate is not trusted",
    isRetryable: true,
  });
  assert.deepEqual(proxy.asked, []);
  assert.equal((await through({}, [cert, own.cert])).kind, 'answer');
  assert.equal((await through({ anyCertificate: true })).kind, 'answer');
  // That is no word about the service itself.
  const other = await through({ anyCertificate: true }, [own.cert]);
  assert.deepEqual(other, { kind: 'failure', reason: "the host's certificate is not trusted", isRetryable: true });
  await proxy.close();
});

test('a way that changes holds for the next request', async () => {
  const [one, two] = [await testProxy(port), await testProxy(port)];
  let https = one.url;
  const http = createHttp({
    clock: fakeClock(),
    userAgent: 'test',
    ca: [cert],
    proxies: () => ({ https: proxySetting(https) }),
  });
  const get = () => http.request({ method: 'GET', origin: 'https://localhost.', path: '/' });
  assert.equal((await get()).kind, 'answer');
  https = two.url;
  assert.equal((await get()).kind, 'answer');
  assert.deepEqual([one.asked.length, two.asked.length], [1, 1]);
  await http.close();
  await one.close();
  await two.close();
});
