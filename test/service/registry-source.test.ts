import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTeam } from '../../server/src/bin/team.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { PackageKey } from '../../server/src/engine/model/keys.ts';
import type { Access, RegistryProtocol } from '../../server/src/engine/model/registries/access.ts';
import type { System } from '../../server/src/engine/model/system.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { catalogDirectory } from '../harness/service.ts';
import { tarEntry } from '../tools/clients/archive.ts';

/* A service whose answers come from registries of all six protocols. */

const asked: string[] = [];
/** Packages of the catalog, more than are asked for at a time. */
const inCatalog = [
  'axios',
  'chalk',
  'colors',
  'debug',
  'express',
  'glob',
  'jquery',
  'minimist',
  'moment',
  'qs',
  'react',
];
const shasum = 'a1'.repeat(20);
/** By path; a function answers late or with a status. */
const files: Record<string, string | { readonly status: number } | { readonly after: number; readonly text: string }> =
  {
    '/npm/stranger': JSON.stringify({
      name: 'stranger',
      'dist-tags': { latest: '1.1.0' },
      time: { created: '2024-01-01T00:00:00Z', '1.0.0': '2024-01-02T03:04:05.678Z' },
      versions: {
        '1.0.0': {
          name: 'stranger',
          version: '1.0.0',
          license: 'MIT',
          deprecated: 'use 1.1',
          dependencies: { ms: '^2.0.0' },
          dist: { shasum },
        },
        '1.1.0': { name: 'stranger', version: '1.1.0', license: 'GPL-3.0-only' },
      },
    }),
    // A mirror's own times: the package has no time of its creation.
    '/npm/mirrored': JSON.stringify({
      name: 'mirrored',
      'dist-tags': { latest: '1.0.0' },
      time: { '1.0.0': '2024-01-02T03:04:05.678Z' },
      versions: { '1.0.0': { name: 'mirrored', version: '1.0.0' } },
    }),
    '/npm/lodash': JSON.stringify({
      name: 'lodash',
      'dist-tags': { latest: '4.17.99' },
      versions: {
        '4.17.15': { name: 'lodash', version: '4.17.15', license: 'MIT' },
        '4.17.21': { name: 'lodash', version: '4.17.21', license: 'MIT', deprecated: 'use the newest' },
        '4.17.99': { name: 'lodash', version: '4.17.99', license: 'MIT' },
      },
    }),
    '/npm/denied': { status: 403 },
    '/npm/mistaken': JSON.stringify({
      name: 'stranger',
      versions: { '1.0.0': { name: 'stranger', version: '1.0.0', license: 'MIT' } },
    }),
    '/second/denied': JSON.stringify({
      name: 'denied',
      versions: { '1.0.0': { name: 'denied', version: '1.0.0', license: 'MIT' } },
    }),
    '/npm/slow': { after: 7000, text: '{}' },
    ...Object.fromEntries(inCatalog.map((it) => [`/npm/${it}`, { after: 60_000, text: '{}' }])),
    '/simple/stranger/': JSON.stringify({
      meta: { 'api-version': '1.4' },
      name: 'stranger',
      'project-status': { status: 'archived', reason: 'use another' },
      versions: ['1.0', '1.1'],
      files: [
        {
          filename: 'stranger-1.0-py3-none-any.whl',
          url: 'stranger-1.0-py3-none-any.whl',
          hashes: {},
          yanked: 'broken',
        },
        { filename: 'stranger-1.1-py3-none-any.whl', url: 'stranger-1.1-py3-none-any.whl', hashes: {} },
      ],
    }),
    '/cargo/st/ra/stranger': `${JSON.stringify({ name: 'stranger', vers: '0.1.0', deps: [], cksum: '', features: {}, yanked: false })}\n`,
    '/go/example.com/stranger/@v/list': 'v1.0.0\nv1.1.0\n',
    '/go/example.com/stranger/@latest': JSON.stringify({ Version: 'v1.1.0', Time: '2024-01-02T03:04:05Z' }),
    '/go/example.com/stranger/@v/v1.0.0.info': JSON.stringify({ Version: 'v1.0.0', Time: '2024-01-01T03:04:05Z' }),
    '/maven/org/stranger/core/maven-metadata.xml':
      '<metadata><versioning><release>1.1</release><versions><version>1.0</version><version>1.1</version></versions></versioning></metadata>',
    '/maven/org/stranger/bom/1.0/bom-1.0.pom': `<project>
    <parent><groupId>org.stranger</groupId><artifactId>parent</artifactId><version>7</version></parent>
    <artifactId>bom</artifactId><properties><core.version>1.0</core.version></properties>
    <dependencyManagement><dependencies><dependency>
      <groupId>org.stranger</groupId><artifactId>core</artifactId><version>\${core.version}</version>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
    </dependency></dependencies></dependencyManagement>
  </project>`,
    '/maven/org/stranger/core/1.0/core-1.0.pom':
      '<project><groupId>org.stranger</groupId><artifactId>core</artifactId><version>1.0</version><licenses><license><name>MIT</name></license></licenses></project>',
  };
