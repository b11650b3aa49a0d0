import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooMuch } from '../../server/src/engine/http/errors.ts';
import { type HttpAnswer, type HttpRequest, httpLimits } from '../../server/src/engine/http/types.ts';
import { gatedHttp, gateLimits } from '../../server/src/service/registries/gate.ts';
import { fakeClock } from '../harness/fake-clock.ts';

/* How many requests the service sends to registries at a time, and who waits for whom. */

const ok: HttpAnswer = { kind: 'answer', status: 200, headers: {}, text: '' };
const full: HttpAnswer = tooMuch({ ...httpLimits, underWayBytes: gateLimits.bytes });

/** Requests are answered by their paths when a test says so. */
function network() {
  const clock = fakeClock();
  const open = new Map<string, (answer: HttpAnswer) => void>();
  const most = new Map<string, number>();
  let all = 0;
  const http = gatedHttp(
    {
      request: ({ origin, path, signal }) =>
        new Promise((resolve) => {
          open.set(path, resolve);
          signal?.addEventListener('abort', () => end(path, { kind: 'aborted' }));
          all = Math.max(all, open.size);
          const same = [...open.keys()].filter((it) => it.startsWith(`/${new URL(origin).hostname}/`)).length;
          most.set(origin, Math.max(most.get(origin) ?? 0, same));
        }),
    },
    clock,
  );
  function end(path: string, answer: HttpAnswer = ok): void {
    const resolve = open.get(path);
    open.delete(path);
    resolve?.(answer);
  }
  const ask = (host: string, name: number | string, more: Partial<HttpRequest> = {}): Promise<HttpAnswer> =>
    http.request({ method: 'GET', origin: `https://${host}`, path: `/${host}/${name}`, ...more });
  return { clock, open, end, ask, most: () => [all, ...most.values()] };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('8 requests to one host, 16 in all, and each has its answer', async () => {
  const { open, end, ask, most } = network();
  const hosts = ['a.example', 'b.example', 'c.example'];
  const asked = hosts.flatMap((host) => Array.from({ length: 30 }, (_, at) => ask(host, at)));
  for (let rounds = 0; open.size > 0; rounds++) {
    assert.ok(rounds < 200);
    for (const it of [...open.keys()].slice(0, 3)) end(it);
    await turn();
  }
  assert.deepEqual(new Set((await Promise.all(asked)).map((it) => it.kind)), new Set(['answer']));
  assert.deepEqual(most(), [16, 8, 8, 8]);
});

test('a request that takes longer than five seconds yields to one that waits, and to no other', async () => {
  const { clock, open, end, ask } = network();
  const slow = Array.from({ length: 8 }, (_, at) => ask('a.example', `slow${at}`));
  await clock.advance(60_000);
  assert.equal(open.size, 8, 'nobody waits');
  const quick = ask('a.example', 'quick');
  await clock.advance(0);
  await turn();
  assert.ok(open.has('/a.example/quick'));
  assert.equal(open.size, 8);
  end('/a.example/quick');
  assert.equal((await quick).kind, 'answer');
  assert.partialDeepStrictEqual(await slow[0], { kind: 'failure', isRetryable: false });
  for (const it of [...open.keys()]) end(it);
  assert.deepEqual(
    (await Promise.all(slow.slice(1))).map((it) => it.kind),
    Array(7).fill('answer'),
  );
});

test('nobody waits longer than five seconds for slow requests', async () => {
  const { clock, open, end, ask } = network();
  for (let at = 0; at < 8; at++) ask('a.example', `slow${at}`);
  await clock.advance(1000);
  const quick = ask('a.example', 'quick');
  await clock.advance(3999);
  assert.equal(open.has('/a.example/quick'), false);
  await clock.advance(1);
  await turn();
  end('/a.example/quick');
  assert.equal((await quick).kind, 'answer');
});

test('a host without places holds up no other host', async () => {
  const { open, ask } = network();
  for (let at = 0; at < 20; at++) ask('a.example', at);
  ask('b.example', 'one');
  await turn();
  assert.ok(open.has('/b.example/one'));
});

test('answers that are too long together come one after another', async () => {
  const { open, end, ask } = network();
  const asked = Array.from({ length: 8 }, (_, at) => ask('a.example', at));
  await turn();
  end('/a.example/0', full);
  await turn();
  assert.equal(open.size, 7, 'it waits');
  for (let at = 1; at < 6; at++) end(`/a.example/${at}`);
  await turn();
  assert.ok(open.has('/a.example/0'));
  for (const it of [...open.keys()]) end(it);
  assert.deepEqual(
    (await Promise.all(asked)).map((it) => it.kind),
    Array(8).fill('answer'),
  );
});

test('a request that is given up while it waits is never sent', async () => {
  const { open, end, ask } = network();
  for (let at = 0; at < 8; at++) ask('a.example', at);
  const abort = new AbortController();
  const given = ask('a.example', 'given up', { signal: abort.signal });
  abort.abort();
  assert.equal((await given).kind, 'aborted');
  for (const it of [...open.keys()]) end(it);
  await turn();
  assert.equal(open.size, 0);
});
