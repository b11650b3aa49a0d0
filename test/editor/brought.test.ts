import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BroughtAnswer, WaysOutAnswer } from '../../server/src/editor/requests/brought.ts';
import type { DependenciesAnswer, DependencyAnswer } from '../../server/src/editor/requests/dependencies.ts';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import type { ReadGraph } from '../../server/src/engine/model/graph/read-graph.ts';
import { askedNames } from '../harness/asked-names.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from '../terminal/program.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* The tree of what a dependency brings, level by level, as a client draws it. */

const service = await startServiceForFile({
  'NPM express': { versions: ['4.17.0'] },
  'NPM body-parser': { versions: ['1.20.2'] },
  'NPM qs': { versions: ['6.11.0', '6.13.0'] },
  'NPM ms': { versions: { '2.0.0': { isDefault: true, deprecated: 'use another' } } },
  'NPM accepts': { versions: ['1.3.8'] },
  'GO example.org/mod': { versions: ['v1.0.0'] },
  'advisory GHSA-hrpp-h998-j3pp': {
    title: 'qs is slow',
    cvss3Score: 7.5,
    affected: [{ system: 'NPM', name: 'qs', ranges: [{ introduced: '6.0.0', fixed: '6.12.0' }] }],
  },
});
after(() => service.close());

const requires = (...names: readonly string[]) => Object.fromEntries(names.map((it) => [it, '*']));

const lockfile = (express: readonly string[]): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: requires('express') },
      'node_modules/express': { version: '4.17.0', dependencies: requires(...express) },
      'node_modules/accepts': { version: '1.3.8', optionalDependencies: requires('ms') },
      'node_modules/body-parser': { version: '1.20.2', dependencies: requires('qs', 'unknown') },
      'node_modules/ms': { version: '2.0.0' },
      'node_modules/qs': { version: '6.11.0', dependencies: requires('body-parser', 'express') },
      'node_modules/secret-git': { version: '1.0.0', resolved: 'git+ssh://git@git.acme.example/secret.git#abc' },
      'node_modules/unknown': { version: '1.0.0' },
    },
  });

const files = {
  'package.json': JSON.stringify({ dependencies: { express: '^4.17.0' } }),
  'package-lock.json': lockfile(['accepts', 'body-parser', 'ms', 'secret-git']),
};

async function openedIn(path: string, name: string, text: string, settings: object = {}, readGraph?: ReadGraph) {
  const client = await strictClient({
    initialize: { workspaceFolders: [{ uri: fileUri(path), name: 'all' }] },
    settings: { baseUrl: service.url, ...settings },
    answer: () => null,
    ...(readGraph && { readGraph }),
  });
  const uri = fileUri(`${path}/${name}`);
  await client.open(uri, text);
  return { client, uri };
}

async function dependencyIn(client: StrictClient, uri: string, text: string, name: string): Promise<DependencyAnswer> {
  const before = text.slice(0, text.indexOf(name)).split('\n');
  const position = { line: before.length - 1, character: (before.at(-1) ?? '').length + 1 };
  const { subjects } = await client.ask<DependenciesAnswer>('packageInsights/subjects', uri, { position });
  const [found] = subjects;
  assert.ok(found, name);
  return found;
}

/** One level as lines: name, version, what is said of it. */
async function drawn(client: StrictClient, params: object): Promise<string[]> {
  const answer: BroughtAnswer = await client.connection.sendRequest('packageInsights/brought', params);
  if (answer.kind !== 'found') return [`${answer.kind} ${'reason' in answer ? answer.reason : ''}`.trim()];
  return answer.packages.map((it) =>
    [
      `${it.name} ${it.version ?? it.requirement}`,
      ...(it.severity ? [`${it.severity}: ${it.advisories.join()}`] : []),
      ...(it.leadsTo ? [`leads to ${it.leadsTo}`] : []),
      ...(it.isDeprecated ? ['deprecated'] : []),
      ...it.notes,
      ...(it.isCycle ? ['cycle'] : []),
      ...(it.isLeaf ? ['leaf'] : []),
      ...(it.isPublic ? [] : ['stays here']),
      it.path,
    ].join(' | '),
  );
}

