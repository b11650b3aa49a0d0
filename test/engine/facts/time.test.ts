import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Insights } from '../../../server/src/engine/model/ports.ts';
import { json, reset, stall, status } from '../../harness/scripted-server.ts';
import { batch, closeAll, npm, setUp, until, versions, wanted } from './setup.ts';

afterEach(closeAll);

const minute = 60_000;
const x = npm('x', '1.0.0');

function learnt(insights: Insights): Promise<void> {
  return new Promise((resolve) => insights.onDidChange((it) => it.kind === 'changed' && resolve()));
}

test('facts are fresh for as long as the service says, within bounds', async () => {
  for (const [cacheControl, life] of [
    ['public, max-age=3600', 60],
    ['max-age=1', 5],
    ['no-store', 5],
    ['max-age=9999999', 60],
    ['', 60],
  ] as const) {
    const { insights, server, clock } = await setUp(batch({}, { 'cache-control': cacheControl }));
    insights.request('a', [wanted('x')]);
    await insights.whenSettled('a', 1000);
    await clock.advance(life * minute - 1);
    insights.request('a', [wanted('x')]);
    assert.deepEqual(Object.keys(insights.version(x)), ['state', 'value', 'at'], cacheControl);
    await clock.advance(1);
    insights.request('a', [wanted('x')]);
    await server.reached(2);
  }
});

test('a person may draw the bounds of freshness, and draw them anew', async () => {
  let freshness = { min: 90, max: 1440 };
  const settings = (baseUrl: string) => ({ baseUrl, batchSize: 100, parallelBatches: 8, freshness });
  const { insights, server, clock } = await setUp(batch({}, { 'cache-control': 'max-age=3600' }), { settings });
  const want = async () => {
    insights.release('a');
    insights.request('a', [wanted('x')]);
    await insights.whenSettled('a', 1000);
    return server.arrived.length;
  };
  assert.equal(await want(), 1);
  await clock.advance(89 * minute);
  assert.equal(await want(), 1);
  freshness = { min: 5, max: 80 };
  insights.release('a');
  insights.request('a', [wanted('x')]);
  await server.reached(2);
  await learnt(insights);
  await clock.advance(59 * minute);
  assert.equal(await want(), 2);
  freshness = { min: 90, max: 30 };
  insights.release('a');
  insights.request('a', [wanted('x')]);
  await server.reached(3);
});

test('what is stale stays readable while it is asked again', async () => {
  const { insights, server, clock } = await setUp(batch({ licenses: ['MIT'] }));
  const licenses = () => {
    const insight = insights.version(x);
    return insight.state === 'ready' ? [insight.value.licenses[0], insight.refresh] : [insight.state];
  };
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  insights.release('a');
  await clock.advance(61 * minute);
  assert.deepEqual(licenses(), ['MIT', undefined]);
  server.answer(batch({ licenses: ['ISC'] }));
  insights.request('a', [wanted('x')]);
  assert.deepEqual(licenses(), ['MIT', 'pending']);
  await insights.whenSettled('a', 1000);
  assert.deepEqual(licenses(), ['MIT', 'pending'], 'nobody waits for what is readable');
  await learnt(insights);
  assert.deepEqual(licenses(), ['ISC', undefined]);
});

test('a refresh that fails leaves the facts, and says so', async () => {
  const { insights, server, clock } = await setUp(batch());
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  server.answer(status(400, 'no'));
  const told = learnt(insights);
  await clock.pass(60 * minute);
  await told;
  const insight = insights.version(x);
  assert.deepEqual(insight.state === 'ready' && insight.refresh, {
    failed: 'the service answered with status 400: no',
  });
});

test('what is in use is asked again without a word, and told only if it differs', async () => {
  const { insights, server, clock, told } = await setUp(batch({ licenses: ['MIT'] }));
  insights.request('a', versions(150));
  await insights.whenSettled('a', 1000);
  await until(() => told() > 0);
  const [before, revision, first] = [told(), insights.revision(), insights.version(npm('p0', '1.0.0'))];
  await clock.pass(60 * minute);
  await until(() => 'at' in first && first.at === clock.now());
  await server.reached(4);
  await clock.advance(1000);
  assert.deepEqual([told(), insights.revision(), insights.version(npm('p0', '1.0.0'))], [before, revision, first]);
  server.answer(batch({ licenses: ['ISC'] }));
  await clock.pass(60 * minute - 1000);
  await until(() => told() > before);
  const after = insights.version(npm('p149', '1.0.0'));
  assert.equal(after.state === 'ready' && after.value.licenses[0], 'ISC');
  assert.equal(server.arrived.length, 6);
  insights.release('a');
  await clock.advance(5 * 60 * minute);
  assert.equal(server.arrived.length, 6, 'it is not shown any more');
});

test('a follow-up asks again for no list that is held already', async () => {
  const lists = { kind: 'package', key: { system: 'NPM', name: 'x' } } as const;
  const { insights, server, clock } = await setUp(json({ packageKey: lists.key, versions: [] }));
  insights.request('a', [], [lists]);
  await learnt(insights);
  await clock.advance(61 * minute);
  insights.request('a', [], [lists], true);
  await clock.advance(1000);
  assert.equal(server.arrived.length, 1);
  insights.request('a', [], [lists]);
  await server.reached(2);
});

