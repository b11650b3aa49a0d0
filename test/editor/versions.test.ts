import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAction } from 'vscode-languageserver';
import type { VersionsAnswer } from '../../server/src/editor/requests/versions.ts';
import { askedNames } from '../harness/asked-names.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import type { InlineCatalog } from '../harness/service.ts';
import { strictClient } from './strict-client.ts';

/** Many versions, the newest of another license, one deprecated, the older ones affected. */
const many = Array.from({ length: 200 }, (_, at) => `3.0.${at}`);
const catalog: InlineCatalog = {
  'NPM lodash': {
    versions: {
      '4.17.15': { publishedAt: '2019-07-19T00:00:00Z', licenses: ['MIT'] },
      '4.17.20': { publishedAt: '2020-08-13T00:00:00Z', licenses: ['MIT'], deprecated: 'broken build' },
      '4.17.21': { publishedAt: '2021-02-20T00:00:00Z', licenses: ['MIT'] },
      '5.0.0-rc.1': { publishedAt: '2022-01-01T00:00:00Z', licenses: ['ISC'] },
      '5.0.0': { publishedAt: '2022-02-02T00:00:00Z', isDefault: true, licenses: ['ISC'] },
    },
  },
  'NPM young': {
    shared: { licenses: ['MIT'] },
    versions: {
      '1.0.0': { publishedAt: '2020-01-01T00:00:00Z' },
      '2.0.0': { publishedAt: new Date(Date.now() - 2 * 24 * 3_600_000).toISOString(), isDefault: true },
    },
  },
  'NPM worn': { shared: { deprecated: 'use another' }, versions: ['1.0.0', '1.1.0', '1.2.0'] },
  'NPM many': { versions: [...many, '4.0.0'], shared: { licenses: ['MIT'] } },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype pollution',
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '3.7.0', fixed: '4.17.19' }] }],
  },
};

const service = await startServiceForFile(catalog);

const uri = 'file:///w/package.json';
const manifest = `{
  "dependencies": {
    "lodash": "4.17.15",
    "many": "3.0.0",
    "unheard-of": "1.0.0",
    "@acme/inside": "file:../inside"
  }
}
`;
const placeOf = (name: string, version: string) => ({ uri, name, offset: manifest.indexOf(version) });
const lodash = placeOf('lodash', '4.17.15');

type Client = Awaited<ReturnType<typeof strictClient>>;

async function opened(capabilities: object = {}): Promise<Client> {
  const client = await strictClient({
    capabilities: {
      textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
      ...capabilities,
    },
    settings: { baseUrl: service.url },
  });
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  return client;
}

function versions(client: Client, params: object): Promise<VersionsAnswer> {
  return client.connection.sendRequest('packageInsights/versions', params);
}

test('the list of versions has the targets first and all others newest first, with step, date and flags', async () => {
  const client = await opened();
  const answer = await versions(client, lodash);
  assert.ok(answer.kind === 'list');
  assert.equal(answer.current, '4.17.15');
  assert.deepEqual(
    answer.targets.map((it) => [it.version, it.kinds.join(), it.notes.join(' · ')]),
    [
      ['4.17.21', 'safe,in-major', 'patch · fixes the vulnerability · 2021-02-20'],
      ['5.0.0', 'default', 'major · fixes the vulnerability · license MIT → ISC · 2022-02-02'],
    ],
  );
  assert.deepEqual(
    answer.versions.map((it) => [it.version, it.notes.join(' · '), it.isDeprecated]),
    [
      ['5.0.0-rc.1', 'major · 2022-01-01 · pre-release', false],
      ['4.17.20', 'patch · 2020-08-13 · deprecated', true],
      ['4.17.15', 'in use · 2019-07-19', false],
    ],
  );
  await client.stop();
});

test('details of versions are looked up for those that are requested, and for no others', async () => {
  const client = await opened();
  const answer = await versions(client, { ...lodash, versions: ['4.17.15', '4.17.20', '9.9.9'] });
  assert.deepEqual(answer, {
    kind: 'details',
    details: [
      { version: '4.17.15', notes: ['1 vulnerability, high 7.4', 'MIT'], isAffected: true, isMalicious: false },
      { version: '4.17.20', notes: ['no known vulnerabilities', 'MIT'], isAffected: false, isMalicious: false },
    ],
  });
  const before = service.requests.length;
  const list = await versions(client, placeOf('many', '3.0.0'));
  assert.ok(list.kind === 'list' && list.versions.length > 190);
  const details = await versions(client, { ...placeOf('many', '3.0.0'), versions: many.slice(100, 150) });
  assert.ok(details.kind === 'details');
  assert.equal(details.details.length, 50);
  // The list, its targets and one batch: not 200 lookups.
  assert.ok(service.requests.length - before <= 5, String(service.requests.length - before));
  await client.stop();
});

