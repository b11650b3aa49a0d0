import assert from 'node:assert/strict';
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { CacheEntry } from '../../server/src/engine/facts/cache/cache.ts';
import { createMemoryCache } from '../../server/src/engine/facts/cache/cache.ts';
import { cachedServices } from '../../server/src/engine/facts/cache/cached-services.ts';
import { createInsights } from '../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { Insight, VersionFacts } from '../../server/src/engine/model/facts.ts';
import type { VersionKey } from '../../server/src/engine/model/keys.ts';
import { formatPurl } from '../../server/src/engine/model/purl.ts';
import { systems } from '../../server/src/engine/model/system.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { cachedSource } from '../../server/src/service/cached-source.ts';
import { loadCatalog } from '../../server/src/service/catalog/load.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { makeInsights } from '../harness/insights.ts';
import { catalogDirectory, startService } from '../harness/service.ts';

/*
 * What was looked up of one service is served by another, which has nothing but the answers that were kept.
 */
const catalog = await loadCatalog(catalogDirectory);

/** Five packages of each system and what is known of their versions, kept by the client as it does. */
const records = systems.flatMap((system) => catalog.records.filter((it) => it.system === system).slice(0, 5));
const packages = records.flatMap((it) => catalog.package(it) ?? []);
const versions = packages.flatMap((it) => it.versions.slice(-12));
const advisories = [...new Set(versions.flatMap((it) => it.advisories))];
const hashes = versions.flatMap(({ fields }) => Object.entries(fields.hashes ?? {})).slice(0, 20);

const first = await startService(catalog);
const entries = await lookUpAll(first.url);
await first.close();
const again = await startService(catalog);
const [kept] = cachedServices(entries);
assert.ok(kept);
const served = await serveHttp({
  source: cachedSource(kept),
  pageSize: 7,
  ownHost: { names: ['team.example'] },
  isPrivate: true,
});
const inside = makeInsights(readSettings({ baseUrl: served.url }));
test.after(async () => {
  await inside.close();
  await served.close();
  await again.close();
});

async function lookUpAll(baseUrl: string): Promise<(readonly [string, CacheEntry])[]> {
  const clock = fakeClock();
  const entries = new Map<string, CacheEntry>();
  const front = createMemoryCache();
  const http = createHttp({ clock, userAgent: 'test' });
  const insights = createInsights({
    settings: () => ({ baseUrl, batchSize: 100, parallelBatches: 8 }),
    http,
    clock,
    cache: {
      ...front,
      set(all) {
        front.set(all);
        for (const [id, cached] of all) entries.set(id, cached);
      },
    },
  });
  insights.request('test', [
    ...packages.map(({ key }) => ({ kind: 'package', key }) as const),
    ...versions.map(({ key }) => ({ kind: 'version', key }) as const),
    ...advisories.map((id) => ({ kind: 'advisory', id }) as const),
    { kind: 'version', key: { system: 'NPM', name: 'no-such-package', version: '1.0.0' } },
    { kind: 'package', key: { system: 'NPM', name: 'no-such-package' } },
  ]);
  const settled = insights.whenSettled('test', 1e9);
  for (const { key } of versions) await insights.lookups.requirements(key);
  for (const [type, digest] of hashes) {
    await insights.lookups.query({ hash: { type: type as 'SHA1', digest: Buffer.from(digest, 'hex') } });
  }
  await settled;
  await insights.close();
  await http.close();
  return [...entries];
}

interface Got {
  readonly status: number;
  readonly body: unknown;
}

