import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Act, status } from '../../harness/scripted-server.ts';
import { batch, closeAll, npm, setUp, until, wanted } from './setup.ts';

afterEach(closeAll);

const x = npm('x', '1.0.0');

test('expiring asks everything again that is wanted', async () => {
  const { insights, server } = await setUp(batch());
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  insights.expire();
  assert.equal(insights.version(x).state, 'ready');
  await server.reached(2);
});

test('expiring forgets why something could not be asked', async () => {
  const { insights, server } = await setUp(status(400, 'no'));
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  assert.equal(insights.version(x).state, 'failed');
  server.answer(batch());
  insights.expire();
  assert.equal(insights.version(x).state, 'pending');
  await insights.whenSettled('a', 1000);
  assert.equal(insights.version(x).state, 'ready');
});

test('a lookup that failed offline is pending at the next request', async () => {
  let offline = true;
  const { insights } = await setUp(batch(), {
    settings: (baseUrl) => ({ baseUrl, batchSize: 100, parallelBatches: 8, offline }),
  });
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  assert.equal(insights.version(x).state, 'failed');
  offline = false;
  insights.request('', []);
  assert.equal(insights.version(x).state, 'pending');
  await insights.whenSettled('a', 1000);
  assert.equal(insights.version(x).state, 'ready');
});

test('after signing in to a network, all lookups are retried without a wait for each', async () => {
  const { insights, server, clock } = await setUp(status(200, '<html>', { 'content-type': 'text/html' }), {
    settings: (baseUrl) => ({ baseUrl, batchSize: 1, parallelBatches: 1 }),
  });
  insights.request('a', [wanted('x')]);
  await clock.pass(400);
  await clock.pass(800);
  await insights.whenSettled('a', 1000);
  server.answer(batch());
  insights.request('b', [wanted('y')]);
  await until(() => insights.version(x).state === 'ready');
});

test('another service is not asked about the advisories that the former one named', async () => {
  const answer: Act = (request, response) =>
    request.path.includes('/advisories/') ? status(404, 'not found')(request, response) : batch()(request, response);
  const other = await setUp(answer);
  let isOther = false;
  const { insights, server } = await setUp(answer, {
    settings: (baseUrl) => ({ baseUrl: isOther ? other.server.url : baseUrl, batchSize: 100, parallelBatches: 8 }),
  });
  insights.request('a', [wanted('x'), { kind: 'advisory', id: 'GHSA-1111-2222-3333' }]);
  await server.reached(2);
  isOther = true;
  insights.request('b', [wanted('y')]);
  for (const it of ['a', 'b']) await insights.whenSettled(it, 1000);
  assert.equal(insights.version(x).state, 'ready');
  assert.deepEqual(
    other.server.arrived.map((it) => it.path),
    ['/v3alpha/versionbatch'],
  );
});
