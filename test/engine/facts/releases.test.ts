import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Cache, CacheEntry } from '../../../server/src/engine/facts/cache/cache.ts';
import type { Release, Releases } from '../../../server/src/engine/model/graph/releases.ts';
import type { ConnectedInsights } from '../../../server/src/engine/model/ports.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { asked, batch, closeAll, npm, setUp, until, wanted } from './setup.ts';

/* The versions of whole lockfiles. */

afterEach(closeAll);

function releasesOf({ releases }: ConnectedInsights): Releases {
  assert.ok(releases);
  return releases;
}

function want(insights: ConnectedInsights, owner: string, count: number): readonly Release[] {
  const request = releasesOf(insights).begin(owner);
  const all = Array.from({ length: count }, (_, at) => request.add(npm(`p${at}`, '1.0.0')));
  request.end();
  return all;
}

const isOpen = ({ insight }: Release): boolean => insight.state === 'pending';

/** Keeps everything, as a disk does. */
function lasting(): Cache {
  const all = new Map<string, CacheEntry>();
  return {
    get: (id) => all.get(id),
    set: (entries) => entries.forEach(([id, it]) => void all.set(id, it)),
    expire: () => all.clear(),
  };
}

test('versions are requested in full batches, each once for all owners', async () => {
  const { insights, server } = await setUp(batch());
  const first = want(insights, 'a', 250);
  const second = want(insights, 'b', 250);
  await until(() => ![...first, ...second].some(isOpen));
  assert.deepEqual(
    server.arrived.map((it) => asked(it).length),
    [100, 100, 50],
  );
});

test('everything else comes first', async () => {
  const { insights, server } = await setUp(batch());
  const all = want(insights, 'a', 150);
  insights.request('document', [wanted('direct')], [wanted('later')]);
  await until(() => !all.some(isOpen));
  assert.deepEqual(server.arrived.slice(0, 2).map(asked), [['direct@1.0.0'], ['later@1.0.0']]);
});

test('thousands of answers are garbage once the last one has come', async () => {
  let times = 0;
  const { insights } = await setUp(batch(), { onManyAnswers: () => times++ });
  const few = want(insights, 'a', 150);
  await until(() => !few.some(isOpen));
  assert.equal(times, 0);
  const many = want(insights, 'b', 5200);
  await until(() => !many.some(isOpen));
  assert.equal(times, 1);
});

test('hundreds of direct answers are garbage after a quiet while', async () => {
  let times = 0;
  const clock = fakeClock();
  const { insights } = await setUp(batch(), { clock, onManyAnswers: () => times++ });
  const all = Array.from({ length: 300 }, (_, at) => wanted(`p${at}`));
  insights.request('few', all.slice(0, 299));
  await until(() => insights.version(npm('p298', '1.0.0')).state === 'ready');
  await clock.advance(60_000);
  assert.equal(times, 0);
  insights.request('many', all);
  await until(() => insights.version(npm('p299', '1.0.0')).state === 'ready');
  await clock.advance(2000);
  assert.equal(times, 0, 'a person may be about to open another document');
  await clock.advance(1000);
  assert.equal(times, 1);
});

test('a second start sends nothing', async () => {
  const cache = lasting();
  const settings = () => ({ baseUrl: 'http://service.example', batchSize: 100, parallelBatches: 8 });
  const before = await setUp(batch({ advisoryKeys: [{ id: 'GHSA-1' }], isDeprecated: true }), { cache });
  const first = want(before.insights, 'a', 120);
  await until(() => !first.some(isOpen));
  assert.deepEqual(first[7]?.insight, { state: 'ready', advisories: ['GHSA-1'], isDeprecated: true });
  const { url } = before.server;
  const again = await setUp(batch(), { cache, settings: () => ({ ...settings(), baseUrl: url }), clock: before.clock });
  const second = want(again.insights, 'a', 120);
  await until(() => !second.some(isOpen));
  assert.deepEqual(second[7]?.insight, first[7]?.insight);
  assert.equal(before.server.arrived.length, 2);
});

test('while an owner is held, no name leaves; what it drops then is never sent', async () => {
  const { insights, server } = await setUp(batch());
  want(insights, 'a', 10);
  releasesOf(insights).hold('a', true);
  const others = want(insights, 'b', 5);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(server.arrived.length, 0);
  const fewer = want(insights, 'a', 2);
  releasesOf(insights).hold('a', false);
  await until(() => ![...fewer, ...others].some(isOpen));
  assert.deepEqual(
    server.arrived.map((it) => asked(it).length),
    [5],
  );
});

test('the failed are requested again, and say why until then', async () => {
  let isDown = true;
  const { insights, clock } = await setUp((request, response) => {
    if (!isDown) return batch()(request, response);
    response.writeHead(400).end('{}');
  });
  const [one] = want(insights, 'a', 1);
  assert.ok(one);
  await until(() => !isOpen(one));
  assert.equal(one.insight.state, 'failed');
  isDown = false;
  await clock.advance(60_000);
  await until(() => one.insight.state === 'ready');
});
