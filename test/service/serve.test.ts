import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { offerServices } from '../../server/src/bin/served.ts';
import { hasSqlite } from '../../server/src/engine/storage/database.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { type Catalog, createCatalog } from '../../server/src/service/catalog/catalog.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { holderOf } from '../../server/src/service/connections.ts';
import { type ServiceOptions, serveHttp } from '../../server/src/service/http-server.ts';
import { catalogDirectory, inlineCatalog, startService } from '../harness/service.ts';

const many = { 'NPM many': { versions: Array.from({ length: 100 }, (_, it) => `1.0.${it}`) } };

/** A request by plain HTTP, with nothing added or undone by a client. */
function plain(
  url: string,
  options: { readonly headers?: Record<string, string>; readonly method?: string; readonly agent?: Agent } = {},
  body?: Buffer,
): Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('answers are packed for those who take it, and only where it pays', async () => {
  const { url, close } = await startService({ ...many, 'NPM one': { versions: ['1.0.0'] } });
  const large = `${url}/v3alpha/systems/NPM/packages/many`;
  const smaller = await plain(large, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
  assert.equal(smaller.headers['content-encoding'], 'br');
  assert.equal(smaller.headers['content-length'], String(smaller.body.length));
  const packed = await plain(large, { headers: { 'Accept-Encoding': 'br;q=0.5, gzip' } });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers.vary, 'Accept-Encoding');
  const unpacked = await plain(large);
  assert.equal(unpacked.headers['content-encoding'], undefined);
  assert.deepEqual(gunzipSync(packed.body), unpacked.body);
  assert.deepEqual(brotliDecompressSync(smaller.body), unpacked.body);
  const refused = await plain(large, { headers: { 'Accept-Encoding': 'gzip;q=0, *' } });
  assert.equal(refused.headers['content-encoding'], undefined);
  const small = await plain(`${url}/v3alpha/systems/NPM/packages/one`, { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(small.headers['content-encoding'], undefined);
  await close();
});

test('HEAD says the length and sends nothing', async () => {
  const { url, close } = await startService(many);
  const path = `${url}/v3alpha/systems/NPM/packages/many`;
  const [head, full] = [await plain(path, { method: 'HEAD' }), await plain(path)];
  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
  assert.equal(head.headers['content-length'], String(full.body.length));
  await close();
});

test('a body over 16 MiB is 413', async () => {
  const { url, close } = await startService(many);
  const answer = await plain(`${url}/v3alpha/versionbatch`, { method: 'POST' }, Buffer.alloc(16 * 1024 * 1024 + 1, 32));
  assert.equal(answer.status, 413);
  assert.equal(answer.body.toString(), 'the body is too large');
  await close();
});

/** A request whose body has no end, as far as it goes: `more` sends another mebibyte of it. */
function endless(port: number): { more: () => Promise<void>; said: () => string; closed: Promise<void> } {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.on('data', (it) => {
    said += it.toString();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write('POST /v3alpha/versionbatch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = Buffer.from(`100000\r\n${' '.repeat(1024 * 1024)}\r\n`);
  const more = () =>
    Promise.race([closed, new Promise<void>((resolve) => void socket.write(piece, () => setImmediate(resolve)))]);
  return { more, said: () => said, closed };
}

test('all bodies together are bounded, and what is let go makes room again', async () => {
  const { url, close } = await startService(many);
  const port = Number(new URL(url).port);
  const clients = Array.from({ length: 12 }, () => endless(port));
  for (let sent = 0; sent < 10; sent++) await Promise.all(clients.map((it) => it.more()));
  // 120 MiB of 32 for one address: who came too late is told so, and the others are still heard.
  await until(() => clients.filter((it) => it.said().includes('503')).length >= 5);
  assert.match(clients.find((it) => it.said() !== '')?.said() ?? '', /Retry-After: 1\r\n/);

  assert.ok(clients.some((it) => it.said() === ''));
  for (const it of clients) for (let sent = 0; sent < 40; sent++) await it.more();
  await Promise.all(clients.map((it) => it.closed));
  const versionKey = { system: 'NPM', name: 'many', version: '1.0.1' };
  const body = Buffer.from(JSON.stringify({ requests: [{ versionKey }] }));
  assert.equal((await plain(`${url}/v3alpha/versionbatch`, { method: 'POST' }, body)).status, 200);
  await close();
});

/** What a connection hears. */
interface Raw {
  readonly socket: Socket;
  heard(): string;
  /** Resolves when it has heard an expression, rejects when it ends before. */
  hears(expected: RegExp): Promise<void>;
  readonly closed: Promise<void>;
}

function raw(port: number, text: string, localAddress = '127.0.0.1'): Raw {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let heard = '';
  const listeners = new Set<() => void>();
  socket.on('data', (it) => {
    heard += it.toString('latin1');
    for (const listener of listeners) listener();
  });
  socket.on('error', () => undefined);
  socket.write(text);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const hears = (expected: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (expected.test(heard)) resolve();
      };
      listeners.add(look);
      look();
      closed.then(() => reject(new Error(`closed after ${JSON.stringify(heard)}, without ${expected}`)));
    });
  return { socket, heard: () => heard, hears, closed };
}

const token = 'Bearer a-long-token-of-a-team';
const batchHead = (more: string, length = 1_000_000) =>
  `POST /v3alpha/versionbatch HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n${more}\r\n`;
const healthz = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A service with tokens and pages, as a team runs it. */
async function guarded(limits: ServiceOptions['limits'] = {}) {
  const page = (isOpen: boolean) => ({ isOpen, answer: async () => ({ status: 200, headers: {}, body: 'well' }) });
  return serveHttp({
    source: catalogSource(inlineCatalog(many)),
    isAllowed: (it) => it === token,
    ownHost: { names: [] },
    pages: { '/healthz': page(true), '/metrics': page(false) },
    limits,
  });
}

test('host, token and path are looked at before a byte of the body', async (t) => {
  const { port, close } = await guarded();
  t.after(() => close());
  for (const [head, answer] of [
    [batchHead(''), /^HTTP\/1\.1 401 /],
    [batchHead('Authorization: Bearer wrong\r\n'), /^HTTP\/1\.1 401 /],
    [batchHead('').replace('localhost', 'evil.example'), /^HTTP\/1\.1 421 /],
    [batchHead(`Authorization: ${token}\r\n`).replace('versionbatch', 'nothing'), /^HTTP\/1\.1 404 /],
    [batchHead(`Authorization: ${token}\r\n`).replace('versionbatch', 'query'), /^HTTP\/1\.1 405 /],
    [batchHead(`Authorization: ${token}\r\n`, 1e9), /^HTTP\/1\.1 413 /],
    [batchHead('').replace('/v3alpha/versionbatch', '/metrics'), /^HTTP\/1\.1 401 /],
    [batchHead('').replace('/v3alpha/versionbatch', '/healthz'), /^HTTP\/1\.1 200 [\s\S]*well$/],
    // Chunks without an end.
    [batchHead('Transfer-Encoding: chunked\r\n').replace(/Content-Length: \d+\r\n/, ''), /^HTTP\/1\.1 401 /],
  ] as const) {
    const sent = raw(port, head);
    await sent.hears(answer);
    sent.socket.destroy();
  }
});

// Source: RFC 9110, 10.1.1.
test('a client that asks whether to send its body is told to only if it is read', async (t) => {
  const { port, close } = await guarded();
  t.after(() => close());
  const body = '{"requests":[]}';
  const expecting = (more: string) => batchHead(`Expect: 100-continue\r\n${more}`, body.length);
  const refused = raw(port, expecting(''));
  await refused.closed;
  assert.match(refused.heard(), /^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/);
  const allowed = raw(port, expecting(`Authorization: ${token}\r\n`));
  await allowed.hears(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  allowed.socket.write(body);
  await allowed.hears(/\r\n\r\nHTTP\/1\.1 200 [\s\S]*"responses":\[\]/);
  allowed.socket.destroy();
});

test('what is refused is still one request, whatever its body looks like', async (t) => {
  const { port, close } = await guarded();
  t.after(() => close());
  const inner = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const sent = raw(port, `${batchHead('', inner.length)}${inner}${healthz}`);
  await sent.hears(/well$/);
  assert.deepEqual(sent.heard().match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200']);
  sent.socket.destroy();
});

test('connections that send nothing, or slowly, push out their own and nobody else', async (t) => {
  const { port, url, close } = await guarded({ connections: { all: 8, ofOne: 6 } });
  t.after(() => close());
  const other = raw(port, batchHead(`Authorization: ${token}\r\n`, 2), '127.0.0.2');
  const silent: Raw[] = [];
  for (const text of ['', 'GET', batchHead(''), batchHead(`Authorization: ${token}\r\n`), '', '', '', '']) {
    const it = raw(port, text);
    silent.push(it);
    await new Promise((resolve) => it.socket.once('connect', resolve));
  }
  await Promise.all(silent.slice(0, 2).map((it) => it.closed));
  assert.equal((await plain(`${url}/healthz`)).body.toString(), 'well');
  other.socket.write('{}');
  await other.hears(/HTTP\/1\.1 200 /);
  for (const it of [...silent, other]) it.socket.destroy();
});

test('a head and a body that do not arrive in time end their connections', async (t) => {
  const { port, close } = await guarded({ head: 20, request: 40 });
  t.after(() => close());
  const slow = [raw(port, 'GET /healthz HTTP/1.1\r\nHost: loc'), raw(port, batchHead(`Authorization: ${token}\r\n`))];
  await Promise.all(slow.map((it) => it.closed));
  for (const it of slow) assert.match(it.heard(), /^HTTP\/1\.1 408 /);
});

test('one address has a share of all bodies, and the pages of the operator count against none', async (t) => {
  const { port, url, close } = await guarded({ heldBytes: 3_000_000, heldOfOne: 1_500_000 });
  t.after(() => close());
  const authorized = batchHead(`Authorization: ${token}\r\n`, 1_200_000);
  const half = Buffer.alloc(1_100_000, 32).toString();
  const first = raw(port, authorized + half);
  const second = raw(port, authorized + half);
  await Promise.race([first, second].map((it) => it.hears(/^HTTP\/1\.1 503 /)));
  const other = raw(port, `${authorized}${' '.repeat(1_199_998)}{}`, '127.0.0.2');
  await other.hears(/^HTTP\/1\.1 200 /);
  assert.equal((await plain(`${url}/healthz`)).status, 200);
  assert.equal((await plain(`${url}/metrics`, { headers: { authorization: token } })).status, 200);
  for (const it of [first, second, other]) it.socket.destroy();
});

test('an answer that nobody takes ends its connection', async () => {
  let ended = (): void => {};
  const answered = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const source = catalogSource(inlineCatalog(large));
  const { port, close } = await serveHttp({ source, limits: { unread: 20 }, onAnswered: ended });
  const { socket } = raw(port, `GET ${largePath} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.pause();
  await answered;
  socket.destroy();
  await close();
});

for (const [address, holder] of [
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
] as const) {
  test(`${address} belongs to ${holder}`, () => assert.equal(holderOf(address), holder));
}

/** More than the system keeps of what is sent and not read. */
const large = { 'NPM large': { versions: { '1.0.0': { links: [{ label: 'a', url: 'x'.repeat(8 * 1024 * 1024) }] } } } };
const largePath = '/v3alpha/systems/NPM/packages/large/versions/1.0.0';

test('unread answers are bounded, too', async () => {
  const requests: unknown[] = [];
  const { url, port, close } = await serveHttp({
    source: catalogSource(inlineCatalog(large)),
    limits: { heldOfOne: 25 * 1024 * 1024 },
    onRequest: (it) => requests.push(it),
  });
  const idle = Array.from({ length: 3 }, () => {
    const { socket } = raw(port, `GET ${largePath} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket.pause();
  });
  await until(() => requests.length === 3);
  assert.equal((await plain(url + largePath)).status, 503);
  for (const it of idle) it.destroy();
  await until(async () => (await plain(url + largePath)).status === 200);
  await close();
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve));
}

test('a fault of the service is 500 in a plain sentence, and the next request is answered', async () => {
  const broken: Catalog = {
    ...createCatalog([], []),
    package: () => {
      throw new Error('secret detail');
    },
  };
  const faults: unknown[] = [];
  const { url, close } = await serveHttp({ source: catalogSource(broken), onFault: (it) => faults.push(it) });
  const answer = await plain(`${url}/v3alpha/systems/NPM/packages/x`);
  assert.deepEqual([answer.status, answer.body.toString()], [500, 'internal error']);
  assert.match(String(faults[0]), /secret detail/);
  assert.equal((await plain(`${url}/v3alpha/advisories/x`)).status, 404);
  await close();
});

test('a call that cannot be recorded is answered all the same, and the fault is said', async () => {
  const faults: unknown[] = [];
  const { url, close } = await serveHttp({
    source: catalogSource(createCatalog([], [])),
    services: [{ name: 'well', answer: () => ({ status: 200, headers: {}, body: 'well' }) }],
    onServed: () => {
      throw new Error('database or disk is full');
    },
    onFault: (it) => faults.push(String(it)),
  });
  assert.equal((await plain(`${url}/well/x`)).body.toString(), 'well');
  assert.deepEqual(faults, ['Error: database or disk is full']);
  await close();
});

test('closing ends connections that are kept alive, and those that have sent half a request', async () => {
  const { url, close, requests } = await startService(many);
  const agent = new Agent({ keepAlive: true });
  await plain(`${url}/v3alpha/systems/NPM/packages/many`, { agent });
  assert.deepEqual(requests, [{ method: 'GET', path: '/v3alpha/systems/NPM/packages/many', body: '' }]);
  const half = connect(Number(new URL(url).port), '127.0.0.1');
  await new Promise((resolve) => half.once('connect', resolve));
  half.write('POST /v3alpha/versionbatch HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  const ended = new Promise((resolve) => half.once('close', resolve));
  half.on('error', () => undefined);
  await close();
  await ended;
  agent.destroy();
  await assert.rejects(plain(`${url}/`), { code: 'ECONNREFUSED' });
});

test('a request that has arrived is answered before its connection ends', async () => {
  const catalog = inlineCatalog(many);
  let closed: Promise<void> | undefined;
  const service = await serveHttp({
    source: catalogSource(catalog),
    onRequest: () => {
      closed ??= service.close();
    },
  });
  const answer = await plain(`${service.url}/v3alpha/systems/NPM/packages/many`, {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  assert.equal(answer.status, 200);
  await closed;
});

test('a port that is taken rejects', async () => {
  const first = await startService(many);
  await assert.rejects(
    serveHttp({ source: catalogSource(createCatalog([], [])), port: Number(new URL(first.url).port) }),
    {
      code: 'EADDRINUSE',
    },
  );
  await first.close();
});

// The credential of each is in another place: a header, or the query.
test('no service reads a body before the credential and the path, and each reads that of a caller', {
  skip: !hasSqlite(),
}, async (t) => {
  const offered = await offerServices({ catalog: catalogDirectory, clock: systemClock, users: [] });
  const source = catalogSource(createCatalog([], []));
  const service = await serveHttp({ source, services: offered.services, ownHost: { names: [] } });
  t.after(async () => {
    await service.close();
    offered.close();
  });
  const { token: own } = offered;
  const bearer = `Authorization: Bearer ${own}\r\n`;
  const deployments = '/deployments/v2beta/projects/demo/global/deployments';
  const head = (target: string, more = '') => batchHead(more).replace('/v3alpha/versionbatch', target);
  for (const [sent, status] of [
    [head('/code-host/github.com/repos/a/b'), 405],
    [head('/code-host/github.com/repos/a/b', bearer), 405],
    [head('/link-safety/v4/threatMatches:find'), 403],
    [head('/link-safety/v4/threatMatches:find?key=wrong'), 400],
    [head(`/link-safety/v4/nothing?key=${own}`), 404],
    [head(`/token-audit/admin/reports/v1/activity/users/all/applications/token?access_token=${own}`), 405],
    [head(deployments), 401],
    [head(deployments, 'Authorization: Bearer wrong\r\n'), 401],
    [head('/deployments/v2beta/projects/demo/global/nothing', bearer), 404],
    [head('/scheduling/v3/calendars'), 401],
    [head('/scheduling/v3/nothing', bearer), 404],
    [head('/nothing/at/all', bearer), 404],
  ] as const) {
    const it = raw(service.port, sent);
    await it.hears(new RegExp(`^HTTP/1\\.1 ${status} `));
    it.socket.destroy();
  }
  for (const target of [`/link-safety/v4/threatMatches:find?key=${own}`, deployments, '/scheduling/v3/calendars']) {
    const body = Buffer.from('not JSON');
    const answer = await plain(
      service.url + target,
      { method: 'POST', headers: { authorization: `Bearer ${own}` } },
      body,
    );
    assert.equal(answer.status, 400, target);
  }
});
