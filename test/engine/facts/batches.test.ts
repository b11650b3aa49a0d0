import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { type Act, json, status } from '../../harness/scripted-server.ts';
import { asked, batch, closeAll, npm, type SetUp, setUp, versions, wanted } from './setup.ts';

afterEach(closeAll);

/** Answers a batch in pages, with the token that a function makes of the number of the page. */
function paged(size: number, token: (page: number, last: boolean) => string): Act {
  let page = 0;
  return (request, response) => {
    const { requests } = JSON.parse(request.body) as { requests: object[] };
    const start = page * size;
    page++;
    const responses = requests.slice(start, start + size).map((it) => ({ request: it, version: it }));
    return json({ responses: responses.map(versionOf), nextPageToken: token(page, start + size >= requests.length) })(
      request,
      response,
    );
  };
}

function versionOf({ request }: { readonly request: object }): object {
  return { request, version: request };
}

/** What is known of each of some versions, in a word. */
function states({ insights }: SetUp, names: readonly string[]): string[] {
  return names.map((name) => {
    const insight = insights.version(npm(name, '1.0.0'));
    return insight.state === 'failed' ? insight.reason : insight.state;
  });
}

const names = versions(5).map((it) => it.key.name);

async function run(act: Act): Promise<SetUp> {
  const it = await setUp(act);
  it.insights.request('a', versions(5));
  await it.insights.whenSettled('a', 1000);
  return it;
}

test('pages are followed with the same body and the token of the page before', async () => {
  const it = await run(paged(2, (page, last) => (last ? '' : `token ${page}`)));
  const bodies = it.server.arrived.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    bodies.map((body) => body.pageToken),
    [undefined, 'token 1', 'token 2'],
  );
  for (const body of bodies) assert.deepEqual(body.requests, bodies[0].requests);
  assert.deepEqual(states(it, names), ['ready', 'ready', 'ready', 'ready', 'ready']);
});

test('facts are there before the last page is', async () => {
  const first = paged(2, () => 'more');
  const it = await setUp();
  it.server.script(first, () => {});
  it.insights.request('a', versions(5));
  await it.server.reached(2);
  assert.deepEqual(states(it, names), ['ready', 'ready', 'pending', 'pending', 'pending']);
});

test('a token that comes again ends the batch', async () => {
  const it = await run(paged(1, () => 'the same'));
  assert.equal(it.server.arrived.length, 2);
  const reason = 'nextPageToken names a page a second time';
  assert.deepEqual(states(it, names), ['ready', 'ready', reason, reason, reason]);
});

test('tokens without end end the batch', async () => {
  let count = 0;
  const it = await run((request, response) => {
    const nextPageToken = `token ${count++}`;
    return json({ responses: [], nextPageToken })(request, response);
  });
  assert.equal(it.server.arrived.length, 6);
  assert.deepEqual(new Set(states(it, names)), new Set(['nextPageToken names more pages than there were requests']));
});

test('a page that fails leaves what came before', async () => {
  const it = await setUp(status(400, 'bad token'));
  it.server.script(paged(2, () => 'next'));
  it.insights.request('a', versions(5));
  await it.insights.whenSettled('a', 1000);
  const reason = 'the service answered with status 400: bad token';
  assert.deepEqual(states(it, names), ['ready', 'ready', reason, reason, reason]);
});

test('what a batch leaves out has failed', async () => {
  const it = await run((request, response) => {
    const { requests } = JSON.parse(request.body);
    return json({ responses: requests.slice(0, 4).map((request: object) => versionOf({ request })) })(
      request,
      response,
    );
  });
  assert.equal(states(it, names).at(-1), 'it is missing in the answer to the batch');
});

/** Answers one page made of the keys asked for. */
function shuffled(make: (keys: readonly VersionKey[]) => readonly object[]): Act {
  return (request, response) => {
    const { requests } = JSON.parse(request.body) as { requests: { versionKey: VersionKey }[] };
    return json({ responses: make(requests.map((it) => it.versionKey)) })(request, response);
  };
}

test('answers in another order are matched by what they echo', async () => {
  const it = await run(
    shuffled((keys) =>
      keys.toReversed().map((key) => ({ request: { versionKey: key }, version: { versionKey: key } })),
    ),
  );
  assert.deepEqual(states(it, names), ['ready', 'ready', 'ready', 'ready', 'ready']);
  const insight = it.insights.version(npm('p1', '1.0.0'));
  assert.equal(insight.state === 'ready' && insight.value.key.name, 'p1');
});

test('answers without an echo, or with one that cannot be read, are matched by position', async () => {
  const it = await run(
    shuffled((keys) => keys.map((key, index) => ({ version: { versionKey: key }, ...(index > 2 && { request: 7 }) }))),
  );
  assert.deepEqual(states(it, names), ['ready', 'ready', 'ready', 'ready', 'ready']);
});

test('an echo in another spelling is matched by position', async () => {
  const it = await setUp(
    shuffled(([key]) => [
      { request: { versionKey: { ...key, name: 'Foo_Bar', version: '1.0' } }, version: { versionKey: key } },
    ]),
  );
  const key = { system: 'PYPI', name: 'foo.bar', version: '1.0.0' } as const;
  it.insights.request('a', [{ kind: 'version', key }]);
  await it.insights.whenSettled('a', 1000);
  assert.equal(it.insights.version(key).state, 'ready');
});

