import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, type VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { ListedPackage, RegistryAnswer } from '../../../server/src/engine/model/registries/registry-client.ts';
import { npmRegistryClient } from '../../../server/src/engine/registries/npm.ts';
import { type Answers, questionAt } from './question.ts';

async function list(answers: Answers, name = '@acme/core'): Promise<RegistryAnswer<ListedPackage>> {
  return npmRegistryClient.list(questionAt('npm', name, answers));
}

async function listed(packument: unknown): Promise<ListedPackage> {
  const answer = await list({ '/@acme%2fcore': JSON.stringify(packument) });
  assert.equal(answer.kind, 'found');
  return answer.value;
}

async function manifest(fields: object): Promise<VersionFacts> {
  const facts = (await listed({ versions: { '1.0.0': fields } })).version('1.0.0');
  assert.ok(facts);
  return facts;
}

test('a packument gives versions with their times, the default one, pre-releases and deprecations', async () => {
  const { facts, version } = await listed({
    name: '@acme/core',
    'dist-tags': { latest: '1.0.0', next: '2.0.0-rc.1' },
    time: {
      created: '2020-01-01T00:00:00.000Z',
      '1.0.0': '2020-02-03T04:05:06.000Z',
      '0.9.0': 'soon',
      '3.0.0': '2021',
    },
    versions: {
      '0.9.0': { deprecated: 'use 1.0.0\u202e instead' },
      '1.0.0': { deprecated: '', license: 'MIT' },
      '2.0.0-rc.1': { deprecated: true },
    },
  });
  assert.deepEqual(facts.key, { system: 'NPM', name: '@acme/core' });
  assert.equal(facts.purl, 'pkg:npm/%40acme/core');
  assert.deepEqual(rowsOf(facts.versions), [
    { version: '0.9.0', isDefault: false, isDeprecated: true },
    { version: '1.0.0', publishedAt: Date.UTC(2020, 1, 3, 4, 5, 6), isDefault: true, isDeprecated: false },
    { version: '2.0.0-rc.1', isDefault: false, isDeprecated: true },
  ]);
  assert.equal(version('0.9.0')?.deprecatedReason, 'use 1.0.0 instead');
  assert.equal(version('3.0.0'), undefined);
});

test('every form in which licenses were ever declared is read', async () => {
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ license: 'MIT' }, ['MIT']],
    [{ license: '(MIT OR Apache-2.0)' }, ['(MIT OR Apache-2.0)']],
    [{ license: { type: 'ISC', url: 'https://acme.example/license' } }, ['ISC']],
    [{ licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] }, ['MIT', 'GPL-2.0']],
    [{ licenses: ['MIT', 'MIT'] }, ['MIT']],
    [{ license: ['ISC'] }, ['ISC']],
    [{ license: 'SEE LICENSE IN eula.txt' }, ['non-standard']],
    [{ license: 'UNLICENSED' }, ['non-standard']],
    [{ license: 'Apache 2.0' }, ['Apache-2.0']],
    [{ license: '' }, []],
    [{ license: null, licenses: 'BSD-2-Clause' }, ['BSD-2-Clause']],
    [{ license: [[['MIT']]] }, []],
    [{ license: 7 }, []],
    [{}, []],
  ];
  for (const [fields, expected] of cases) {
    assert.deepEqual((await manifest(fields)).licenses, expected, JSON.stringify(fields));
  }
  const own = await manifest({ license: 'Acme internal' });
  assert.deepEqual(own.licenseDetails, [{ license: 'Acme internal', spdx: 'non-standard' }]);
});

test('links lead to the repository, the home page, the issues and the attestations', async () => {
  const { links } = await manifest({
    repository: { type: 'git', url: 'git+https://git.acme.example/core.git' },
    homepage: 'https://acme.example/core',
    bugs: { url: 'https://git.acme.example/core/issues' },
    dist: { attestations: { url: 'https://registry.example/-/npm/v1/attestations/@acme%2fcore@1.0.0' } },
  });
  assert.deepEqual(links, [
    { label: 'SOURCE_REPO', url: 'git+https://git.acme.example/core.git' },
    { label: 'HOMEPAGE', url: 'https://acme.example/core' },
    { label: 'ISSUE_TRACKER', url: 'https://git.acme.example/core/issues' },
    { label: 'ATTESTATION', url: 'https://registry.example/-/npm/v1/attestations/@acme%2fcore@1.0.0' },
  ]);
});