test('a list that decides a version is asked again while it is in use; one that only proposes something is not', async () => {
  const list = (name: string) => ({ kind: 'package', key: { system: 'NPM', name } }) as const;
  const { insights, server, clock, told } = await setUp((request, response) => {
    const packageKey = list(request.path.split('/').at(-1) ?? '').key;
    return json({ packageKey, versions: [] })(request, response);
  });
  insights.request('a', [list('x')], [list('y')]);
  await server.reached(2);
  await until(() => insights.package(list('y').key).state !== 'pending');
  await until(() => told() > 0);
  const before = told();
  await clock.pass(60 * minute);
  await server.reached(3);
  await clock.advance(1000);
  assert.deepEqual(
    server.arrived.slice(2).map((it) => it.path.split('/').at(-1)),
    ['x'],
  );
  assert.equal(told(), before, 'nothing has changed');
});

test('what is released and wanted again is read from the cache, and asked only once it is stale', async () => {
  const { insights, server } = await setUp(batch());
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  insights.release('a');
  assert.equal(insights.version(x).state, 'ready');
  insights.request('b', [wanted('x')]);
  await insights.whenSettled('b', 1000);
  assert.equal(server.arrived.length, 1);
  insights.release('b');
  insights.expire();
  assert.equal(insights.version(x).state, 'ready');
  insights.request('b', [wanted('x')]);
  await server.reached(2);
});

test('unknown packages are requested again after ten minutes, advisories after an hour', async () => {
  const { insights, server, clock } = await setUp(status(404, 'package not found'));
  const all = [
    { kind: 'package', key: { system: 'NPM', name: 'x' } },
    { kind: 'advisory', id: 'GHSA-1' },
  ] as const;
  const paths = () => server.arrived.map((it) => it.path.split('/').at(-1)).sort();
  insights.request('a', all);
  await insights.whenSettled('a', 1000);
  await clock.advance(10 * minute);
  insights.request('a', all);
  assert.equal(insights.package(all[0].key).state, 'unknown');
  await learnt(insights);
  await clock.advance(50 * minute);
  insights.request('a', all);
  await server.reached(5);
  assert.deepEqual(paths(), ['GHSA-1', 'GHSA-1', 'x', 'x', 'x']);
});

test('failed lookups recover automatically when the service returns', async () => {
  const { insights, server, clock } = await setUp(reset);
  insights.request('a', [wanted('x')]);
  await clock.pass(400);
  await clock.pass(800);
  await insights.whenSettled('a', 1000);
  const failed = insights.version(x);
  assert.equal(failed.state === 'failed' && failed.reason, 'the connection was reset');
  server.answer(batch());
  await clock.pass(5000);
  await until(() => insights.version(x).state === 'ready');
});

test('one answer shows that the service is back, and everything that failed with it is asked', async () => {
  const { insights, server, clock } = await setUp(status(500, 'internal error'), {
    settings: (baseUrl) => ({ baseUrl, batchSize: 1, parallelBatches: 1 }),
  });
  insights.request('a', [wanted('x')]);
  await clock.pass(400);
  await clock.pass(800);
  await insights.whenSettled('a', 1000);
  const failed = insights.version(x);
  assert.equal(failed.state === 'failed' && failed.reason, 'the service answered with status 500: internal error');
  server.answer(batch());
  insights.request('b', [wanted('y')]);
  await until(() => insights.version(x).state === 'ready');
  assert.equal(server.arrived.length, 5);
});

test('nothing is sent while the service is not to be disturbed, and all is asked once it may be', async () => {
  const { insights, server, clock } = await setUp(status(429, 'slow down', { 'retry-after': '60' }));
  const start = clock.now();
  insights.request('a', versions(5));
  await insights.whenSettled('a', 1000);
  assert.deepEqual(insights.backoff(), {
    until: start + minute,
    reason: 'the service requested a wait of 60 s',
    asked: true,
  });
  const failed = insights.version(npm('p0', '1.0.0'));
  assert.equal(failed.state === 'failed' && failed.reason, 'the service requested a wait of 60 s');
  insights.request('b', versions(5, 100));
  await insights.whenSettled('b', 1000);
  assert.equal(server.arrived.length, 1);
  server.answer(batch());
  await clock.pass(minute);
  await until(() => insights.version(npm('p0', '1.0.0')).state === 'ready');
  assert.equal(insights.backoff(), undefined);
});

test('a service that cannot be reached is not tried by every request', async () => {
  const { insights, server, clock } = await setUp(reset);
  insights.request('a', versions(800));
  await server.reached(8);
  for (let count = 0; count < 20; count++) await clock.advance(1000);
  await insights.whenSettled('a', 1000);
  assert.ok(server.arrived.length < 20, `${server.arrived.length} requests in 20 s`);
  const insight = insights.version(npm('p700', '1.0.0'));
  assert.equal(insight.state === 'failed' && insight.reason, 'the connection was reset');
});

test('a request that is never answered fails, and is tried again', async () => {
  const { insights, server, clock } = await setUp(json({ responses: [] }));
  server.script(stall);
  insights.request('a', [wanted('x')]);
  await server.reached(1);
  await clock.pass(30_000);
  await clock.pass(400);
  await insights.whenSettled('a', 1000);
  assert.equal(server.arrived.length, 2);
  const failed = insights.version(x);
  assert.equal(failed.state === 'failed' && failed.reason, 'it is missing in the answer to the batch');
});

test('an instance that serves no advisories is not asked for each of them', async () => {
  const { insights, server, clock } = await setUp(status(404, 'not found'));
  const advisories = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ kind: 'advisory', id: `GHSA-${from + index}` }) as const);
  insights.request('a', advisories(0, 5));
  await insights.whenSettled('a', 1000);
  insights.request('a', advisories(100, 200));
  await insights.whenSettled('a', 1000);
  assert.equal(server.arrived.length, 5);
  assert.equal(insights.advisory('GHSA-299').state, 'unknown');
  await clock.advance(60 * minute);
  insights.request('a', advisories(100, 1));
  await server.reached(6);
});
