import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { alone } from '../../../server/src/service/mirror/coordination.ts';
import type { MirrorEvent } from '../../../server/src/service/mirror/events.ts';
import { createMirror } from '../../../server/src/service/mirror/mirror.ts';
import { createUpstream, InvalidUpstream, lifetimes } from '../../../server/src/service/mirror/upstream.ts';
import type { Answer, Source } from '../../../server/src/service/source.ts';
import { createMemoryStore } from '../../../server/src/service/store/memory-store.ts';
import type { Store } from '../../../server/src/service/store/store.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';
import { type Act, json, type ScriptedServer, scriptedServer, stall, status } from '../../harness/scripted-server.ts';

/* What a mirror asks its upstream service, keeps of it, and answers when that is in trouble. */

const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

const key = (name: string, version = '1.0.0'): VersionKey => ({ system: 'NPM', name, version });
const one = key('one');

interface Setup {
  readonly mirror: Source;
  readonly store: Store;
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly events: readonly MirrorEvent[];
}

async function mirrorOf(act: Act, given: { readonly store?: Store; readonly budget?: number } = {}): Promise<Setup> {
  const server = await scriptedServer(act);
  const clock = fakeClock();
  const { store = createMemoryStore(), budget } = given;
  const http = createHttp({ clock, userAgent: 'test' });
  const events: MirrorEvent[] = [];
  const common = { clock, coordination: alone(clock.now, budget), observe: (it: MirrorEvent) => void events.push(it) };
  const upstream = createUpstream({ baseUrl: server.url, http, random: () => 0, ...common });
  closing.push(() => http.close(), server.close);
  return { mirror: createMirror({ store, upstream, ...common }), store, server, clock, events };
}

/** A service that has one version of each package but `none`, until it is told otherwise. */
const serving: (headers?: Readonly<Record<string, string>>) => Act =
  (headers = { 'cache-control': 'public, max-age=100' }) =>
  (request, response) => {
    if (request.method === 'GET') {
      const name = decodeURIComponent(/packages\/([^/:]*)/.exec(request.path)?.[1] ?? '');
      if (name === 'none') return status(404, 'package not found')(request, response);
      return json({ packageKey: { system: 'NPM', name }, purl: '', versions: [] }, headers)(request, response);
    }
    const { requests } = JSON.parse(request.body) as { requests: { versionKey: VersionKey }[] };
    const responses = requests.map(({ versionKey }) => ({
      request: { versionKey },
      ...(versionKey.name !== 'none' && { version: { versionKey, purl: 'p', later: ['a field of a later version'] } }),
    }));
    return json({ responses, nextPageToken: '' }, headers)(request, response);
  };

function found(answer: Answer<object>): Record<string, unknown> {
  assert.equal(answer.kind, 'found', JSON.stringify(answer));
  return answer.kind === 'found' ? { ...answer.body } : {};
}

const how = (answer: Answer<object>) => ('freshness' in answer ? answer.freshness?.found : answer.kind);

test('an invalid address starts nothing', () => {
  for (const baseUrl of ['', 'insights.example', 'ftp://insights.example', 'https:insights.example']) {
    const options = { baseUrl, http: { request: stallForever }, clock: fakeClock(), random: Math.random };
    const more = { coordination: alone(() => 0), observe: () => {} };
    assert.throws(() => createUpstream({ ...options, ...more }), InvalidUpstream, baseUrl);
  }
});

const stallForever = () => new Promise<never>(() => {});

test('an answer is asked once, kept as it came, and asked again when it is stale', async () => {
  const { mirror, server, clock } = await mirrorOf(serving());
  const first = await mirror.version(one);
  assert.deepEqual(found(first)['later'], ['a field of a later version']);
  assert.deepEqual('freshness' in first && first.freshness, { age: 0, lifetime: 100, found: 'asked' });
  await clock.advance(99_000);
  const second = await mirror.version(one);
  assert.deepEqual('freshness' in second && second.freshness, { age: 99, lifetime: 100, found: 'kept' });
  assert.equal(server.arrived.length, 1);
  await clock.advance(2_000);
  assert.equal(how(await mirror.version(one)), 'asked again');
  assert.equal(server.arrived.length, 2);
});

test('the time that a cache on the way has kept an answer counts', async () => {
  const { mirror, clock } = await mirrorOf(serving({ 'cache-control': 'max-age=100', age: '60' }));
  await mirror.version(one);
  await clock.advance(41_000);
  assert.equal(how(await mirror.version(one)), 'asked again');
});

