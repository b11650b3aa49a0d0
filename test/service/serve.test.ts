import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Catalog, createCatalog } from '../../server/src/service/catalog/catalog.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { inlineCatalog, startService } from '../harness/service.ts';

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
  socket.write('POST /v3alpha/versionbatch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n');
  const piece = Buffer.alloc(1024 * 1024, 32);
  const more = () =>
    Promise.race([closed, new Promise<void>((resolve) => void socket.write(piece, () => setImmediate(resolve)))]);
  return { more, said: () => said, closed };
}

test('all bodies together are bounded, and what is let go makes room again', async () => {
  const { url, close } = await startService(many);
  const port = Number(new URL(url).port);
  const clients = Array.from({ length: 12 }, () => endless(port));
  for (let sent = 0; sent < 10; sent++) await Promise.all(clients.map((it) => it.more()));
  // 120 MiB of 64: who came too late is told so, and the others are still heard.
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

test('unread answers are bounded, too', async () => {
  const large = {
    'NPM large': { versions: { '1.0.0': { links: [{ label: 'a', url: 'x'.repeat(20 * 1024 * 1024) }] } } },
  };
  const { url, close, requests } = await startService(large);
  const path = '/v3alpha/systems/NPM/packages/large/versions/1.0.0';
  const idle = Array.from({ length: 3 }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => undefined)
      .pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  });
  await until(() => requests.length === 3);
  assert.equal((await plain(url + path)).status, 503);
  for (const it of idle) it.destroy();
  await until(async () => (await plain(url + path)).status === 200);
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
