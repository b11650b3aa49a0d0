import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CancellationTokenSource, ErrorCodes } from 'vscode-languageserver';
import type { DependenciesAnswer } from '../../server/src/editor/requests/dependencies.ts';
import type { RequirementsAnswer, UpgradeAnswer } from '../../server/src/editor/requests/requirements.ts';
import { scriptedServer, stall, status } from '../harness/scripted-server.ts';
import { type InlineCatalog, type StartedService, startService } from '../harness/service.ts';
import { manifest, onLodash, catalog as scratch } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const npm = (dependencies: Readonly<Record<string, string>>) => ({
  npm: {
    dependencies: {
      dependencies: Object.entries(dependencies).map(([name, requirement]) => ({ name, requirement })),
      devDependencies: [{ name: 'lodash', requirement: '^4' }],
      optionalDependencies: [],
      peerDependencies: [],
      bundleDependencies: [],
    },
    bundled: [],
  },
});

const catalog: InlineCatalog = {
  ...scratch,
  'NPM app': {
    versions: {
      '1.0.0': { requirements: npm({ lodash: '4.17.15', request: '^2.0.0', nowhere: '1.0.0', gone: '^3.0.0' }) },
      '2.0.0': { isDefault: true, requirements: npm({ lodash: '4.17.21', gone: '^3.0.0', leaf: '*' }) },
    },
  },
  'NPM gone': { versions: ['1.0.0'] },
  'NPM alone': { versions: { '1.0.0': { requirements: npm({}) } } },
  'NPM steps': {
    versions: {
      '1.0.0': { licenses: ['MIT'] },
      '1.0.4': { licenses: ['MIT'] },
      '2.0.0': { licenses: ['ISC'], isDefault: true },
    },
  },
  'CARGO old': {
    versions: {
      '1.0.0': { licenses: ['MIT'], publishedAt: '2023-03-01T00:00:00Z' },
      '2.0.0': { licenses: ['ISC'], publishedAt: '2024-03-01T00:00:00Z', deprecated: 'use another' },
      '3.0.0': { isDefault: true },
    },
  },
  'advisory GHSA-aaaa-aaaa-aaaa': {
    title: 'Fixed in between',
    affected: [{ system: 'CARGO', name: 'old', ranges: [{ introduced: '0', fixed: '2.0.0' }] }],
  },
  'advisory GHSA-bbbb-bbbb-bbbb': {
    title: 'Never fixed',
    affected: [{ system: 'CARGO', name: 'old', ranges: [{ introduced: '0' }] }],
  },
  'advisory GHSA-cccc-cccc-cccc': {
    title: 'Introduced later',
    affected: [{ system: 'CARGO', name: 'old', ranges: [{ introduced: '2.0.0' }] }],
  },
  'NPM leaf': { versions: ['1.0.0'], shared: { licenses: ['ISC'] } },
};

let service: StartedService;
let client: StrictClient;
before(async () => {
  service = await startService(catalog);
  client = await strictClient({ settings: { baseUrl: service.url } });
});
after(async () => {
  await client.stop();
  await service.close();
});

const requirements = (params: object): Promise<RequirementsAnswer> =>
  client.connection.sendRequest('packageInsights/requirements', params);
const upgrade = (params: object): Promise<UpgradeAnswer> =>
  client.connection.sendRequest('packageInsights/upgrade', params);
const app = { system: 'NPM', name: 'app', version: '1.0.0' };

test('what a version requires is told by group, and the entries of a group with what is known of them', async () => {
  assert.deepEqual(await requirements(app), {
    kind: 'found',
    groups: [
      { name: 'dependencies', scope: 'runtime', count: 4 },
      { name: 'devDependencies', scope: 'dev', count: 1 },
    ],
  });
  const answer = await requirements({ ...app, group: 'dependencies' });
  assert.equal(answer.kind, 'entries');
  assert.equal(answer.omitted, 0);
  const [lodash, request, nowhere, gone] = answer.entries;
  assert.deepEqual(lodash, {
    system: 'NPM',
    name: 'lodash',
    requirement: '4.17.15',
    purl: 'pkg:npm/lodash@4.17.15',
    version: '4.17.15',
    licenses: ['MIT'],
    isDeprecated: false,
    advisories: ['GHSA-p6mc-m468-83gw Prototype pollution'],
    severity: 'high',
    defaultVersion: '4.17.21',
    links: [],
    notes: [],
  });
  assert.equal(request?.deprecatedReason, 'no longer maintained');
  assert.equal(nowhere?.reason, 'nowhere is unknown to the service: it may be private, too new, or misspelled.');
  assert.equal(gone?.reason, 'No published version meets ^3.0.0.');
});

