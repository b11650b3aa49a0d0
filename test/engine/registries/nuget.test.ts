import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { nugetClient } from '../../../server/src/engine/registries/nuget.ts';
import { questionTo, type ServedFile, serveRegistry } from './served.ts';

/*
 * A feed that is written here by the public documentation of the protocol, for what real-nuget.test.ts has no server for:
 * pages, deprecation, vulnerabilities, versions that are not listed, hostile answers.
 */
const json = (value: unknown): ServedFile => ({ text: JSON.stringify(value) });
const leaf = (version: string, more: object = {}) => ({
  '@type': 'Package',
  catalogEntry: { id: 'Acme.Core', version, listed: true, published: '2026-03-01T12:00:00Z', ...more },
});

const leaves = [
  leaf('1.0.0+build.5', {
    licenseExpression: 'MIT OR Apache-2.0',
    licenseUrl: 'https://licenses.example/MIT',
    projectUrl: 'https://acme.example/core',
    vulnerabilities: [
      { advisoryUrl: 'https://advisories.example/GHSA-5CRP-9R3C-P9VR', severity: '2' },
      { advisoryUrl: 'https://security.acme.example/7', severity: '3' },
      { advisoryUrl: 'javascript:alert(1)' },
      7,
    ],
    deprecation: { reasons: ['Legacy', 'CriticalBugs', 3], alternatePackage: { id: 'Acme.Core2', range: '*' } },
  }),
  leaf('1.10.0', { licenseUrl: 'https://opensource.org/licenses/MIT' }),
  leaf('1.9.0.0', { licenseUrl: 'https://feed.example/deprecateLicenseUrl', deprecation: { message: 'Broken.' } }),
  leaf('1.11.0', { listed: false, published: '1900-01-01T00:00:00Z' }),
  leaf('2.0.0-beta.1'),
  leaf('x'.repeat(1000)),
  { catalogEntry: 'https://elsewhere.example' },
  null,
];

const pages = (prefix: string) => ({
  [`${prefix}/acme.core/index.json`]: json({
    count: 3,
    items: [
      { '@id': '../page/1.json', count: 3 },
      { '@id': `${prefix}/page/2.json` },
      { '@id': '../page/1.json' },
      { '@id': 'index.json' },
      { '@id': 7 },
      { '@id': 'file:///etc/passwd' },
    ],
  }),
  [`${prefix}/page/1.json`]: json({ items: leaves.slice(0, 3) }),
  [`${prefix}/page/2.json`]: json({ items: leaves.slice(3) }),
});

const feed = (...resources: (readonly [type: unknown, address: unknown])[]): ServedFile =>
  json({ version: '3.0.0', resources: resources.map(([type, address]) => ({ '@type': type, '@id': address })) });

let outside = '';
const files: Readonly<Record<string, ServedFile | (() => ServedFile)>> = {
  '/inline/index.json': feed(
    ['RegistrationsBaseUrl', '/old/'],
    [['Other', 'RegistrationsBaseUrl/3.6.0'], '/inline/registration'],
    ['RegistrationsBaseUrl/3.4.0', '/old/'],
  ),
  '/inline/registration/acme.core/index.json': json({ items: [{ items: leaves }] }),
  '/inline/registration/acme.gone/index.json': json({
    items: [{ items: [leaf('1.0.0', { id: 'Acme.Gone', listed: false })] }],
  }),
  '/inline/registration/acme.page/index.json': { text: '<html>Please sign in</html>' },
  '/inline/registration/acme.list/index.json': json([1]),
  '/inline/registration/acme.wrong/index.json': json({ items: { 0: leaf('1.0.0') } }),
  '/inline/registration/acme.missing/index.json': json({ items: [{ items: leaves }, { '@id': 'nowhere.json' }] }),
  '/inline/registration/acme.deep/index.json': { text: `${'{"items":['.repeat(50_000)}` },
  '/inline/registration/acme.huge/index.json': json({
    items: Array.from({ length: 400 }, (_, page) => ({
      items: Array.from({ length: 100 }, (_, at) => leaf(`1.${page}.${at}`, { id: 'Acme.Huge' })),
    })),
  }),
  '/paged/index.json': feed(['RegistrationsBaseUrl/3.6.0', '/paged/registration/']),
  ...pages('/paged/registration'),
  '/content/index.json': feed(['PackageBaseAddress/3.0.0', '/content/flat']),
  '/content/flat/acme.core/index.json': json({ versions: ['1.0.0', '1.1.0-rc.1', 7] }),
  '/outside/index.json': () => feed(['RegistrationsBaseUrl/3.6.0', `${outside}/inline/registration/`]),
  '/empty/index.json': feed(),
  '/wrong/index.json': json({ resources: 'none' }),
};

