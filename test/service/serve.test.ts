import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Catalog, createCatalog } from '../../server/src/service/catalog.ts';
import { catalogSource } from '../../server/src/service/catalog-source.ts';
import { serve } from '../../server/src/service/serve.ts';
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

test('answers are packed with gzip for those who take it, and only where it pays', async () => {
  const { url, close } = await startService({ ...many, 'NPM one': { versions: ['1.0.0'] } });
  const large = `${url}/v3alpha/systems/NPM/packages/many`;
  const packed = await plain(large, { headers: { 'Accept-Encoding': 'br, gzip' } });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers.vary, 'Accept-Encoding');
  const unpacked = await plain(large);
  assert.equal(unpacked.headers['content-encoding'], undefined);
  assert.deepEqual(gunzipSync(packed.body), unpacked.body);
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

test('a fault of the service is 500 in a plain sentence, and the next request is answered', async () => {
  const broken: Catalog = {
    ...createCatalog([], []),
    package: () => {
      throw new Error('secret detail');
    },
  };
  const faults: unknown[] = [];
  const { url, close } = await serve({ source: catalogSource(broken), onFault: (it) => faults.push(it) });
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
  const service = await serve({
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
  await assert.rejects(serve({ source: catalogSource(createCatalog([], [])), port: Number(new URL(first.url).port) }), {
    code: 'EADDRINUSE',
  });
  await first.close();
});
