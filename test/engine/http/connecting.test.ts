import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { createConnecting } from '../../../server/src/engine/http/connections.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

/** No connection is given up for its deadline. */
const never = 3_600_000;

/** Takes every call, and says nothing. */
async function silent(t: TestContext): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((it) => it.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  t.after(() => void server.close());
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('who gives up what is being connected leaves alone what stands', async (t) => {
  const { port } = await silent(t);
  const connecting = createConnecting();
  const connect = connecting.build({ timeout: never, allowH2: false });
  const to = { hostname: '127.0.0.1', host: '127.0.0.1', protocol: 'http:', port: String(port) };
  const made = await new Promise<unknown>((resolve) => connect(to, (_, socket) => resolve(socket)));
  assert.ok(made instanceof Socket);
  connecting.giveUp();
  assert.equal(made.destroyed, false);
  made.destroy();
});

test('a client that is closed lets go of a host that says nothing, long before a deadline', async (t) => {
  const { server, port } = await silent(t);
  const http = createHttp({ clock: fakeClock(), userAgent: 'test', limits: { connect: never } });
  const answer = http.request({ method: 'GET', origin: `https://127.0.0.1:${port}`, path: '/' });
  const [call] = (await once(server, 'connection')) as [Socket];
  const left = once(call, 'close');
  await http.close();
  await left;
  assert.equal((await answer).kind, 'aborted');
});
