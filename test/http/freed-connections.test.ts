import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createHttp } from '../../server/src/http/client.ts';
import { createFreedConnections } from '../../server/src/http/freed-connections.ts';
import { fakeClock } from '../harness/fake-clock.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Some requests that want to go, and which of them went, in order. */
function setUp(count: number) {
  const freed = createFreedConnections();
  const gone: number[] = [];
  const take = (it: number): (() => void) => freed.take(() => void gone.push(it));
  const leave = Array.from({ length: count }, (_, index) => take(index));
  return { take, gone, leave };
}

test('what is sent because of an answer waits for its connection, and no more than one for each', async () => {
  const { take, gone, leave } = setUp(2);
  leave[0]?.();
  take(2);
  take(3);
  assert.deepEqual(gone, [0, 1, 3]);
  await nextTurn();
  assert.deepEqual(gone, [0, 1, 3]);
  await nextTurn();
  assert.deepEqual(gone, [0, 1, 3, 2]);
  take(4);
  assert.deepEqual(gone, [0, 1, 3, 2, 4]);
});

test('what is given up while it waits leaves the connection to the next', async () => {
  const { take, gone, leave } = setUp(1);
  leave[0]?.();
  take(1)();
  take(2);
  assert.deepEqual(gone, [0]);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(gone, [0, 2]);
});

for (const method of ['GET', 'POST'] as const) {
  test(`answers to ${method} that each lead to a question are followed over the connections there are`, (t) =>
    countConnections(t, method));
}

async function countConnections(t: TestContext, method: 'GET' | 'POST'): Promise<void> {
  const server = createServer((_, response) => setImmediate(() => response.end('{}')));
  let connections = 0;
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const http = createHttp({ clock: fakeClock(), userAgent: 'package-insights/1.0.0 (+https://example.org)' });
  t.after(async () => {
    await http.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const ask = (path: string) => http.request({ method, origin, path });

  const lines = Array.from({ length: 4 }, async (_, line) => {
    for (let step = 0; step < 10; step++) {
      const { kind } = await ask(`/${line}/${step}`);
      assert.equal(kind, 'answer');
    }
  });
  await Promise.all(lines);
  assert.equal(connections, 4);
}
