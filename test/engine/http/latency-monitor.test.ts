import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { createLatencyMonitor, type LatencyMonitor } from '../../../server/src/engine/http/latency-monitor.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';
import { proxySetting } from '../../harness/proxy.ts';
import { scriptedServer, stall } from '../../harness/scripted-server.ts';

function make(): LatencyMonitor & { readonly clock: FakeClock } {
  const clock = fakeClock();
  return { ...createLatencyMonitor(clock), clock };
}

test('two seconds without a connection are slow, and one that stands is not', async () => {
  const { track, slowPhase, clock } = make();
  assert.equal(slowPhase(), undefined);
  const [first] = [track(), track()];
  await clock.advance(1999);
  assert.equal(slowPhase(), undefined);
  await clock.advance(1);
  assert.equal(slowPhase(), 'connection');
  first.connected();
  assert.equal(slowPhase(), undefined);
});

test('who waits for a free connection, or a moment for an answer, does not wait for a host', async () => {
  const { track, slowPhase, clock } = make();
  const [first, second] = [track(), track()];
  await clock.advance(1000);
  first.connected();
  await clock.advance(4000);
  first.connected();
  assert.equal(slowPhase(), undefined);
  first.end();
  assert.equal(slowPhase(), undefined);
  await clock.advance(2000);
  assert.equal(slowPhase(), 'connection');
  second.end();
  track().connected();
  assert.equal(slowPhase(), undefined);
});

test('an answer takes long where none has come for five seconds, and no longer where one has', async () => {
  const { track, slowPhase, clock } = make();
  const tracked = [track(), track(), track()];
  for (const it of tracked.slice(0, 2)) it.connected();
  await clock.advance(4999);
  assert.equal(slowPhase(), undefined);
  tracked[2]?.connected();
  await clock.advance(1);
  assert.equal(slowPhase(), 'answer');
  tracked[0]?.end();
  assert.equal(slowPhase(), undefined);
  await clock.advance(5000);
  assert.equal(slowPhase(), 'answer');
  for (const it of tracked.slice(1)) it.end();
  assert.equal(slowPhase(), undefined);
});

test('an attempt that follows the last one at once does not begin to count from anew, one after a rest does', async () => {
  const { track, slowPhase, clock } = make();
  const first = track();
  await clock.advance(10_000);
  first.end();
  assert.equal(slowPhase(), 'connection');
  await clock.advance(800);
  const second = track();
  assert.equal(slowPhase(), 'connection');
  await clock.advance(10_000);
  second.end();
  await clock.advance(1001);
  assert.equal(slowPhase(), undefined);
  track();
  assert.equal(slowPhase(), undefined);
  await clock.advance(2000);
  assert.equal(slowPhase(), 'connection');
});

/** Asks an address, gives up when somebody there was reached, and tells whether a connection carried the request. */
async function hasConnection(origin: string, reached: Promise<unknown>, proxy?: string): Promise<boolean> {
  const http = createHttp({
    clock: fakeClock(),
    userAgent: 'test',
    proxies: () => (proxy ? { https: proxySetting(proxy) } : {}),
  });
  const abort = new AbortController();
  let count = 0;
  const onConnected = (): number => ++count;
  const answer = http.request({ method: 'GET', origin, path: '/', onConnected, signal: abort.signal });
  await reached;
  abort.abort();
  await answer;
  await http.close();
  return count > 0;
}

test('a connection carries a request when it is established, and not when it is merely accepted', async () => {
  const silent = createServer((it) => it.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const called = (): Promise<unknown> => once(silent, 'connection');
  assert.equal(await hasConnection(`https://127.0.0.1:${port}`, called()), false);
  assert.equal(await hasConnection('https://service.example', called(), `http://127.0.0.1:${port}`), false);
  silent.close();
  const server = await scriptedServer(stall);
  assert.equal(await hasConnection(server.url, server.reached(1)), true);
  await server.close();
});