test('a version is kept for an hour at most, a list for as long as its service allows', async () => {
  const { mirror, clock } = await mirrorOf(serving({ 'cache-control': 'max-age=86400' }));
  await mirror.version(one);
  await mirror.package(one);
  await clock.advance(3_601_000);
  assert.equal(how(await mirror.version(one)), 'asked again');
  assert.equal(how(await mirror.package(one)), 'kept');
});

test('however many ask, one question is sent, and many are sent together', async () => {
  const { mirror, server, events } = await mirrorOf(serving());
  const names = Array.from({ length: 250 }, (_, it) => `p${it}`);
  await Promise.all([...names, ...names, ...names].map((it) => mirror.version(key(it))));
  const sizes = server.arrived.map((it) => (JSON.parse(it.body) as { requests: unknown[] }).requests.length);
  assert.deepEqual(
    sizes.sort((a, b) => a - b),
    [50, 100, 100],
  );
  assert.equal(events.filter((it) => it.kind === 'joined').length, 500);
});

test('what is unknown is kept as unknown for a shorter time', async () => {
  const { mirror, server, clock } = await mirrorOf(serving());
  for (const ask of [() => mirror.version(key('none')), () => mirror.package(key('none'))]) {
    const before = server.arrived.length;
    assert.equal((await ask()).kind, 'unknown');
    await clock.advance(lifetimes.unknown - 1000);
    assert.equal((await ask()).kind, 'unknown');
    assert.equal(server.arrived.length, before + 1);
    await clock.advance(2000);
    await ask();
    assert.equal(server.arrived.length, before + 2);
  }
});

test('errors are never kept, and never answered as unknown', async () => {
  const { mirror, store, server, clock } = await mirrorOf(status(404, 'no such page'));
  for (const act of [
    status(404, '<html>no such page</html>'),
    status(400, 'what?'),
    json({ responses: [] }),
    json([]),
    json({ responses: [{ request: { versionKey: one }, version: { versionKey: key('other') } }], nextPageToken: '' }),
    json({ responses: [{ request: { versionKey: one }, version: { versionKey: one, licenses: 7 } }] }),
    json({ responses: [{ request: { versionKey: one }, notKept: true }], nextPageToken: '' }),
    ((_, response) => void response.end('{"responses":[')) satisfies Act,
    ((_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)))) satisfies Act,
  ]) {
    server.answer(act);
    const answer = await mirror.version(one);
    assert.equal(answer.kind, 'unavailable', JSON.stringify(answer));
    assert.deepEqual(await store.read([{ kind: 'version', key: one }]), [undefined]);
    await clock.advance(120_000);
  }
  server.answer(serving());
  assert.equal((await mirror.version(one)).kind, 'found');
});

test('a bad row never replaces what is kept by *unknown*', async () => {
  const { mirror, store, server, clock } = await mirrorOf(serving());
  await mirror.version(one);
  for (const row of [
    {},
    { request: {} },
    { request: { versionKey: { system: 'RUBYGEMS' } }, version: {} },
    { version: [] },
  ]) {
    await clock.advance(200_000);
    server.answer(json({ responses: [row], nextPageToken: '' }));
    const answer = await mirror.version(one);
    assert.deepEqual([found(answer)['purl'], how(answer)], ['p', 'kept, not to be had again'], JSON.stringify(row));
    assert.ok((await store.read([{ kind: 'version', key: one }]))[0]?.body, JSON.stringify(row));
  }
  await clock.advance(200_000);
  server.answer(json({ responses: [{ request: { versionKey: one } }], nextPageToken: '' }));
  assert.equal((await mirror.version(one)).kind, 'unknown');
});

test('an upstream service without a method leaves what is kept of its facts', async () => {
  const store = createMemoryStore();
  const answer = (body: object) => ({ body: JSON.stringify(body), asOf: 0, lifetime: 1 });
  const id = 'code.example/a/b';
  await store.write([
    {
      fact: { kind: 'advisory', id: 'MAL-1' },
      answer: answer({ advisoryKey: { id: 'MAL-1' }, title: 'of the import' }),
    },
    { fact: { kind: 'project', id }, answer: answer({ projectKey: { id } }) },
    { fact: { kind: 'similar', key: { system: 'NPM', name: 'a' } }, answer: answer({ packages: [] }) },
  ]);
  const { mirror, server, clock } = await mirrorOf(status(404, '<html>no such page</html>'), { store });
  await clock.advance(10);
  const ask = () => [mirror.advisory('MAL-1'), mirror.project?.(id), mirror.similar?.({ system: 'NPM', name: 'a' })];
  for (const it of await Promise.all(ask())) assert.equal(it?.kind, 'found', JSON.stringify(it));
  assert.equal(server.arrived.length, 3);
  // It is not asked again at once.
  for (const it of await Promise.all(ask())) assert.equal(it?.kind, 'found');
  assert.equal(server.arrived.length, 3);
});

