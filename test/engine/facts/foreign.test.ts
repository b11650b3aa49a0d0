import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { readAddress, rejectForeignResponses } from '../../../server/src/engine/facts/service/responses.ts';
import type { HttpAnswer } from '../../../server/src/engine/http/types.ts';
import { json, status } from '../../harness/scripted-server.ts';
import { batch, closeAll, npm, setUp, until, wanted } from './setup.ts';

afterEach(closeAll);

const origin = 'https://insights.example';
const list = '/wrong/v3alpha/systems/NPM/packages/package';

type Headers = Readonly<Record<string, string>>;

/** What is made of answers, one after another: their status, or why they are none. `read`: one with these headers could be read. */
async function judged(
  ...answers: readonly (readonly [status: number, text: string, path?: string, headers?: Headers] | { read: Headers })[]
) {
  let next: HttpAnswer = { kind: 'aborted' };
  const http = rejectForeignResponses({ request: async () => next }, { origin, prefix: '/wrong' });
  const all: (number | string)[] = [];
  for (const given of answers) {
    if ('read' in given) {
      http.recognizeServer(given.read);
      continue;
    }
    const [status, text, path = list, headers = status === 302 ? { location: text } : {}] = given;
    next = { kind: 'answer', status, headers, text };
    const answer = await http.request({ method: path.endsWith('batch') ? 'POST' : 'GET', origin, path });
    all.push(answer.kind === 'answer' ? answer.status : answer.kind === 'failure' ? answer.reason : answer.kind);
  }
  return all;
}

const nobody = 'there is no Package Insights Service at https://insights.example/wrong';

test('the texts of the service for unknown packages are accepted', async () => {
  for (const text of ['package not found', 'version not found\n', 'requirements not found', 'system not found']) {
    assert.deepEqual(await judged([404, text]), [404], text);
  }
  assert.deepEqual(await judged([404, 'package not kept: only what was asked before is answered here']), [404]);
  assert.deepEqual(await judged([404, '{"code":5,"message":"package not found"}']), [404]);
});

test('any other 404 does not come from the service', async () => {
  for (const text of [
    '',
    'page not found',
    '404 page not found\n',
    'Not Found',
    'default backend - 404',
    '<html><title>404 Not Found</title></html>',
    `Cannot GET ${list}`,
    `{"status":404,"error":"Not Found","path":"${list}"}`,
    `{"path":"${list}","message":"package ${list} not found"}`,
    `${'package '.repeat(100_000)}/ not found`,
  ]) {
    assert.deepEqual(await judged([404, text]), [nobody], text.slice(0, 100));
  }
  assert.deepEqual(await judged([405, 'Method Not Allowed']), [nobody]);
});

const open = { 'access-control-allow-origin': '*' };

test('one good answer does not make everybody else the service', async () => {
  for (const text of [
    'Not Found',
    '404 page not found\n',
    'default backend - 404',
    '',
    'API version not found',
    '{}',
  ]) {
    assert.deepEqual(await judged({ read: {} }, [404, text]), [nobody], text);
    assert.deepEqual(await judged({ read: open }, [404, text]), [nobody], text);
    assert.deepEqual(
      await judged({ read: { server: 'nginx' } }, [404, text, list, { server: 'nginx' }]),
      [nobody],
      text,
    );
    assert.deepEqual(await judged([404, 'package not found'], [404, text, list, open]), [404, nobody], text);
  }
});

test('a service that was found by its headers may have other words for what it does not know, but no page', async () => {
  const [known, gateway] = [
    { ...open, server: 'a' },
    { ...open, server: 'b' },
  ];
  assert.deepEqual(await judged([404, 'nope', list, known], { read: known }, [404, 'nope', list, known]), [
    nobody,
    404,
  ]);
  assert.deepEqual(await judged({ read: known }, [404, 'nope', list, gateway], [404, '<p>', list, known]), [
    nobody,
    nobody,
  ]);
});

test('a batch reports unknown packages in its answer, so a 404 to one does not come from the service', async () => {
  for (const path of ['/wrong/v3alpha/versionbatch', '/wrong/v3alpha/purlbatch']) {
    assert.deepEqual(await judged({ read: open }, [404, 'package not found', path, open]), [nobody]);
  }
});

test('an instance without advisories says so as it likes, and is not known by that', async () => {
  const advisory = '/wrong/v3alpha/advisories/GHSA-1';
  assert.deepEqual(await judged([404, '<html>', advisory], [404, '']), [404, nobody]);
});

test('a gateway that blocks every request is not the service, but a single answer may be blocked', async () => {
  const barred = 'the service answered with status 403';
  assert.deepEqual(await judged([403, '<html>'], [401, '']), [barred, 'the service answered with status 401']);
  assert.deepEqual(await judged([200, '{}'], { read: {} }, [403, '<html>']), [200, 403]);
});