test('a row of a system that is not known is left out, wherever it is', async () => {
  const foreign = { system: 'RUBYGEMS', name: 'rails', version: '1.0.0' };
  const it = await run(
    shuffled((keys) => [
      { request: { versionKey: foreign }, version: { versionKey: foreign } },
      ...keys.slice(0, 2).map((key) => ({ version: { versionKey: key } })),
      { request: { versionKey: foreign } },
      ...keys.slice(2).map((key) => ({ request: { versionKey: key }, version: { versionKey: key } })),
    ]),
  );
  assert.deepEqual(states(it, names), ['ready', 'ready', 'ready', 'ready', 'ready']);
});

// Source: the contract: a response echoes its request, and its version is empty where nothing is found.
test('a row that names no request and no version says of nothing that it is unknown', async () => {
  const rows = [{}, { request: {} }, { request: 7, version: {} }, { version: null }];
  const it = await run(
    shuffled((keys) => [...rows, ...keys.slice(4).map((key) => ({ request: { versionKey: key }, version: {} }))]),
  );
  const reason = (at: number) => `version ${at} of 5: the row names neither a request nor a version`;
  assert.deepEqual(states(it, names), [reason(1), reason(2), reason(3), reason(4), 'unknown']);
  const listed = await run(shuffled((keys) => keys.map((key) => ({ request: { versionKey: key }, version: [] }))));
  assert.equal(states(listed, names)[0], 'version 1 of 5: the answer is not an object');
});

test('answers to what was not asked, or twice, are left out', async () => {
  const it = await run(
    shuffled((keys) => [
      { request: { versionKey: npm('other', '1.0.0') }, version: { versionKey: npm('other', '1.0.0') } },
      ...[keys[0], keys[0], ...keys].map((key) => ({ request: { versionKey: key }, version: { versionKey: key } })),
    ]),
  );
  assert.deepEqual(states(it, names), ['ready', 'ready', 'ready', 'ready', 'ready']);
});

test('the facts of another package are refused, and cost nothing but themselves', async () => {
  const it = await run(
    shuffled((keys) =>
      keys.map((key, index) => ({
        request: { versionKey: key },
        version: { versionKey: index === 1 ? keys[0] : key },
      })),
    ),
  );
  const reason = 'version 2 of 5: versionKey is of NPM p0 1.0.0, which was not asked for';
  assert.deepEqual(states(it, names), ['ready', reason, 'ready', 'ready', 'ready']);
});

test('a malformed version names its field', async () => {
  const it = await setUp(batch({ licenses: 'MIT' }));
  it.insights.request('a', [wanted('x'), wanted('y')]);
  await it.insights.whenSettled('a', 1000);
  assert.deepEqual(states(it, ['x', 'y']), [
    'version 1 of 2: licenses is not a list',
    'version 2 of 2: licenses is not a list',
  ]);
});

for (const [name, act, reason] of [
  ['no JSON', status(200, '{"responses":[}', { 'content-type': 'application/json' }), 'the answer is not JSON'],
  ['a page of brackets', status(200, '['.repeat(2_000_000)), 'the answer is nested too deeply'],
  ['a list', json([]), 'the answer is not an object'],
  ['responses of another kind', json({ responses: {} }), 'responses is not a list'],
  ['a response of another kind', json({ responses: [{}, 'x'] }), 'responses[1] is not an object'],
  ['a token of another kind', json({ responses: [], nextPageToken: 1 }), 'nextPageToken is not a text'],
  ['a refusal in HTML', status(402, '\n<html>'), 'the service answered with status 402'],
] as const) {
  test(`${name} is a failure with a reason`, async () => {
    assert.deepEqual(new Set(states(await run(act), names)), new Set([reason]));
  });
}

test('the size of batches is a setting', async () => {
  const { insights, server } = await setUp(batch(), {
    settings: (baseUrl) => ({ baseUrl, batchSize: 2, parallelBatches: 8 }),
  });
  insights.request('a', versions(5));
  await insights.whenSettled('a', 1000);
  assert.deepEqual(server.arrived.map((it) => asked(it).length).sort(), [1, 2, 2]);
});

/** Refuses a batch that holds one of some names. */
function refusing(...names: readonly string[]): Act {
  return (request, response) =>
    asked(request).some((it) => names.includes(it.split('@')[0] ?? ''))
      ? status(400, 'bad key')(request, response)
      : batch()(request, response);
}

test('a key that the service does not take costs the others nothing', async () => {
  const it = await setUp(refusing('p42'));
  it.insights.request('a', versions(100));
  await it.insights.whenSettled('a', 1000);
  const all = states(
    it,
    versions(100).map(({ key }) => key.name),
  );
  assert.equal(all.filter((state) => state === 'ready').length, 99);
  assert.equal(all[42], 'the service answered with status 400: bad key');
  assert.equal(it.server.arrived.length, 15);
});

test('an address that takes no batch at all is not asked for ever', async () => {
  const it = await setUp(status(400, 'no'));
  it.insights.request('a', versions(100));
  await it.insights.whenSettled('a', 1000);
  assert.ok(it.server.arrived.length < 40, `${it.server.arrived.length} requests`);
});

test('what is asked for ahead goes out as it fills a batch, the rest with all that is wanted', async () => {
  const { insights, server } = await setUp(batch());
  insights.requestAlso('a', versions(70), true);
  insights.requestAlso('a', versions(79, 70), true);
  await server.reached(1);
  insights.request('a', versions(150));
  await insights.whenSettled('a', 1000);
  assert.deepEqual(
    server.arrived.map((it) => asked(it).length),
    [100, 50],
  );
});

test('an early request that turns out to be unnecessary is canceled', async () => {
  const { insights, server } = await setUp(() => {});
  insights.requestAlso('a', versions(100), true);
  await server.reached(1);
  insights.request('a', []);
  await server.arrived[0]?.gone;
});
