import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { createMirror } from '../../../server/src/service/mirror/mirror.ts';
import { createUpstream } from '../../../server/src/service/mirror/upstream.ts';
import { openRedis } from '../../../server/src/service/shared/redis.ts';
import { createMemoryStore } from '../../../server/src/service/store/memory-store.ts';
import type { Store } from '../../../server/src/service/store/store.ts';
import { noRedis, startRedis } from '../../harness/databases.ts';
import { type Act, json, scriptedServer, status } from '../../harness/scripted-server.ts';

/* What instances of one service agree on in Redis, and how they continue without it. */

const skip = noRedis ?? false;
const redis = noRedis === undefined ? await startRedis() : undefined;
const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of closing) await close();
  await redis?.stop();
});

const key = (name: string): VersionKey => ({ system: 'NPM', name, version: '1.0.0' });

const serving: Act = async (request, response) => {
  // Long enough that the other instances ask meanwhile.
  await delay(50);
  const { requests } = JSON.parse(request.body) as { requests: { versionKey: VersionKey }[] };
  const responses = requests.map(({ versionKey }) => ({ request: { versionKey }, version: { versionKey, purl: 'p' } }));
  await json({ responses, nextPageToken: '' }, { 'cache-control': 'max-age=3600' })(request, response);
};

/** Instances in front of one upstream service, with a database in common. */
async function instances(count: number, act: Act, budget?: number) {
  const server = await scriptedServer(act);
  const store: Store = createMemoryStore();
  const changes: boolean[] = [];
  const all = Array.from({ length: count }, () => {
    const coordination = openRedis({
      address: redis?.address ?? '',
      upstream: server.url,
      budget,
      now: systemClock.now,
      onChange: (it) => void changes.push(it),
    });
    const http = createHttp({ clock: systemClock, userAgent: 'test' });
    const common = { clock: systemClock, coordination, observe: () => {} };
    const upstream = createUpstream({ baseUrl: server.url, http, random: () => 0, ...common });
    closing.push(coordination.close, () => http.close());
    return { mirror: createMirror({ store, upstream, ...common }), coordination };
  });
  closing.push(server.close);
  await until(() => all.every((it) => it.coordination.isConnected()));
  return { all, server, changes };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(10);
}

test('one question is sent, however many instances ask at the same time', { skip }, async () => {
  const { all, server } = await instances(3, serving);
  const names = Array.from({ length: 40 }, (_, it) => `p${it}`);
  const answers = await Promise.all(all.flatMap(({ mirror }) => names.map((it) => mirror.version(key(it)))));
  assert.deepEqual([...new Set(answers.map((it) => it.kind))], ['found']);
  const asked = server.arrived.flatMap((it) => (JSON.parse(it.body) as { requests: object[] }).requests);
  assert.equal(asked.length, 40);
});

test('a wait that one instance was asked for holds for all', { skip }, async () => {
  const { all, server } = await instances(2, status(429, 'slow down', { 'retry-after': '30' }));
  const [first, second] = all;
  assert.equal((await first?.mirror.version(key('a')))?.kind, 'unavailable');
  await until(() => server.arrived.length === 1);
  await delay(20);
  const answer = await second?.mirror.version(key('b'));
  assert.ok(answer?.kind === 'unavailable' && answer.retryAfter > 20, JSON.stringify(answer));
  assert.equal(server.arrived.length, 1);
});

test('the budget is that of all instances together', { skip }, async () => {
  // A time of their own, so that no new minute begins in between.
  const start = systemClock.now();
  const spending = Array.from({ length: 2 }, () =>
    openRedis({
      address: redis?.address ?? '',
      upstream: 'https://budget.example',
      budget: 3,
      now: () => start,
      onChange: () => {},
    }),
  );
  closing.push(...spending.map((it) => it.close));
  await until(() => spending.every((it) => it.isConnected()));
  const spent: boolean[] = [];
  for (const it of [...spending, ...spending]) spent.push((await it.spend()) === 0);
  assert.deepEqual(spent, [true, true, true, false]);
});

test('without Redis each instance continues on its own, and it is used again when it is back', { skip }, async () => {
  const { all, server, changes } = await instances(2, serving);
  await redis?.kill();
  await until(() => all.every((it) => !it.coordination.isConnected()));
  const answers = await Promise.all(all.map(({ mirror }) => mirror.version(key('alone'))));
  assert.deepEqual(
    answers.map((it) => it.kind),
    ['found', 'found'],
  );
  assert.ok(server.arrived.length >= 1);
  await redis?.restart();
  await until(() => all.every((it) => it.coordination.isConnected()));
  const before = server.arrived.length;
  await Promise.all(all.map(({ mirror }) => mirror.version(key('together'))));
  assert.equal(server.arrived.length, before + 1);
  assert.deepEqual([changes.filter((it) => it).length, changes.filter((it) => !it).length], [4, 2]);
});

test('an instance that ends does not report Redis as lost', { skip }, async () => {
  const changes: boolean[] = [];
  const open = (onChange: (isConnected: boolean) => void) =>
    openRedis({ address: redis?.address ?? '', upstream: 'u', budget: undefined, now: systemClock.now, onChange });
  const ending = open((it) => void changes.push(it));
  await until(ending.isConnected);
  await ending.close();
  // The connection of another one takes longer than the end of the first.
  const other = open(() => {});
  await until(other.isConnected);
  await other.close();
  assert.deepEqual(changes, [true]);
});