test('an upgrade tells what is added, dropped and changed', async () => {
  const answer = await upgrade(app);
  assert.equal(answer.kind, 'found');
  assert.equal(answer.to, '2.0.0');
  assert.deepEqual(
    answer.adds.map((it) => [it.name, it.version, it.licenses]),
    [['leaf', '1.0.0', ['ISC']]],
  );
  assert.deepEqual(
    answer.drops.map((it) => it.name),
    ['request', 'nowhere'],
  );
  assert.deepEqual(
    answer.changes.map((it) => [it.to.name, it.from, it.to.requirement, it.to.advisories]),
    [['lodash', '4.17.15', '4.17.21', []]],
  );
  assert.deepEqual(await upgrade({ ...app, version: '2.0.0' }), {
    kind: 'same',
    reason: 'app 2.0.0 is the latest version.',
  });
  assert.deepEqual(await upgrade({ ...app, name: 'nowhere' }), {
    kind: 'unknown',
    reason: 'No latest version of nowhere is known.',
  });
});

test('an upgrade tells what it fixes, what stays, and what else is different', async () => {
  const answer = await upgrade({ system: 'CARGO', name: 'old', version: '1.0.0', to: '2.0.0' });
  assert.equal(answer.kind, 'found');
  assert.deepEqual(answer.notes, [
    { kind: 'fixes', text: 'Fixes 1 vulnerability', details: ['GHSA-aaaa-aaaa-aaaa Fixed in between'] },
    { kind: 'remains', text: '1 vulnerability remains', details: ['GHSA-bbbb-bbbb-bbbb Never fixed'] },
    { kind: 'brings', text: '1 other vulnerability', details: ['GHSA-cccc-cccc-cccc Introduced later'] },
    { kind: 'deprecated', text: 'Deprecated: use another', details: [] },
    { kind: 'license', text: 'License MIT → ISC', details: [] },
    { kind: 'published', text: 'Published 2024-03-01', details: [] },
  ]);
  // The requirements of crates are not known, and the rest is shown nevertheless.
  assert.deepEqual([answer.missing?.kind, answer.adds, answer.drops, answer.changes], ['unknown', [], [], []]);
  const unknownLicense = await upgrade({ system: 'CARGO', name: 'old', version: '1.0.0', to: '3.0.0' });
  assert.deepEqual(unknownLicense.kind === 'found' && unknownLicense.notes.map((it) => it.text), [
    'Fixes 1 vulnerability',
    '1 vulnerability remains',
    '1 other vulnerability',
  ]);
});

test('a dependency says where its version comes from, and to which versions it can move', async () => {
  const uri = 'file:///workspace/package.json';
  await client.open(uri, manifest);
  const { subjects } = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri, { position: onLodash });
  assert.equal(subjects[0]?.source, 'package.json');
  assert.deepEqual(subjects[0]?.place, { uri, offset: manifest.indexOf('4.17.15'), name: 'lodash' });
  assert.deepEqual(subjects[0]?.targets, [
    { version: '4.17.21', notes: ['patch', 'fixes the vulnerability', 'latest'] },
  ]);
  await client.close(uri);
});

test('the targets of the dependency at the cursor are looked up, although nothing is wrong with it', async () => {
  const uri = 'file:///steps/package.json';
  const text = '{ "dependencies": { "steps": "1.0.0" } }';
  await client.open(uri, text);
  const position = { line: 0, character: text.indexOf('1.0.0') + 1 };
  const { subjects } = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri, { position });
  assert.deepEqual(
    subjects[0]?.targets.map((it) => [it.version, ...it.notes]),
    [
      ['1.0.4', 'patch', 'latest minor'],
      ['2.0.0', 'major', 'latest', 'license MIT → ISC'],
    ],
  );
  assert.equal(subjects[0]?.isPending, undefined);
  await client.close(uri);
});

test('a hover tells what is required, once that was looked up', async () => {
  const uri = 'file:///workspace/package.json';
  await client.open(uri, '{ "dependencies": { "app": "1.0.0", "leaf": "1.0.0", "alone": "1.0.0" } }');
  const hoverAt = (character: number) =>
    client.ask<{ contents: { value: string } }>('textDocument/hover', uri, { position: { line: 0, character } });
  const hover = await hoverAt(22);
  assert.match(hover.contents.value, /^Requires 4 packages; 2\.0\.0 adds 1, removes 2 and changes 1$/m);
  const leaf = await hoverAt(38);
  assert.doesNotMatch(leaf.contents.value, /Requires/);
  await requirements({ ...app, name: 'alone' });
  const alone = await hoverAt(55);
  assert.match(alone.contents.value, /^Requires no packages$/m);
  await client.close(uri);
});

test('a cancellation is answered at once, and ends the requests to the service', async () => {
  const silent = await scriptedServer(stall);
  const asking = await strictClient({ settings: { baseUrl: silent.url } });
  for (const [at, method] of ['requirements', 'upgrade', 'lookUpPurl'].entries()) {
    const cancelling = new CancellationTokenSource();
    const params = { ...app, to: '2.0.0', purl: 'pkg:npm/app' };
    const answer = asking.connection.sendRequest<{ kind: string; reason: string }>(
      `packageInsights/${method}`,
      params,
      cancelling.token,
    );
    await silent.reached(at + 1);
    cancelling.cancel();
    const { kind, reason } = await answer;
    assert.equal(kind, 'failed');
    assert.match(reason, /interrupted/);
    await silent.arrived[at]?.gone;
  }
  await asking.stop();
  await silent.close();
});

