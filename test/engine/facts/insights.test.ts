import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import type { Wanted } from '../../../server/src/engine/model/ports.ts';
import { held, json, stall, status } from '../../harness/scripted-server.ts';
import { asked, batch, closeAll, npm, setUp, versions, wanted } from './setup.ts';

afterEach(closeAll);

test('250 versions go out as three batches, and all are known', async () => {
  const { insights, server } = await setUp(batch());
  const all = versions(250);
  insights.request('a', all);
  await insights.whenSettled('a', 1000);
  assert.deepEqual(server.arrived.map((it) => asked(it).length).sort(), [100, 100, 50]);
  for (const { key } of all) {
    const insight = insights.version(key);
    assert.equal(insight.state === 'ready' && insight.value.key.name, key.name);
  }
});

test('what several documents want in one turn goes out together, and once', async () => {
  const { insights, server } = await setUp(batch());
  insights.request('a', [wanted('x'), wanted('y'), wanted('x')]);
  insights.request('b', [wanted('y'), wanted('z')]);
  await insights.whenSettled('b', 1000);
  assert.deepEqual(server.arrived.map(asked), [['x@1.0.0', 'y@1.0.0', 'z@1.0.0']]);
});

test('two spellings of one version are one question, and share its answer', async () => {
  const { insights, server } = await setUp(batch());
  const spellings = [
    { system: 'PYPI', name: 'Foo_.Bar', version: '1.0-alpha' },
    { system: 'PYPI', name: 'foo-bar', version: '1.0.0a0' },
  ] as const;
  insights.request(
    'a',
    spellings.map((key) => ({ kind: 'version', key })),
  );
  await insights.whenSettled('a', 1000);
  assert.deepEqual(server.arrived.map(asked), [['foo-bar@1.0.0a0']]);
  for (const key of spellings) assert.equal(insights.version(key).state, 'ready');
});

test('a package is asked for by its encoded name', async () => {
  const { insights, server } = await setUp(
    json({
      packageKey: { system: 'NPM', name: '@babel/core' },
      versions: [{ versionKey: npm('@babel/core', '7.0.0') }],
    }),
  );
  const it: Wanted = { kind: 'package', key: { system: 'NPM', name: '@babel/core' } };
  insights.request('a', [it]);
  assert.equal(insights.package(it.key).state, 'pending');
  await insights.whenSettled('a', 1000);
  assert.equal(server.arrived[0]?.path, '/v3alpha/systems/NPM/packages/%40babel%2Fcore');
  const insight = insights.package(it.key);
  assert.deepEqual(insight.state === 'ready' && rowsOf(insight.value.versions), [
    { version: '7.0.0', isDefault: false, isDeprecated: false },
  ]);
});

test('an advisory that the service does not serve is unknown', async () => {
  const { insights, server } = await setUp(status(404, 'advisory not found'));
  insights.request('a', [{ kind: 'advisory', id: 'GHSA-1' }]);
  await insights.whenSettled('a', 1000);
  assert.equal(server.arrived[0]?.path, '/v3alpha/advisories/GHSA-1');
  assert.equal(insights.advisory('GHSA-1').state, 'unknown');
});

test('a version that a batch has nothing for is unknown', async () => {
  const { insights } = await setUp((request, response) => {
    const { requests } = JSON.parse(request.body);
    return json({ responses: [{ request: requests[0] }, { request: requests[1], version: {} }] })(request, response);
  });
  insights.request('a', [wanted('x'), wanted('y')]);
  await insights.whenSettled('a', 1000);
  assert.equal(insights.version(npm('x', '1.0.0')).state, 'unknown');
  assert.equal(insights.version(npm('y', '1.0.0')).state, 'unknown');
});

test('eight batches go at a time, in the order of the document', async () => {
  const gate = held(batch());
  const { insights, server } = await setUp(gate.act);
  insights.request('a', versions(1000, 100));
  await server.reached(8);
  gate.release();
  await insights.whenSettled('a', 1000);
  const firsts = server.arrived.map((it) => asked(it)[0]);
  assert.equal(firsts.length, 10);
  assert.deepEqual(
    firsts.slice(0, 8).sort(),
    [1, 2, 3, 4, 5, 6, 7, 8].map((it) => `p${it}00@1.0.0`),
  );
});

test('what is wanted again while it stands in line goes by its new order', async () => {
  const gate = held(batch());
  const { insights, server } = await setUp(gate.act, {
    settings: (baseUrl) => ({ baseUrl, batchSize: 1, parallelBatches: 1 }),
  });
  insights.request('a', [wanted('first')]);
  await server.reached(1);
  insights.request('a', [wanted('first'), wanted('x'), wanted('y')]);
  insights.request('a', [wanted('first'), wanted('y'), wanted('x')]);
  gate.release();
  await insights.whenSettled('a', 1000);
  assert.deepEqual(
    server.arrived.map((it) => asked(it)[0]),
    ['first@1.0.0', 'y@1.0.0', 'x@1.0.0'],
  );
});

