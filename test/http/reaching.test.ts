import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { createReaching, type Reaching } from '../../server/src/http/circuit-breaker.ts';
import { createHttp } from '../../server/src/http/client.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';
import { scriptedServer, stall } from '../harness/scripted-server.ts';

function make(): Reaching & { readonly clock: FakeClock } {
  const clock = fakeClock();
  return { ...createReaching(clock), clock };
}

test('two seconds without a connection are slow, and one that stands is not', async () => {
  const { setOut, slow, clock } = make();
  assert.equal(slow(), undefined);
  const [first] = [setOut(), setOut()];
  await clock.advance(1999);
  assert.equal(slow(), undefined);
  await clock.advance(1);
  assert.equal(slow(), 'connection');
  first.carried();
  assert.equal(slow(), undefined);
});

test('who waits for a free connection, or a moment for an answer, does not wait for a host', async () => {
  const { setOut, slow, clock } = make();
  const [first, second] = [setOut(), setOut()];
  await clock.advance(1000);
  first.carried();
  await clock.advance(4000);
  first.carried();
  assert.equal(slow(), undefined);
  first.end();
  assert.equal(slow(), undefined);
  await clock.advance(2000);
  assert.equal(slow(), 'connection');
  second.end();
  setOut().carried();
  assert.equal(slow(), undefined);
});

test('an answer takes long where none has come for five seconds, and no longer where one has', async () => {
  const { setOut, slow, clock } = make();
  const trips = [setOut(), setOut(), setOut()];
  for (const it of trips.slice(0, 2)) it.carried();
  await clock.advance(4999);
  assert.equal(slow(), undefined);
  trips[2]?.carried();
  await clock.advance(1);
  assert.equal(slow(), 'answer');
  trips[0]?.end();
  assert.equal(slow(), undefined);
  await clock.advance(5000);
  assert.equal(slow(), 'answer');
  for (const it of trips.slice(1)) it.end();
  assert.equal(slow(), undefined);
});

test('an attempt that follows the last one at once does not begin to count from anew, one after a rest does', async () => {
  const { setOut, slow, clock } = make();
  const first = setOut();
  await clock.advance(10_000);
  first.end();
  assert.equal(slow(), 'connection');
  await clock.advance(800);
  const second = setOut();
  assert.equal(slow(), 'connection');
  await clock.advance(10_000);
  second.end();
  await clock.advance(1001);
  assert.equal(slow(), undefined);
  setOut();
  assert.equal(slow(), undefined);
  await clock.advance(2000);
  assert.equal(slow(), 'connection');
});

/** Asks an address, gives up when somebody there was reached, and tells whether a connection carried the request. */
async function isCarried(origin: string, reached: Promise<unknown>, proxy?: string): Promise<boolean> {
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', proxies: () => (proxy ? { https: proxy } : {}) });
  const abort = new AbortController();
  let count = 0;
  const onCarried = (): number => ++count;
  const answer = http.request({ method: 'GET', origin, path: '/', onCarried, signal: abort.signal });
  await reached;
  abort.abort();
  await answer;
  await http.close();
  return count > 0;
}

test('a connection carries a request when it stands, and not when somebody merely takes the call', async () => {
  const silent = createServer((it) => it.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const called = (): Promise<unknown> => once(silent, 'connection');
  assert.equal(await isCarried(`https://127.0.0.1:${port}`, called()), false);
  assert.equal(await isCarried('https://service.example', called(), `http://127.0.0.1:${port}`), false);
  silent.close();
  const server = await scriptedServer(stall);
  assert.equal(await isCarried(server.url, server.reached(1)), true);
  await server.close();
});