const at = (path: string): ServedFile | undefined => {
  const file = files[path];
  return typeof file === 'function' ? file() : file;
};
const registry = await serveRegistry(at);
const other = await serveRegistry(at);
outside = other.url;
after(() => {
  registry.close();
  other.close();
});

const ask = (feedName: string, name: string, more: Parameters<typeof questionTo>[3] = {}) =>
  nugetClient.list(questionTo('nuget', `${registry.url}/${feedName}/index.json`, name, more));

async function listed(feedName: string, name = 'Acme.Core') {
  const answer = await ask(feedName, name);
  return answer.kind === 'found' ? answer.value : assert.fail(JSON.stringify(answer));
}

async function versionsOf(feedName: string, name?: string) {
  const { facts } = await listed(feedName, name);
  return rowsOf(facts.versions).map((it) => `${it.version}${it.isDefault ? ' (default)' : ''}`);
}

const expected = ['1.0.0', '1.9.0', '1.10.0 (default)', '2.0.0-beta.1'];

test('listed versions come normalized and in their order, with the highest stable one as the default', async () => {
  assert.deepEqual(await versionsOf('inline'), expected);
});

test('pages of their own are read, each once', async () => {
  const from = registry.requests.length;
  assert.deepEqual(await versionsOf('paged'), expected);
  const asked = registry.requests.slice(from).filter((it) => it.includes('/page/1.json'));
  assert.equal(asked.length, 1);
});

test('a version says its license, links, advisories and deprecation', async () => {
  const { version } = await listed('inline');
  const it = version('1.0.0');
  assert.deepEqual(it?.licenses, ['MIT OR Apache-2.0']);
  assert.deepEqual(it?.advisories, ['GHSA-5crp-9r3c-p9vr']);
  assert.deepEqual(it?.links, [
    { label: 'HOMEPAGE', url: 'https://acme.example/core' },
    { label: 'ADVISORY', url: 'https://security.acme.example/7' },
  ]);
  assert.equal(it?.publishedAt, Date.UTC(2026, 2, 1, 12));
  assert.equal(it?.deprecatedReason, 'no longer maintained, has critical bugs — Suggested instead: Acme.Core2.');
  assert.equal(version('1.9.0')?.deprecatedReason, 'Broken.');
  assert.deepEqual(version('1.9')?.licenses, []);
  assert.deepEqual(version('1.10.0')?.licenses, ['MIT']);
});

test('a version that is not listed is known, but not suggested', async () => {
  const { facts, version } = await listed('inline');
  assert.equal(version('1.11.0')?.isDefault, false);
  assert.equal(version('1.11.0')?.publishedAt, undefined);
  assert.ok(!rowsOf(facts.versions).some((it) => it.version === '1.11.0'));
  assert.deepEqual((await listed('inline', 'Acme.Gone')).facts.versions.names, []);
});

test('a feed without metadata gives versions', async () => {
  assert.deepEqual(await versionsOf('content'), ['1.0.0 (default)', '1.1.0-rc.1']);
});

test('a feed that leads to another host is asked there without the credential', async () => {
  assert.deepEqual(await ask('outside', 'Acme.Core'), { kind: 'denied' });
  assert.deepEqual(other.requests, ['GET /inline/registration/acme.core/index.json']);
});

test('what a feed cannot answer is told apart, whatever it holds', async () => {
  const kind = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).kind;
  assert.equal(await kind('inline', 'Acme.Other'), 'absent');
  assert.equal(await kind('inline', 'Acme.Core', { stranger: true }), 'denied');
  for (const name of ['Acme.Page', 'Acme.List', 'Acme.Deep', 'Acme.Missing'])
    assert.equal(await kind('inline', name), 'failed', name);
  assert.equal(await kind('inline', 'Acme.Wrong'), 'absent');
  for (const it of ['nowhere', 'empty', 'wrong']) assert.equal(await kind(it, 'Acme.Core'), 'failed', it);
});

test('a list without end is bounded and says so', async () => {
  const { facts } = await listed('inline', 'Acme.Huge');
  assert.equal(facts.isSample, true);
  assert.ok(rowsOf(facts.versions).some((it) => it.version === '1.399.99'));
  assert.ok(facts.versions.names.length <= 20_000);
});

test('no name leads to another address', async () => {
  const from = registry.requests.length;
  for (const name of ['../x', 'a/b', 'a?b', 'a#b', '..', '', 'a..b', 'x'.repeat(300), '%2e%2e'])
    assert.equal((await ask('inline', name)).kind, 'absent', name);
  assert.deepEqual(registry.requests.slice(from), []);
});