test('a client walks down what a dependency brings, what is affected or leads there first', async () => {
  const folder = folderWith(files);
  const { client, uri } = await openedIn(folder.path, 'package.json', files['package.json']);
  await client.pushed(uri, (all) => all.some((it) => /worst high 7\.5/.test(String(it.message))));
  const { brings, place } = await dependencyIn(client, uri, files['package.json'], 'express');
  assert.deepEqual(brings, {
    kind: 'packages',
    title: 'Brings 6 packages',
    lockfile: 'package-lock.json',
    count: 6,
    notes: [
      '1 with known vulnerabilities',
      '1 deprecated',
      '2 of 6 not checked: 1 private or from no registry, 1 unknown to the service',
    ],
    isAffected: true,
  });
  assert.deepEqual(await drawn(client, place), [
    'body-parser 1.20.2 | leads to qs 6.11.0 | express → body-parser 1.20.2',
    'ms 2.0.0 | deprecated | leaf | express → ms 2.0.0',
    'accepts 1.3.8 | express → accepts 1.3.8',
    'secret-git 1.0.0 | from Git | not checked | leaf | stays here | express → secret-git 1.0.0',
  ]);
  const answer: BroughtAnswer = await client.connection.sendRequest('packageInsights/brought', place);
  assert.equal(answer.kind, 'found');
  const { graph, packages } = answer;
  const parser = packages[0]?.node ?? -1;
  assert.deepEqual(await drawn(client, { ...place, graph, path: [parser] }), [
    'qs 6.11.0 | high: GHSA-hrpp-h998-j3pp qs is slow | express → body-parser → qs 6.11.0',
    'unknown 1.0.0 | not checked | leaf | express → body-parser → unknown 1.0.0',
  ]);
  const below: BroughtAnswer = await client.connection.sendRequest('packageInsights/brought', {
    ...place,
    graph,
    path: [parser],
  });
  const qs = below.kind === 'found' ? below.packages[0] : undefined;
  assert.deepEqual(await drawn(client, { ...place, graph, path: [parser, qs?.node] }), [
    'body-parser 1.20.2 | cycle | express → body-parser 1.20.2',
    'express 4.17.0 | cycle | express → express 4.17.0',
  ]);
  const ways: WaysOutAnswer = await client.connection.sendRequest('packageInsights/waysOut', {
    ...place,
    ...qs?.affected,
  });
  assert.deepEqual(
    ways.ways.map((it) => [it.title, it.request.package, it.request.affected]),
    [['Override qs with 6.13.0', 'qs', '6.11.0']],
  );
  const asked = askedNames(service.requests);
  assert.ok(asked.includes('unknown'));
  assert.equal(asked.includes('secret-git'), false);
  await client.stop();
  folder.remove();
});

test('where nothing below is looked up, the tree is there, and no package of it looks clean', async () => {
  const folder = folderWith(files);
  const { client, uri } = await openedIn(folder.path, 'package.json', files['package.json'], { lookUpBelow: false });
  const { brings, place } = await dependencyIn(client, uri, files['package.json'], 'express');
  assert.deepEqual(brings, {
    kind: 'packages',
    title: 'Brings 6 packages',
    lockfile: 'package-lock.json',
    count: 6,
    notes: ['not checked: packageInsights.lookUpBelow is off'],
    isAffected: false,
  });
  assert.deepEqual(await drawn(client, place), [
    'accepts 1.3.8 | not checked | stays here | express → accepts 1.3.8',
    'body-parser 1.20.2 | not checked | stays here | express → body-parser 1.20.2',
    'ms 2.0.0 | not checked | leaf | stays here | express → ms 2.0.0',
    'secret-git 1.0.0 | from Git | not checked | leaf | stays here | express → secret-git 1.0.0',
  ]);
  await client.stop();
  folder.remove();
});

test('nodes of a lockfile that has changed since are not taken for others', async () => {
  const folder = folderWith(files);
  const { client, uri } = await openedIn(folder.path, 'package.json', files['package.json'], { lookUpBelow: false });
  const { place } = await dependencyIn(client, uri, files['package.json'], 'express');
  const answer: BroughtAnswer = await client.connection.sendRequest('packageInsights/brought', place);
  assert.equal(answer.kind, 'found');
  const opened = { ...place, graph: answer.graph, path: [answer.packages[0]?.node] };
  assert.deepEqual(await drawn(client, { ...opened, path: [1_000_000] }), ['changed']);
  folder.write('package-lock.json', lockfile(['ms']));
  client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri.replace('package.json', 'package-lock.json'), type: 2 }],
  });
  assert.deepEqual(await drawn(client, opened), ['changed']);
  assert.deepEqual(await drawn(client, place), ['ms 2.0.0 | not checked | leaf | stays here | express → ms 2.0.0']);
  await client.stop();
  folder.remove();
});