test('what cannot be told says why', async () => {
  assert.deepEqual(await requirements({ system: 'CARGO', name: 'serde', version: '1.0.0' }), {
    kind: 'unknown',
    reason: 'The requirements of serde 1.0.0 are unknown to the service.',
  });
  assert.deepEqual(await requirements({ ...app, name: 'nobody' }), {
    kind: 'unknown',
    reason: 'The requirements of nobody 1.0.0 are unknown to the service.',
  });
  // By the name as it was written, which is not the one that is asked for.
  assert.deepEqual(await requirements({ system: 'NUGET', name: 'Nobody.Knows', version: '1.0' }), {
    kind: 'unknown',
    reason: 'The requirements of Nobody.Knows 1.0 are unknown to the service.',
  });
  for (const params of [null, [], {}, { ...app, system: 'DEB' }, { ...app, version: 1 }, { ...app, name: '' }]) {
    await assert.rejects(client.connection.sendRequest('packageInsights/requirements', params), {
      code: ErrorCodes.InvalidParams,
    });
  }
});

test('that the service could not be asked is said in a sentence', async () => {
  const server = await scriptedServer(status(400, 'no'));
  const turnedDown = await strictClient({ settings: { baseUrl: server.url } });
  assert.deepEqual(await turnedDown.connection.sendRequest('packageInsights/requirements', app), {
    kind: 'failed',
    reason: 'Lookup failed: the service answered with status 400: no.',
  });
  await turnedDown.stop();
  await server.close();
});

test('a package that is not known is called as its manifest calls it', async () => {
  const uri = 'file:///workspace/requirements.txt';
  await client.open(uri, 'No_Such.Thing==1.0\n');
  await client.pushed(uri, (all) => all.length === 1);
  const { subjects } = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri);
  assert.equal(
    subjects[0]?.reason,
    'No_Such.Thing is unknown to the service: it may be private, too new, or not released as a wheel or sdist.',
  );
});

test('a manifest tells its dependencies, and the one at a place', async () => {
  const uri = 'file:///workspace/package.json';
  await client.open(uri, manifest);
  const here = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri, { position: onLodash });
  assert.deepEqual(
    here.subjects.map((it) => [it.name, it.range, it.defaultVersion]),
    [['lodash', { start: { line: 2, character: 15 }, end: { line: 2, character: 22 } }, '4.17.21']],
  );
  await client.pushed(uri, (all) => all.length === 2);
  const all = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri);
  assert.equal(all.format, 'package.json');
  assert.deepEqual(
    all.subjects.map((it) => [it.name, it.version, it.group]),
    [
      ['lodash', '4.17.15', 'dependencies'],
      ['request', '2.88.2', 'dependencies'],
    ],
  );
  const none = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri, {
    position: { line: 0, character: 0 },
  });
  assert.deepEqual(none.subjects, []);
  const beside = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri, {
    position: { line: 3, character: 0 },
  });
  assert.deepEqual(
    beside.subjects.map((it) => it.name),
    ['request'],
  );
  assert.deepEqual(await client.ask('packageInsights/subjects', 'file:///workspace/other.txt'), { subjects: [] });
  await client.close(uri);
});

test('what a hostile version requires is told without what would hide or turn text, and can still be opened', async () => {
  const evil = 'a\u001b[31m\u202eb\u3164\u0007c\n';
  const hostile = await startService({
    'NUGET Evil': {
      versions: {
        '1.0.0': {
          requirements: {
            nuget: {
              dependencyGroups: [
                { targetFramework: `net${evil}`, dependencies: [{ name: `Dep${evil}`, requirement: `[1${evil}` }] },
              ],
            },
          },
        },
        '2.0.0': {
          isDefault: true,
          requirements: {
            nuget: {
              dependencyGroups: [
                { targetFramework: `net${evil}`, dependencies: [{ name: 'Other', requirement: evil }] },
              ],
            },
          },
        },
      },
    },
    'NUGET Other': { versions: ['1.0.0'] },
  });
  const own = await strictClient({ settings: { baseUrl: hostile.url } });
  const ask = <T>(method: string, params: object): Promise<T> =>
    own.connection.sendRequest(`packageInsights/${method}`, params);
  const key = { system: 'NUGET', name: 'Evil', version: '1.0.0' };
  const groups = await ask<RequirementsAnswer>('requirements', key);
  assert.equal(groups.kind, 'found');
  const [group] = groups.groups;
  const entries = await ask<RequirementsAnswer>('requirements', { ...key, group: group?.name });
  assert.equal(entries.kind === 'entries' && entries.entries.length, 1);
  const answers = [groups, entries, await ask('upgrade', key), await ask('requirements', { ...key, name: evil })];
  await own.stop();
  await hostile.close();
  for (const it of answers.flatMap(texts)) {
    assert.doesNotMatch(it, /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u, JSON.stringify(it));
  }
});

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