test('hostile shapes give a partial answer', async () => {
  const odd = await manifest({
    deprecated: ['no'],
    repository: ['x'],
    homepage: { url: 3 },
    bugs: 'b'.repeat(1_000_000),
    dist: 'none',
    license: 'L'.repeat(1_000_000),
  });
  assert.equal(odd.isDeprecated, false);
  assert.deepEqual(odd.links, []);
  assert.ok(JSON.stringify(odd).length < 3000);

  for (const packument of [{}, [], { versions: [] }, { versions: { '1.0.0': 'x' } }, { versions: null, time: 3 }]) {
    const answer = await list({ '/@acme%2fcore': JSON.stringify(packument) });
    assert.equal(answer.kind, Array.isArray(packument) ? 'failed' : 'absent');
  }
  const mixed = await listed({
    'dist-tags': ['1.0.0'],
    time: [],
    versions: { '1.0.0': {}, '': {}, ['9'.repeat(9999)]: {} },
  });
  assert.deepEqual(rowsOf(mixed.facts.versions), [{ version: '1.0.0', isDefault: false, isDeprecated: false }]);
  const inherited = await listed(
    JSON.parse('{ "dist-tags": { "__proto__": { "latest": "1.0.0" } }, "versions": { "__proto__": {}, "1.0.0": {} } }'),
  );
  assert.deepEqual(
    rowsOf(inherited.facts.versions).map((it) => [it.version, it.isDefault]),
    [
      ['__proto__', false],
      ['1.0.0', false],
    ],
  );
});

test('10,000 versions are all listed', async () => {
  const versions = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`1.0.${at}`, { license: 'MIT' }]));
  const { facts, version } = await listed({ versions, 'dist-tags': { latest: '1.0.9999' } });
  assert.equal(facts.versions.names.length, 10_000);
  assert.deepEqual(version('1.0.9999')?.licenses, ['MIT']);
});

test('of a list without end the newest versions and the usual one are read, and it says so', async () => {
  const versions = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`1.0.${at}`, {}]));
  const { facts } = await listed({ versions, 'dist-tags': { latest: '1.0.7' } });
  assert.equal(facts.isSample, true);
  assert.equal(facts.versions.names.length, 50_001);
  assert.equal(rowsOf(facts.versions).at(-1)?.version, '1.0.59999');
  assert.equal(rowsOf(facts.versions).find((it) => it.isDefault)?.version, '1.0.7');
});

test('an answer without facts keeps its reason, and a name that is no package is not sent', async () => {
  assert.deepEqual(await list({}), { kind: 'absent' });
  assert.deepEqual(await list({ '/@acme%2fcore': { status: 401 } }), { kind: 'denied' });
  assert.deepEqual(await list({ '/@acme%2fcore': { status: 500 } }), { kind: 'failed', reason: 'HTTP 500' });
  assert.deepEqual(await list({ '/@acme%2fcore': '<html>' }), { kind: 'failed', reason: 'the answer is not JSON' });
  assert.deepEqual(await list({ '/@acme%2fcore': { kind: 'aborted' } }), { kind: 'aborted' });
  const unpublished = { time: { unpublished: { time: '2020-01-01T00:00:00.000Z', versions: ['1.0.0'] } } };
  assert.deepEqual(await list({ '/@acme%2fcore': JSON.stringify(unpublished) }), { kind: 'absent' });
  const asked: string[] = [];
  for (const name of ['..', '@acme/..', '@a/b/c', '', '@acme/']) {
    assert.deepEqual(await npmRegistryClient.list(questionAt('npm', name, {}, asked)), { kind: 'absent' }, name);
  }
  assert.deepEqual(asked, []);
});

test('a packument that is too large is read abbreviated, and each version of it by itself', async () => {
  const asked: string[] = [];
  const question = questionAt(
    'npm',
    'big',
    {
      '/big application/json': { kind: 'failed', reason: 'the answer exceeds 32 MiB', isTooLarge: true },
      '/big application/vnd.npm.install-v1+json': JSON.stringify({
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': {}, '1.1.0': { deprecated: 'old' } },
      }),
      '/big/1.0.0': JSON.stringify({ license: 'MIT', homepage: 'https://acme.example' }),
    },
    asked,
  );
  const answer = await npmRegistryClient.list(question);
  assert.equal(answer.kind, 'found');
  const first = await npmRegistryClient.version?.({ ...question, listed: answer.value }, '1.0.0');
  assert.equal(first?.kind, 'found');
  assert.deepEqual(first.value.licenses, ['MIT']);
  assert.equal(first.value.isDefault, true);
  // A registry without addresses of versions leaves it at what the list has.
  const second = await npmRegistryClient.version?.({ ...question, listed: answer.value }, '1.1.0');
  assert.equal(second?.kind === 'found' && second.value.deprecatedReason, 'old');
  assert.deepEqual(asked, [
    '/big application/json',
    '/big application/vnd.npm.install-v1+json',
    '/big/1.0.0 application/json',
    '/big/1.1.0 application/json',
  ]);
});

test('a list with everything needs no further request', async () => {
  const asked: string[] = [];
  const question = questionAt(
    'npm',
    'small',
    { '/small': JSON.stringify({ versions: { '1.0.0': { license: 'MIT' } } }) },
    asked,
  );
  const answer = await npmRegistryClient.list(question);
  assert.equal(answer.kind, 'found');
  const one = await npmRegistryClient.version?.({ ...question, listed: answer.value }, '1.0.0');
  assert.equal(one?.kind === 'found' && one.value.licenses[0], 'MIT');
  assert.deepEqual(await npmRegistryClient.version?.({ ...question, listed: answer.value }, '2.0.0'), {
    kind: 'absent',
  });
  assert.equal(asked.length, 1);
});
