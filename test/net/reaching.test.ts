import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { createHttp } from '../../server/src/net/client.ts';
import { createReaching, type Reaching } from '../../server/src/net/reaching.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';
import { scriptedServer, stall } from '../harness/scripted-server.ts';

function make(): Reaching & { readonly clock: FakeClock } {
  const clock = fakeClock();
  return { ...createReaching(clock), clock };
}

test('two seconds without a connection are slow, and one that stands is not', async () => {
  const { setOut, isSlow, clock } = make();
  assert.equal(isSlow(), false);
  const [first] = [setOut(), setOut()];
  await clock.advance(1999);
  assert.equal(isSlow(), false);
  await clock.advance(1);
  assert.equal(isSlow(), true);
  first.carried();
  assert.equal(isSlow(), false);
});

test('who waits for a free connection, or for an answer, does not wait for a host', async () => {
  const { setOut, isSlow, clock } = make();
  const [first, second] = [setOut(), setOut()];
  first.carried();
  first.carried();
  await clock.advance(30_000);
  assert.equal(isSlow(), false);
  first.end();
  assert.equal(isSlow(), false);
  await clock.advance(2000);
  assert.equal(isSlow(), true);
  second.end();
  setOut().carried();
  assert.equal(isSlow(), false);
});

test('an attempt that follows the last one at once does not begin to count from anew, one after a rest does', async () => {
  const { setOut, isSlow, clock } = make();
  const first = setOut();
  await clock.advance(10_000);
  first.end();
  assert.equal(isSlow(), true);
  await clock.advance(800);
  const second = setOut();
  assert.equal(isSlow(), true);
  await clock.advance(10_000);
  second.end();
  await clock.advance(1001);
  assert.equal(isSlow(), false);
  setOut();
  assert.equal(isSlow(), false);
  await clock.advance(2000);
  assert.equal(isSlow(), true);
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