async function ask(url: string, path: string, body?: object): Promise<Got> {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${url}/v3alpha${path}`, init);
  const text = await response.text();
  return { status: response.status, body: response.ok ? JSON.parse(text) : text };
}

/** Both services say the same. */
async function same(path: string, body?: object): Promise<Got> {
  const answer = await ask(served.url, path, body);
  assert.deepEqual(answer, await ask(again.url, path, body), path);
  return answer;
}

const at = ({ system, name, version }: VersionKey): string =>
  `/systems/${system}/packages/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;

test('packages, versions and advisories are answered as they were, to the letter', async () => {
  assert.ok(versions.length > 100 && advisories.length > 10, `${versions.length}, ${advisories.length}`);
  for (const { key } of packages) {
    await same(`/systems/${key.system}/packages/${encodeURIComponent(key.name)}`);
    await same(`/purl/${encodeURIComponent(formatPurl(key))}`);
  }
  for (const { key } of versions) {
    await same(at(key));
    await same(`/purl/${encodeURIComponent(formatPurl(key, key.version))}`);
  }
  for (const id of advisories) await same(`/advisories/${id}`);
});

test('batches are answered in pages, with what was unknown left out', async () => {
  const keys = [...versions.map((it) => it.key), { system: 'NPM', name: 'no-such-package', version: '1.0.0' }];
  const whole = await ask(again.url, '/versionbatch', { requests: keys.slice(-9).map((it) => ({ versionKey: it })) });
  const body = { requests: keys.slice(-9).map((it) => ({ versionKey: it })) };
  const one = (await ask(served.url, '/versionbatch', body)).body as Page;
  assert.equal(one.responses.length, 7);
  const two = (await ask(served.url, '/versionbatch', { ...body, pageToken: one.nextPageToken })).body as Page;
  assert.deepEqual([...one.responses, ...two.responses], (whole.body as Page).responses);
  assert.equal(two.nextPageToken, '');
  await same('/purlbatch', {
    requests: versions.slice(0, 5).map(({ key }) => ({ purl: formatPurl(key, key.version) })),
  });
});

interface Page {
  readonly responses: readonly object[];
  readonly nextPageToken: string;
}

test('requirements are answered where they were asked for', async () => {
  const found = { NPM: 0, MAVEN: 0, NUGET: 0 };
  for (const { key } of versions) {
    const { status, body } = await ask(served.url, `${at(key)}:requirements`);
    const expected = await ask(again.url, `${at(key)}:requirements`);
    assert.equal(status, expected.status);
    if (status === 200) {
      assert.deepEqual(requirementsOf(body), requirementsOf(expected.body), at(key));
      found[key.system as 'NPM']++;
    }
  }
  assert.ok(found.NPM > 0 && found.MAVEN > 0 && found.NUGET > 0, JSON.stringify(found));
});

/** Without what the client does not read. */
function requirementsOf(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'repositories' ? undefined : value));
}

test('a file is told by its digest, as it was', async () => {
  assert.ok(hashes.length > 0);
  for (const [type, digest] of hashes) {
    const value = encodeURIComponent(Buffer.from(digest, 'hex').toString('base64'));
    const { body } = await same(`/query?hash.type=${type}&hash.value=${value}`);
    assert.ok((body as { results: readonly unknown[] }).results.length > 0);
  }
});

test('what was unknown is so, in the words of the service', async () => {
  assert.deepEqual(await same('/systems/NPM/packages/no-such-package'), { status: 404, body: 'package not found' });
  assert.deepEqual(await same('/systems/NPM/packages/no-such-package/versions/1.0.0'), {
    status: 404,
    body: 'package not found',
  });
  assert.deepEqual((await same('/purl/pkg%3Anpm%2Fno-such-package%401.0.0')).status, 404);
});

test('an incomplete list is marked as incomplete when it is served again, and versions alone are no list', async () => {
  const samples = packages.filter((it) => !it.isWhole);
  assert.ok(samples.length > 0 && samples.length < packages.length, `${samples.length} of ${packages.length}`);
  for (const { key, isWhole } of packages) {
    const { body } = await ask(served.url, `/systems/${key.system}/packages/${encodeURIComponent(key.name)}`);
    assert.equal('versionsComplete' in (body as object), !isWhole, key.name);
  }
  const without = entries.filter(([id]) => !/\bpackage [A-Z]+ /.test(id));
  const [versionsAlone] = cachedServices(without);
  assert.ok(versionsAlone);
  const { key } = packages[0] ?? { key: never };
  assert.deepEqual(cachedSource(versionsAlone).package(key), { kind: 'not kept' });
});

test('a version whose vulnerabilities were not known is not served as one without any', () => {
  const at = entries.findIndex(([id]) => / version NPM /.test(id));
  const [id = '', entry] = entries[at] ?? [];
  assert.ok(entry);
  const value = { ...(entry.value as VersionFacts), advisories: [], areAdvisoriesUnknown: true as const };
  const [unchecked] = cachedServices([[id, { ...entry, value }]]);
  const answer = unchecked && cachedSource(unchecked).version(value.key);
  assert.ok(answer && 'kind' in answer && answer.kind === 'found');
  assert.partialDeepStrictEqual(answer.body, { advisoriesComplete: false });
  assert.equal('advisoryKeys' in answer.body, false);
});

const never = { system: 'NPM', name: 'never-heard-of' } as const;