test('a match in a system that is not known costs only itself', async () => {
  const of = (system: string) => ({
    version: { versionKey: { ...one, system }, purl: 'p' },
    artifacts: [{ url: 'u' }],
  });
  const { mirror } = await mirrorOf(json({ results: [of('RUBYGEMS'), of('NPM')] }));
  const answer = await mirror.query({ hash: { type: 'SHA1', digest: 'ab'.repeat(20) } });
  assert.deepEqual(answer.kind === 'found' && answer.body.map((it) => it.artifacts), [['u']]);
});

test('one wrong version in a batch costs the others nothing', async () => {
  const versions = [one, key('two'), key('three')];
  const { mirror } = await mirrorOf((request, response) => {
    const responses = versions.map((versionKey) => ({
      request: { versionKey },
      version: { versionKey: versionKey.name === 'two' ? key('evil') : versionKey },
    }));
    return json({ responses, nextPageToken: '' })(request, response);
  });
  const answers = await Promise.all(versions.map((it) => mirror.version(it)));
  assert.deepEqual(
    answers.map((it) => it.kind),
    ['found', 'unavailable', 'found'],
  );
});

test('while the upstream service is down or slow, stale answers are given and marked', async () => {
  const { mirror, server, clock } = await mirrorOf(serving());
  await mirror.version(one);
  await clock.advance(200_000);
  server.answer(status(400, 'broken'));
  const stale = await mirror.version(one);
  assert.deepEqual('freshness' in stale && stale.freshness, {
    age: 200,
    lifetime: 100,
    found: 'kept, not to be had again',
  });
  assert.equal(found(stale)['purl'], 'p');
  server.answer(stall);
  const before = server.arrived.length;
  const waiting = mirror.version(one);
  await server.reached(before + 1);
  await clock.advance(1_001);
  assert.equal(how(await waiting), 'kept, not to be had again');
});

test('a wait that the upstream service requests is kept, and passed on', async () => {
  const { mirror, server, clock } = await mirrorOf(status(429, 'slow down', { 'retry-after': '60' }));
  for (let asked = 0; asked < 50; asked++) {
    const answer = await mirror.version(key(`p${asked}`));
    assert.equal(answer.kind, 'unavailable');
    assert.ok(answer.kind === 'unavailable' && answer.retryAfter > 50 && answer.retryAfter <= 60);
  }
  assert.equal(server.arrived.length, 1);
  server.answer(serving());
  await clock.advance(61_000);
  assert.equal((await mirror.version(one)).kind, 'found');
});

test('the budget of upstream requests is kept', async () => {
  const { mirror, server, clock } = await mirrorOf(serving(), { budget: 2 });
  for (const name of ['a', 'b', 'c', 'd']) await mirror.package(key(name));
  assert.equal(server.arrived.length, 2);
  await clock.advance(60_000);
  assert.equal((await mirror.package(key('c'))).kind, 'found');
});

test('nothing is asked about what can be no name', async () => {
  const { mirror, server } = await mirrorOf(serving());
  for (const name of ['a\0b', 'x'.repeat(10_000), '\ud800', '']) {
    assert.equal((await mirror.version(key(name))).kind, 'unknown');
    assert.equal((await mirror.version(key('a', name))).kind, 'unknown');
    assert.equal((await mirror.package(key(name))).kind, 'unknown');
    assert.equal((await mirror.requirements(key(name))).kind, 'unknown');
    assert.equal((await mirror.advisory(name)).kind, 'unknown');
  }
  assert.equal(server.arrived.length, 0);
});