test('a page or a redirect comes from a network to sign in to', async () => {
  const page = 'received a web page instead of an answer; the network may require signing in';
  assert.deepEqual(await judged([200, ' <!doctype html>'], [200, '{}'], { read: {} }, [200, '<html>']), [
    page,
    200,
    page,
  ]);
  assert.deepEqual(await judged([302, 'https://login.example/?to=x'], [302, '/x'], [302, 'javascript:alert(1)']), [
    'the service redirects to https://login.example',
    'the service redirects',
    'the service redirects',
  ]);
});

test('at a wrong address nothing is unknown, and after a few questions nothing is asked', async () => {
  const { insights, server, clock } = await setUp(status(404, 'Not Found'));
  const packages = Array.from({ length: 300 }, (_, at) => ({ system: 'NPM', name: `p${at}` }) as const);
  insights.request('a', [wanted('x'), ...packages.map((key) => ({ kind: 'package', key }) as const)]);
  await clock.pass(2000);
  await clock.advance(60_000);
  await insights.whenSettled('a', 1000);
  const reason = `there is no Package Insights Service at ${server.url}`;
  const version = insights.version(npm('x', '1.0.0'));
  assert.equal(version.state === 'failed' && version.reason, reason);
  const reasons = packages.map((it) => insights.package(it)).map((it) => it.state === 'failed' && it.reason);
  assert.deepEqual(new Set(reasons), new Set([reason]));
  assert.ok(server.arrived.length < 100, `${server.arrived.length} requests`);
});

test('behind a gateway that loses its service nothing is unknown, and all is known again when it is back', async () => {
  const key = { system: 'NPM', name: 'y' } as const;
  const { insights, server, clock } = await setUp(status(404, 'Not Found'));
  // The service answers once, and its gateway from then on.
  server.script(batch());
  insights.request('a', [wanted('x')]);
  await insights.whenSettled('a', 1000);
  insights.request('a', [{ kind: 'package', key }]);
  await clock.pass(400);
  await clock.pass(800);
  await insights.whenSettled('a', 1000);
  assert.equal(insights.package(key).state, 'failed');
  server.answer((request, response) =>
    (request.path.endsWith('batch') ? batch() : status(404, 'package not found'))(request, response),
  );
  insights.request('b', [wanted('z')]);
  await until(() => insights.package(key).state === 'unknown');
});

test('the address of an answer, up to its version of the interface, is one of a service', () => {
  for (const path of ['', '/', '/v3alpha', '/v3alpha/']) {
    assert.deepEqual(readAddress(`https://insights.example/x${path}`), { origin, prefix: '/x' });
  }
});

test('a list that is malformed is still told as what it is', async () => {
  const { insights } = await setUp(json({ packageKey: 1 }));
  const key = { system: 'NPM', name: 'y' } as const;
  insights.request('a', [{ kind: 'package', key }]);
  await insights.whenSettled('a', 1000);
  assert.match(JSON.stringify(insights.package(key)), /packageKey is not an object/);
});

test('a stranger that answers everything with some object is not taken for the service', async () => {
  const { insights, server, clock } = await setUp(json({ status: 'ok' }));
  const key = { system: 'NPM', name: 'y' } as const;
  insights.request('a', [{ kind: 'package', key }, wanted('x')]);
  await insights.whenSettled('a', 1000);
  const reasonOf = (it: { readonly state: string; readonly reason?: string }) => [it.state, it.reason];
  assert.deepEqual(reasonOf(insights.package(key)), ['failed', 'packageKey is missing']);
  assert.deepEqual(reasonOf(insights.version(npm('x', '1.0.0'))), [
    'failed',
    'the answer has none of responses, nextPageToken',
  ]);
  const hash = { type: 'SHA1', digest: new Uint8Array(20) } as const;
  assert.deepEqual(await insights.lookups.query({ hash }), {
    kind: 'failed',
    reason: 'the answer has none of results',
  });
  // Nor what it does not know for something that the service does not.
  server.answer(status(404, 'Not Found'));
  insights.request('b', [{ kind: 'package', key: { ...key, name: 'z' } }]);
  await clock.pass(400);
  await clock.pass(800);
  await insights.whenSettled('b', 1000);
  assert.equal(insights.package({ ...key, name: 'z' }).state, 'failed');
});

test('an instance may leave out what is empty, and with it everything', async () => {
  const { insights } = await setUp(json({}));
  const hash = { type: 'SHA1', digest: new Uint8Array(20) } as const;
  assert.deepEqual(await insights.lookups.query({ hash }), { kind: 'found', value: [] });
});