test('what was never asked is not said to be unknown', async () => {
  const { key } = packages[0] ?? { key: never };
  for (const [path, what] of [
    ['/systems/NPM/packages/never-heard-of', 'package'],
    ['/systems/NPM/packages/never-heard-of/versions/1.0.0', 'version'],
    ['/systems/NPM/packages/never-heard-of/versions/1.0.0:requirements', 'requirements'],
    [at({ ...key, version: '99.0.0' }), 'version'],
    ['/purl/pkg%3Anpm%2Fnever-heard-of', 'package'],
    ['/advisories/GHSA-none', 'advisory'],
    ['/query?hash.type=SHA1&hash.value=AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D', 'file'],
    ['/query?versionKey.system=NPM&versionKey.name=never-heard-of&versionKey.version=1.0.0', 'version'],
  ] as const) {
    const body = `${what} not kept: only what was asked before is answered here`;
    assert.deepEqual(await ask(served.url, path), { status: 404, body }, path);
  }
  // Another client passes the field over, and takes it for not found.
  const batch = await ask(served.url, '/versionbatch', { requests: [{ versionKey: { ...never, version: '1.0.0' } }] });
  assert.deepEqual(batch.body, {
    responses: [{ request: { versionKey: { ...never, version: '1.0.0' } }, notKept: true }],
    nextPageToken: '',
  });
});

test('the client tells what is not kept from what is unknown', async () => {
  const noSuch = { system: 'NPM', name: 'no-such-package', version: '1.0.0' } as const;
  const neverAsked = { ...never, version: '1.0.0' };
  inside.request('test', [
    { kind: 'package', key: never },
    { kind: 'package', key: noSuch },
    { kind: 'version', key: neverAsked },
    { kind: 'version', key: noSuch },
    { kind: 'advisory', id: 'GHSA-none' },
  ]);
  await inside.whenSettled('test', 10_000);
  const reason = 'the service has no cached answer for this';
  const told = (it: Insight<unknown>) => (it.state === 'failed' ? it.reason : it.state);
  assert.deepEqual([inside.package(never), inside.version(neverAsked), inside.advisory('GHSA-none')].map(told), [
    reason,
    reason,
    reason,
  ]);
  assert.deepEqual([inside.package(noSuch), inside.version(noSuch)].map(told), ['unknown', 'unknown']);
  const file = { hash: { type: 'SHA1', digest: Buffer.alloc(20) } } as const;
  assert.deepEqual(await inside.lookups.query(file), { kind: 'failed', reason });
  assert.deepEqual(await inside.lookups.purl({ key: never }), { kind: 'failed', reason });
});

/** The status under a `Host` of somebody's choice, and what a page of another origin may know of it. */
function underHost(url: string, host: string): Promise<readonly unknown[]> {
  const { system, name } = packages[0]?.key ?? assert.fail();
  const path = `/v3alpha/systems/${system}/packages/${encodeURIComponent(name)}`;
  return new Promise((resolve, reject) => {
    get(url + path, { headers: { host, origin: 'https://evil.example' } }, (response) => {
      const { 'access-control-allow-origin': open, 'cache-control': cached } = response.headers;
      response.resume().on('end', () => resolve([response.statusCode, open, cached]));
    }).on('error', reject);
  });
}

test('kept answers are given under the own address alone, and to no page', async () => {
  const { url, port } = served;
  for (const own of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', `[::1]:${port}`, 'team.example:80']) {
    assert.deepEqual(await underHost(url, own), [200, undefined, 'private, max-age=3600'], own);
  }
  for (const other of [`evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.', '10.0.0.7', 'a@localhost']) {
    assert.deepEqual(await underHost(url, other), [421, undefined, undefined], other);
  }
});

test('a request with two hosts is refused, whichever of them comes first', async () => {
  const { port } = served;
  for (const hosts of [
    [`127.0.0.1:${port}`, 'evil.example'],
    ['evil.example', `127.0.0.1:${port}`],
    [`127.0.0.1:${port}`, `127.0.0.1:${port}`],
  ]) {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET /v3alpha/systems/NPM/packages/a HTTP/1.1\r\n${hosts.map((it) => `Host: ${it}\r\n`).join('')}\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 400 /, hosts.join());
  }
});

test('where kept answers are opened to a team, it may ask under any address of the machine, and its names', async () => {
  const open = await serveHttp({
    source: cachedSource(kept),
    host: '0.0.0.0',
    ownHost: { names: ['team.example'] },
    isPrivate: true,
  });
  const url = `http://127.0.0.1:${open.port}`;
  for (const own of ['10.0.0.7:80', 'team.example', 'localhost']) {
    assert.equal((await underHost(url, own))[0], 200, own);
  }
  assert.equal((await underHost(url, 'evil.example'))[0], 421);
  await open.close();
});

test('the public facts of a catalog are open to every page, under every name', async () => {
  const open = await startService(catalog);
  assert.deepEqual(await underHost(open.url, 'insights.example'), [200, '*', 'public, max-age=3600']);
  await open.close();
});