test('what is not looked up has no list of versions, and says why', async () => {
  const client = await opened();
  const before = service.requests.length;
  for (const [name, version, reason] of [
    ['unheard-of', '1.0.0', /does not know unheard-of/],
    ['@acme/inside', 'file:../inside', /No versions of @acme\/inside/],
    ['gone', '1.0.0', /no longer in this file/],
  ] as const) {
    const answer = await versions(client, placeOf(name, version));
    assert.ok(answer.kind === 'none', name);
    assert.match(answer.reason, reason);
  }
  const asked = askedNames(service.requests.slice(before));
  assert.deepEqual(
    asked.filter((it) => it !== 'lodash' && it !== 'many'),
    [],
  );
  await assert.rejects(versions(client, { uri, offset: 'there' }), /InvalidParams|not what it needs/);
  await client.stop();
});

test('our extension is offered the choice after the updates, other clients are not', async () => {
  const position = { line: 2, character: 16 };
  const params = { range: { start: position, end: position }, context: { diagnostics: [], triggerKind: 1 } };
  const commands = { experimental: { packageInsightsCommands: true, packageInsightsUpdated: true } };
  const client = await opened(commands);
  // An answer waits for the facts of the targets as long as its patience lasts: on a busy machine, not long enough.
  let actions: readonly CodeAction[];
  do actions = await client.ask<CodeAction[]>('textDocument/codeAction', uri, params);
  while (actions.some((it) => it.title.includes('not checked yet')));
  assert.deepEqual(
    actions.map((it) => it.title),
    [
      'Update lodash to 4.17.21 (patch, fixes the vulnerability, latest minor)',
      'Update lodash to 5.0.0 (major, fixes the vulnerability, latest, license MIT → ISC)',
      'Choose a version of lodash…',
    ],
  );
  assert.deepEqual(actions[2]?.command?.arguments, [lodash]);
  // The offer to install follows every update.
  for (const at of [0, 1]) assert.deepEqual(actions[at]?.command?.arguments, [{ uri }]);
  await client.stop();

  const plain = await opened();
  const others = await plain.ask<CodeAction[]>('textDocument/codeAction', uri, params);
  assert.ok(others.every((it) => it.command === undefined && !it.title.startsWith('Choose')));
  await plain.stop();
});

test('where no version is better, the list of them comes last', async () => {
  const commands = {
    experimental: { packageInsightsCommands: true },
    window: { showDocument: { support: true } },
    workspace: { applyEdit: true },
  };
  const client = await opened(commands);
  const hopeless = 'file:///w/hopeless/package.json';
  await client.open(hopeless, '{\n"dependencies": {\n"worn": "1.0.0"\n} }');
  await client.pushed(hopeless, (all) => all.length > 0);
  const position = { line: 2, character: 10 };
  const params = { range: { start: position, end: position }, context: { diagnostics: [], triggerKind: 1 } };
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', hopeless, params);
  assert.deepEqual(
    actions.map((it) => it.title.replace(/ until .*/, '')),
    ['Ignore “deprecated” for worn', 'Choose a version of worn…'],
  );
  await client.stop();
});

test('the list says which setting keeps a young version back', async () => {
  const client = await strictClient({ settings: { baseUrl: service.url, cooldownDays: 7 } });
  const place = 'file:///w/young/package.json';
  const text = '{ "dependencies": { "young": "1.0.0" } }';
  await client.open(place, text);
  const answer = await versions(client, { uri: place, name: 'young', offset: text.indexOf('1.0.0') });
  assert.ok(answer.kind === 'list');
  assert.deepEqual(answer.targets, []);
  const [newest] = answer.versions;
  assert.equal(newest?.version, '2.0.0');
  assert.ok(
    newest?.notes.includes('within the cooldown of 7 days (packageInsights.cooldownDays)'),
    newest?.notes.join(),
  );
  await client.stop();
});