test('a store that fails makes no answer unknown, and advisories that cannot be read leave none out', async () => {
  const store = createMemoryStore();
  const { mirror, server } = await mirrorOf(serving(), {
    store: { ...store, affecting: () => Promise.reject(new Error('gone')) },
  });
  assert.equal((await mirror.version(one)).kind, 'unavailable');
  const gone = await mirrorOf(serving(), { store: { ...store, read: () => Promise.reject(new Error('gone')) } });
  assert.equal((await gone.mirror.package(one)).kind, 'unavailable');
  assert.equal(gone.server.arrived.length, 0);
  // What cannot be written is still an answer.
  const full = await mirrorOf(serving(), {
    store: { ...createMemoryStore(), write: () => Promise.reject(new Error()) },
  });
  assert.equal((await full.mirror.package(one)).kind, 'found');
  assert.ok(server.arrived.length <= 1);
});

test('imported advisories are added to those of the upstream service', async () => {
  const store = createMemoryStore();
  const affected = [
    { system: 'NPM', name: 'one', ranges: [{ introduced: '0', fixed: '1.5.0' }], versions: [] } as const,
  ];
  const advisories = [{ id: 'GHSA-1', modified: 1, affected }];
  await store.importPart({ id: 'x', from: 0, to: 1, answers: [], advisories });
  const { mirror } = await mirrorOf(serving(), { store });
  assert.deepEqual(found(await mirror.version(one))['advisoryKeys'], [{ id: 'GHSA-1' }]);
  assert.equal(found(await mirror.version(key('one', '1.5.0')))['advisoryKeys'], undefined);
});

test('an imported advisory counts for a version that the upstream service does not know, or is not there to answer for', async () => {
  const store = createMemoryStore();
  const affected = [{ system: 'NPM', name: 'none', ranges: [], versions: ['1.0.0'] } as const];
  const advisories = [{ id: 'MAL-1', modified: 1, affected }];
  await store.importPart({ id: 'x', from: 0, to: 1, answers: [], advisories });
  const { mirror, server, clock } = await mirrorOf(serving(), { store });
  const unknown = await mirror.version(key('none'));
  assert.deepEqual([found(unknown)['advisoryKeys'], how(unknown)], [[{ id: 'MAL-1' }], 'asked']);
  assert.equal((await mirror.version(key('none', '2.0.0'))).kind, 'unknown');
  // Nothing is kept of it: the record is, and may be withdrawn.
  assert.equal((await store.read([{ kind: 'version', key: key('none') }]))[0]?.body, undefined);
  await clock.advance(lifetimes.unknown + 1);
  server.answer(status(400, 'broken'));
  const kept = await mirror.version(key('none'));
  assert.deepEqual([found(kept)['advisoryKeys'], how(kept)], [[{ id: 'MAL-1' }], 'kept, not to be had again']);

  const alone_ = createMemoryStore();
  await alone_.importPart({ id: 'x', from: 0, to: 1, answers: [], advisories });
  const down = await mirrorOf(status(400, 'broken'), { store: alone_ });
  const first = await down.mirror.version(key('none'));
  // Clients ask again at once: what the upstream service knows besides is missing.
  assert.deepEqual(
    [found(first)['advisoryKeys'], 'freshness' in first && first.freshness?.lifetime],
    [[{ id: 'MAL-1' }], 0],
  );
  assert.equal((await down.mirror.version(key('none', '2.0.0'))).kind, 'unavailable');
  const excerpt = createMirror({
    store: alone_,
    clock,
    coordination: alone(clock.now),
    observe: () => {},
    isExcerpt: true,
  });
  assert.deepEqual(found(await excerpt.version(key('none')))['advisoryKeys'], [{ id: 'MAL-1' }]);
  assert.equal((await excerpt.version(key('none', '2.0.0'))).kind, 'not kept');
});

test('without its upstream service, a store that was filled from it answers that the rest was never kept', async () => {
  const store = createMemoryStore();
  const { mirror } = await mirrorOf(serving(), { store });
  await mirror.version(one);
  await mirror.version(key('none'));
  const clock = fakeClock();
  const alone_ = { store, clock, coordination: alone(clock.now), observe: () => {} };
  const behindTheGap = createMirror({ ...alone_, isExcerpt: true });
  assert.equal((await behindTheGap.version(one)).kind, 'found');
  assert.equal((await behindTheGap.version(key('none'))).kind, 'unknown');
  assert.equal((await behindTheGap.version(key('never'))).kind, 'not kept');
  assert.equal((await createMirror(alone_).version(key('never'))).kind, 'unknown');
  // Versions without a list of them are a list that may lack some.
  const { versions, versionsComplete } = found(await behindTheGap.package(one));
  assert.deepEqual(
    [versionsComplete, versions],
    [false, [{ versionKey: one, purl: 'p', isDefault: false, isDeprecated: false }]],
  );
});