test('of hundreds of packages the first ones are drawn, and the others counted', async () => {
  const names = Array.from({ length: 230 }, (_, at) => `p${at}`);
  const many = {
    'package.json': files['package.json'],
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: requires('express') },
        'node_modules/express': { version: '4.17.0', dependencies: requires(...names) },
        ...Object.fromEntries(names.map((it) => [`node_modules/${it}`, { version: '1.0.0' }])),
      },
    }),
  };
  const folder = folderWith(many);
  const { client, uri } = await openedIn(folder.path, 'package.json', many['package.json'], { lookUpBelow: false });
  const { place } = await dependencyIn(client, uri, many['package.json'], 'express');
  const answer: BroughtAnswer = await client.connection.sendRequest('packageInsights/brought', place);
  assert.equal(answer.kind === 'found' && answer.packages.length + answer.omitted, 230);
  assert.equal(answer.kind === 'found' && answer.omitted, 30);
  await client.stop();
  folder.remove();
});

const withoutGraph = [
  {
    name: 'Pipfile',
    dependency: 'requests',
    files: {
      Pipfile: '[packages]\nrequests = "*"\n',
      'Pipfile.lock': JSON.stringify({ _meta: {}, default: { requests: { version: '==2.31.0' } }, develop: {} }),
    },
    reason: 'Pipfile.lock lists packages without what each of them requires.',
  },
  {
    name: 'go.mod',
    dependency: 'example.org/mod',
    files: { 'go.mod': 'module example.org/own\n\nrequire example.org/mod v1.0.0\n' },
    reason: 'go.mod lists modules without what each of them requires.',
  },
  {
    name: 'package.json',
    dependency: 'accepts',
    files: { 'package.json': '{ "dependencies": { "accepts": "1.3.8" } }' },
    reason: 'No lockfile lists what accepts brings along.',
  },
];

for (const { name, dependency, files, reason } of withoutGraph) {
  test(`${name}: a sentence says why nothing is shown: ${reason}`, async () => {
    const folder = folderWith(files);
    const text = (files as Readonly<Record<string, string>>)[name] ?? '';
    const { client, uri } = await openedIn(folder.path, name, text);
    const { brings, place } = await dependencyIn(client, uri, text, dependency);
    assert.deepEqual(brings, { kind: 'none', reason });
    assert.deepEqual(await drawn(client, place), [`none ${reason}`]);
    await client.stop();
    folder.remove();
  });
}

test('what the graph of a large lockfile says is shown once a thread has read it', async () => {
  const names = Array.from({ length: 3000 }, (_, at) => `package-${at}`);
  const large = {
    'package.json': files['package.json'],
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: requires('express') },
        'node_modules/express': { version: '4.17.0', dependencies: requires(names[0] ?? '') },
        ...Object.fromEntries(
          names.map((it, at) => [
            `node_modules/${it}`,
            { version: '1.0.0', dependencies: requires(names[at + 1] ?? 'express'), hasInstallScript: at === 2 },
          ]),
        ),
      },
    }),
  };
  const folder = folderWith(large);
  const text = large['package.json'];
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const settings = { lookUpBelow: false, severity: { 'install-script': 'warning' } };
  const { client, uri } = await openedIn(folder.path, 'package.json', text, settings, async ({ lockfile }) => {
    await isReleased;
    return lockfile.graph();
  });
  const position = { line: 0, character: text.indexOf('express') + 2 };
  const hover = async (): Promise<string> =>
    (await client.ask<{ contents: { value: string } }>('textDocument/hover', uri, { position })).contents.value;
  assert.doesNotMatch(await hover(), /Brings/);
  const before = await dependencyIn(client, uri, text, 'express');
  assert.deepEqual(before.brings, { kind: 'reading', lockfile: 'package-lock.json' });
  release();
  await client.pushed(uri, (all) => all.some(({ code }) => code === 'install-script'));
  const { brings } = await dependencyIn(client, uri, text, 'express');
  assert.equal(brings?.kind === 'packages' && brings.title, 'Brings 3000 packages');
  assert.match(await hover(), /Brings 3000 packages/);
  await client.stop();
  folder.remove();
});