test('the background waits until everything else is answered', async () => {
  const gate = held(batch());
  const { insights, server } = await setUp(gate.act);
  insights.request('a', versions(10), versions(15));
  await server.reached(1);
  gate.release();
  await insights.whenSettled('a', 1000);
  await server.reached(2);
  assert.deepEqual(
    server.arrived.map((it) => asked(it).length),
    [10, 5],
  );
});

test('what becomes urgent leaves the background', async () => {
  const gate = held(batch());
  const { insights, server } = await setUp(gate.act, {
    settings: (baseUrl) => ({ baseUrl, batchSize: 1, parallelBatches: 2 }),
  });
  insights.request('a', [wanted('now')], [wanted('later'), wanted('soon')]);
  await server.reached(1);
  insights.request('b', [wanted('soon')]);
  await server.reached(2);
  gate.release();
  await server.reached(3);
  assert.deepEqual(
    server.arrived.map((it) => asked(it)[0]),
    ['now@1.0.0', 'soon@1.0.0', 'later@1.0.0'],
  );
});

test('a lookup without an owner leaves the queue, and its request is aborted', async () => {
  const { insights, server } = await setUp(stall, {
    settings: (baseUrl) => ({ baseUrl, batchSize: 2, parallelBatches: 1 }),
  });
  insights.request('b', [wanted('y')]);
  insights.request('a', [wanted('x'), wanted('y'), wanted('z')]);
  await server.reached(1);
  insights.request('a', []);
  server.answer(batch());
  insights.request('c', [wanted('v')]);
  insights.release('b');
  await server.arrived[0]?.gone;
  await insights.whenSettled('c', 1000);
  assert.deepEqual(server.arrived.map(asked), [['x@1.0.0', 'y@1.0.0'], ['v@1.0.0']]);
});

test('what is wanted again while its request is being aborted is asked again', async () => {
  const { insights, server } = await setUp(batch());
  server.script(stall);
  insights.request('a', [wanted('x')]);
  await server.reached(1);
  insights.release('a');
  insights.request('b', [wanted('x')]);
  await insights.whenSettled('b', 1000);
  assert.equal(insights.version(npm('x', '1.0.0')).state, 'ready');
  assert.equal(server.arrived.length, 2);
});

test('waiting ends by patience, by its signal, and with the owner', async () => {
  const { insights, server, clock } = await setUp(stall);
  insights.request('a', [wanted('x')]);
  await server.reached(1);
  const patient = insights.whenSettled('a', 800);
  await clock.advance(800);
  await patient;
  const abort = new AbortController();
  const cut = insights.whenSettled('a', 800, abort.signal);
  abort.abort();
  await cut;
  const left = insights.whenSettled('a', 800);
  insights.release('a');
  await left;
  await insights.whenSettled('a', 800);
});

test('a service that moves is asked anew', async () => {
  const other = await setUp(batch({ licenses: ['MIT'] }));
  let moved = false;
  const { insights, server } = await setUp(batch({ licenses: ['ISC'] }), {
    settings: (baseUrl) => ({ baseUrl: moved ? other.server.url : baseUrl, batchSize: 100, parallelBatches: 8 }),
  });
  const licenses = () => {
    const insight = insights.version(npm('x', '1.0.0'));
    return insight.state === 'ready' ? insight.value.licenses : insight.state;
  };
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  assert.deepEqual(licenses(), ['ISC']);
  moved = true;
  insights.request('b', [wanted('y')]);
  await insights.whenSettled('a', 1000);
  assert.deepEqual(licenses(), ['MIT']);
  assert.equal(server.arrived.length, 1);
});

test('an invalid address fails with a reason', async () => {
  const { insights } = await setUp(batch(), {
    settings: () => ({ baseUrl: 'ftp://x', batchSize: 100, parallelBatches: 8 }),
  });
  insights.request('a', [wanted('x'), { kind: 'package', key: { system: 'NPM', name: 'x' } }]);
  await insights.whenSettled('a', 1000);
  const insight = insights.version(npm('x', '1.0.0'));
  assert.equal(insight.state === 'failed' && insight.reason, 'invalid service address: "ftp://x"');
  assert.equal(insights.package({ system: 'NPM', name: 'x' }).state, 'failed');
});

test('closing aborts pending requests, and ends every wait', async () => {
  const { insights, server } = await setUp(stall);
  insights.request('a', [wanted('x')]);
  await server.reached(1);
  const waiting = insights.whenSettled('a', 1000);
  await insights.close();
  await waiting;
  await server.arrived[0]?.gone;
});