/** A file, of which a part is asked for. */
const crate = gzipSync(
  Buffer.concat([
    tarEntry('stranger-0.1.0/Cargo.toml', '[package]\nname = "stranger"\nlicense = "MIT/Apache-2.0"\n'),
    randomBytes(100_000),
  ]),
);
const registry = createServer(async ({ url = '', headers }, response) => {
  const path = decodeURIComponent(url);
  asked.push(path);
  if (path === '/dl/stranger/0.1.0/download') {
    const [, end] = /^bytes=0-(\d+)$/.exec(headers.range ?? '') ?? assert.fail('the whole file is asked for');
    return void response.writeHead(206).end(crate.subarray(0, Number(end) + 1));
  }
  const [, many] = /^\/npm\/(many-\d+)$/.exec(path) ?? [];
  const packument = { name: many, versions: { '1.0.0': { name: many, version: '1.0.0' } } };
  const file = many === undefined ? files[path] : JSON.stringify(packument);
  if (typeof file === 'object' && 'after' in file)
    await new Promise((resolve) => setTimeout(resolve, file.after).unref());
  if (file === undefined) return void response.writeHead(404).end();
  if (typeof file === 'object' && 'status' in file) return void response.writeHead(file.status).end();
  const type = path.startsWith('/simple') ? 'application/vnd.pypi.simple.v1+json' : 'application/json';
  response.writeHead(200, { 'content-type': type }).end(typeof file === 'string' ? file : file.text);
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

Object.assign(files, {
  '/cargo/config.json': JSON.stringify({ dl: `${base}/dl` }),
  '/nuget/index.json': JSON.stringify({
    version: '3.0.0',
    resources: [
      { '@id': `${base}/nuget/flat/`, '@type': 'PackageBaseAddress/3.0.0' },
      { '@id': `${base}/nuget/reg/`, '@type': 'RegistrationsBaseUrl/3.6.0' },
    ],
  }),
  '/nuget/reg/stranger.mistaken/index.json': JSON.stringify({
    items: [{ items: [{ catalogEntry: { id: 'Stranger.Core', version: '1.0.0', licenseExpression: 'MIT' } }] }],
  }),
  '/nuget/reg/stranger.core/index.json': JSON.stringify({
    items: [
      {
        '@id': `${base}/nuget/reg/stranger.core/index.json#page`,
        lower: '1.0.0',
        upper: '1.0.0',
        items: [{ catalogEntry: { id: 'Stranger.Core', version: '1.0.0', licenseExpression: 'MIT', listed: true } }],
      },
    ],
  }),
});

const protocols: Partial<Record<System, readonly [RegistryProtocol, string]>> = {
  NPM: ['npm', '/npm'],
  PYPI: ['simple-index', '/simple'],
  CARGO: ['sparse-index', '/cargo'],
  GO: ['go-proxy', '/go'],
  MAVEN: ['maven', '/maven'],
  NUGET: ['nuget', '/nuget/index.json'],
};
/** A system that no registry is known for at the moment. */
let without: System | undefined;

/** How a second registry is asked, where there is one: a public one behind a private one. */
let beside: Access['join'] | undefined;

function accessOf({ system }: PackageKey): Access | undefined {
  const [protocol, path] = protocols[system] ?? [];
  if (protocol === undefined || system === without) return undefined;
  const one = { protocol, address: base + path, from: 'test', namedBy: 'machine' } as const;
  const second = { ...one, address: `${base}/second` };
  return { join: beside ?? 'first', registries: beside === undefined ? [one] : [one, second] };
}
const http = createHttp({ clock: systemClock, userAgent: 'test' });
const team = await openTeam({
  store: undefined,
  registries: { catalog: catalogDirectory, accessOf, addresses: new Map([['NPM', [`${base}/npm`]]]) },
  version: '1.0.0',
  clock: systemClock,
  http,
  log: () => {},
});
const service = await serveHttp({ source: team.source });
/** Another service in front of it. */
const mirroring = await openTeam({
  store: undefined,
  upstream: service.url,
  version: '1.0.0',
  clock: systemClock,
  http,
  log: () => {},
});
const mirror = await serveHttp({ source: mirroring.source });
after(async () => {
  await mirror.close();
  await mirroring.close();
  await service.close();
  await team.close();
  await http.close();
  registry.close();
  registry.closeAllConnections();
});

/** The body as parsed, of any type. */
async function get(path: string) {
  const response = await fetch(`${service.url}/v3alpha${path}`);
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

interface Row {
  readonly versionKey: { readonly version: string };
}

const versionOf = (system: System, name: string, version: string) =>
  get(`/systems/${system}/packages/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`);

const strangers: readonly (readonly [System, string, string, object])[] = [
  ['NPM', 'stranger', '1.0.0', { licenses: ['MIT'], isDeprecated: true, deprecatedReason: 'use 1.1' }],
  [
    'PYPI',
    'stranger',
    '1.0',
    { deprecatedReason: 'broken', projectStatus: { status: 'archived', reason: 'use another' } },
  ],
  ['CARGO', 'stranger', '0.1.0', { isDeprecated: false, licenses: ['MIT OR Apache-2.0'] }],
  ['GO', 'example.com/stranger', 'v1.0.0', { publishedAt: '2024-01-01T03:04:05Z' }],
  ['MAVEN', 'org.stranger:core', '1.0', { licenses: ['MIT'] }],
  ['NUGET', 'Stranger.Core', '1.0.0', { licenses: ['MIT'] }],
];

for (const [system, name, version, facts] of strangers) {
  test(`${system}: versions and facts come from the registry, and its vulnerabilities are unknown`, async () => {
    const list = await get(`/systems/${system}/packages/${encodeURIComponent(name)}`);
    assert.equal(list.status, 200);
    assert.ok(list.body.versions.some((it: Row) => it.versionKey.version === version));
    const { body } = await versionOf(system, name, version);
    assert.partialDeepStrictEqual(body, { ...facts, advisoriesComplete: false });
    assert.equal('advisoryKeys' in body, false);
  });
}

test('Maven: what a published POM requires and manages comes as it is written', async () => {
  const { body } = await get(`/systems/MAVEN/packages/org.stranger%3Abom/versions/1.0:requirements`);
  assert.partialDeepStrictEqual(body.maven, {
    parent: { name: 'org.stranger:parent', version: '7' },
    dependencyManagement: [{ name: 'org.stranger:core', version: '${core.version}', exclusions: ['*:*'] }],
    properties: [{ name: 'core.version', value: '1.0' }],
  });
  assert.equal((await get(`/systems/MAVEN/packages/org.stranger%3Aother/versions/1.0:requirements`)).status, 404);
});

test('npm: what a version requires comes from its manifest, and what has none is unknown', async () => {
  const { body } = await get('/systems/NPM/packages/stranger/versions/1.0.0:requirements');
  assert.deepEqual(body.npm.dependencies.dependencies, [{ name: 'ms', requirement: '^2.0.0' }]);
  assert.equal((await get('/systems/PYPI/packages/stranger/versions/1.0:requirements')).status, 404);
});

test('a file leads to its version once that was looked up, and is not kept before', async () => {
  const query = (hex: string) =>
    get(`/query?hash.type=SHA1&hash.value=${encodeURIComponent(Buffer.from(hex, 'hex').toString('base64'))}`);
  await versionOf('NPM', 'stranger', '1.0.0');
  const { body } = await query(shasum);
  assert.partialDeepStrictEqual(body.results, [
    {
      version: { versionKey: { system: 'NPM', name: 'stranger', version: '1.0.0' }, advisoriesComplete: false },
      artifacts: [{ url: `${base}/npm/stranger/-/stranger-1.0.0.tgz` }],
    },
  ]);
  const other = await query('b2'.repeat(20));
  assert.equal(other.status, 404);
  assert.match(other.text, /not kept/);
});

test('a system without a registry is not kept, never unknown', async () => {
  without = 'NUGET';
  const { status, text } = await versionOf('NUGET', 'Stranger.Other', '1.0.0');
  without = undefined;
  assert.equal(status, 404);
  assert.match(text, /not kept/);
});

for (const join of ['first', 'all'] as const) {
  test(`no other registry answers for one that denies a package: ${join}`, async () => {
    beside = join;
    const { text } = await versionOf('NPM', 'denied', join === 'first' ? '1.0.0' : '1.0.1');
    beside = undefined;
    assert.match(text, /requires a credential/);
  });
}

test('no other registry is asked what a version requires of a package that the first one has', async () => {
  beside = 'first';
  await get('/systems/NPM/packages/stranger');
  const before = asked.length;
  const { status } = await get('/systems/NPM/packages/stranger/versions/9.0.0:requirements');
  beside = undefined;
  assert.equal(status, 404);
  assert.deepEqual(
    asked.slice(before).filter((it) => it.startsWith('/second')),
    [],
  );
});

test('what a registry says of another package is no answer', async () => {
  const { status, text } = await versionOf('NPM', 'mistaken', '1.0.0');
  assert.equal(status, 503);
  assert.match(text, /the answer is not about this package/);
  const list = await get('/systems/NPM/packages/mistaken');
  assert.match(list.text, /the answer is not about this package/);
  assert.equal((await versionOf('NUGET', 'Stranger.Mistaken', '1.0.0')).status, 404);
});

test('the times of a mirror are no dates of publication', async () => {
  assert.equal('publishedAt' in (await versionOf('NPM', 'mirrored', '1.0.0')).body, false);
  assert.equal((await versionOf('NPM', 'stranger', '1.0.0')).body.publishedAt, '2024-01-02T03:04:05.678Z');
});

test('what the catalog knows comes first, and names the address that is asked', async () => {
  const { body } = await versionOf('NPM', 'lodash', '4.17.15');
  assert.ok(body.advisoryKeys.length > 0);
  assert.equal('advisoriesComplete' in body, false);
  assert.ok(body.registries.includes(`${base}/npm`));
  const list = await get('/systems/NPM/packages/lodash');
  assert.ok(
    list.body.versions.some((it: Row) => it.versionKey.version === '4.17.99'),
    'newer ones are the registry’s',
  );
});

test('a deprecation that only one of both knows is told, and the registry says which version is the default', async () => {
  const { body } = await versionOf('NPM', 'lodash', '4.17.21');
  assert.partialDeepStrictEqual(body, {
    isDeprecated: true,
    deprecatedReason: 'use the newest',
    isDefault: false,
    licenses: ['MIT'],
  });
  // What the catalog knows of vulnerabilities is all there is.
  assert.equal('advisoriesComplete' in body, false);
  const { body: list } = await get('/systems/NPM/packages/lodash');
  const row = list.versions.find((it: Row) => it.versionKey.version === '4.17.21');
  assert.partialDeepStrictEqual(row, { isDeprecated: true, isDefault: false });
  // The registry has no word about this one.
  assert.partialDeepStrictEqual((await versionOf('NPM', 'request', '2.88.2')).body, { isDeprecated: true });
});

test('what the catalog knows is told within five seconds, however many packages a registry is silent about', async () => {
  const began = performance.now();
  const answers = await Promise.all(inCatalog.map((it) => fetch(`${service.url}/v3alpha/systems/NPM/packages/${it}`)));
  assert.ok(performance.now() - began < 6900, 'the silent registry was not waited for');
  for (const it of answers) {
    assert.equal(it.status, 200);
    // The registry's word may be there the next time.
    assert.match(it.headers.get('cache-control') ?? '', /max-age=0/);
  }
});

test('no registry is asked for what the catalog has invented', async () => {
  const before = asked.length;
  assert.equal((await get('/systems/NPM/packages/%40example%2Fretired')).status, 200);
  assert.equal((await get('/systems/NPM/packages/%40example%2Fretired')).status, 200);
  assert.deepEqual(asked.slice(before), []);
});

for (const [title, url] of [
  ['the registries', () => service.url],
  ['another service that asks them', () => mirror.url],
] as const) {
  test(`one of a hundred that is denied is told with its reason, and costs the others nothing: ${title}`, async () => {
    const names = [...Array.from({ length: 99 }, (_, at) => `many-${at}`), 'denied'];
    const requests = names.map((name) => ({ versionKey: { system: 'NPM', name, version: '1.0.0' } }));
    const response = await fetch(`${url()}/v3alpha/versionbatch`, {
      method: 'POST',
      body: JSON.stringify({ requests }),
    });
    const { responses } = JSON.parse(await response.text());
    assert.equal(response.status, 200);
    for (const [at, it] of responses.slice(0, 99).entries())
      assert.equal(it.version?.versionKey.name, names[at], JSON.stringify(it));
    assert.match(responses[99].unavailable, /127\.0\.0\.1:\d+ requires a credential/);
  });
}

test('a row that fails fails alone, and no request waits longer than five seconds for a slow package', async () => {
  const names = ['stranger', 'denied', 'slow'];
  const requests = names.map((name) => ({ versionKey: { system: 'NPM', name, version: '1.0.0' } }));
  const began = performance.now();
  const response = await fetch(`${service.url}/v3alpha/versionbatch`, {
    method: 'POST',
    body: JSON.stringify({ requests }),
  });
  const { responses } = JSON.parse(await response.text());
  assert.ok(performance.now() - began < 6900, 'the slow one was not waited for');
  assert.equal(response.status, 200);
  assert.equal(responses[0].version.versionKey.version, '1.0.0');
  assert.match(responses[1].unavailable, /requires a credential|403/);
  assert.match(responses[2].unavailable, /within 5 s: slow/);
});
