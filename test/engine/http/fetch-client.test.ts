import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createFetchHttp } from '../../../server/src/engine/http/fetch-client.ts';
import type { HttpLimits } from '../../../server/src/engine/http/types.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';

/* The network of a browser, with the `fetch` of Node and the same limits as that of the desktop. */

async function origin(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const httpWith = (limits: Partial<HttpLimits> = {}, isOnline = true) =>
  createFetchHttp({ clock: systemClock, fetch, isOnline: () => isOnline, limits });

test('a batch is sent as plain text, so that a browser does not ask the host first', async (t) => {
  const seen: unknown[] = [];
  const at = await origin(t, async (request, response) => {
    let body = '';
    for await (const it of request) body += it;
    seen.push([request.method, request.headers['content-type'], request.headers.accept, body]);
    response.end('{"ok":"ä"}');
  });
  const answer = await httpWith().request({ method: 'POST', origin: at, path: '/batch', body: '{}' });
  assert.deepEqual(seen, [['POST', 'text/plain;charset=UTF-8', 'application/json', '{}']]);
  assert.ok(answer.kind === 'answer' && answer.status === 200 && answer.text === '{"ok":"ä"}');
});

test('a redirect is an answer that leads nowhere: the other address is not asked', async (t) => {
  const paths: (string | undefined)[] = [];
  const at = await origin(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const answer = await httpWith().request({ method: 'GET', origin: at, path: '/' });
  assert.ok(answer.kind === 'answer' && answer.status === 302);
  assert.deepEqual(paths, ['/']);
});

test('what a page sends over http to another computer does not arrive, and the reason says so', async () => {
  const blocked = async (): Promise<never> => {
    throw new TypeError('Failed to fetch');
  };
  const http = createFetchHttp({ clock: systemClock, fetch: blocked, isOnline: () => true });
  const reasonAt = async (origin: string): Promise<string> => {
    const answer = await http.request({ method: 'GET', origin, path: '/' });
    return answer.kind === 'failure' ? answer.reason : '';
  };
  assert.match(await reasonAt('http://insights.example'), /^https only: /);
  for (const it of ['https://insights.example', 'http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])
    assert.match(await reasonAt(it), /CORS/, it);
});

test('an answer that is too long, a late one and one that does not end have their reasons', async (t) => {
  const at = await origin(t, ({ url }, response) => {
    if (url === '/long') response.end('x'.repeat(3 * 1024 * 1024));
    if (url === '/endless') response.write('x');
  });
  const reasonOf = async (path: string, limits: Partial<HttpLimits>): Promise<unknown> => {
    const answer = await httpWith(limits).request({ method: 'GET', origin: at, path });
    return answer.kind === 'failure' && [answer.reason, answer.isRetryable];
  };
  assert.deepEqual(await reasonOf('/endless', { body: 50 }), ['the answer did not end within 0 s', true]);
  assert.deepEqual(await reasonOf('/silent', { headers: 50 }), ['no answer within 0 s', true]);
  const long = httpWith({ bodyBytes: 1024 * 1024 });
  const answer = await long.request({ method: 'GET', origin: at, path: '/long' });
  assert.deepEqual(answer, { kind: 'failure', reason: 'the answer exceeds 1 MiB', isRetryable: false });
});

test('a browser reveals no more than whether it has a network', async (t) => {
  const gone = await origin(t, () => {});
  const unused = gone.replace(/:\d+$/, ':1');
  const request = { method: 'GET', origin: unused, path: '/' } as const;
  const [online, offline] = await Promise.all([httpWith().request(request), httpWith({}, false).request(request)]);
  assert.ok(online.kind === 'failure' && /does not permit requests of web pages/.test(online.reason));
  assert.ok(offline.kind === 'failure' && offline.reason === 'the network cannot be reached' && offline.isRetryable);
});

test('an aborted request and a closed client answer nothing, and what depends on addresses is not sent', async (t) => {
  let asked = 0;
  const at = await origin(t, () => asked++);
  const http = httpWith();
  const aborting = new AbortController();
  const running = http.request({ method: 'GET', origin: at, path: '/', signal: aborting.signal });
  setTimeout(() => aborting.abort(), 20);
  assert.equal((await running).kind, 'aborted');
  const before = asked;
  const inner = await http.request({ method: 'GET', origin: at, path: '/', refusesInner: true });
  assert.equal(inner.kind, 'failure');
  await http.close();
  assert.equal((await http.request({ method: 'GET', origin: at, path: '/' })).kind, 'aborted');
  assert.equal(asked, before);
});
