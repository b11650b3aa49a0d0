import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities, CompletionItem, CompletionList, Position } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { json, scriptedServer } from '../harness/scripted-server.ts';
import type { InlineCatalog } from '../harness/service.ts';
import { catalog } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/** A package with five hundred versions, of which some are affected. */
const many: InlineCatalog = {
  'NPM many': {
    versions: {
      ...Object.fromEntries(Array.from({ length: 497 }, (_, at) => [`1.0.${at}`, {}])),
      '1.0.497': {},
      '1.0.498': { deprecated: 'broken', publishedAt: '2024-02-01T00:00:00Z' },
      '1.0.499': { isDefault: true, publishedAt: '2024-03-01T00:00:00Z' },
    },
  },
  'advisory GHSA-2222-2222-2222': {
    cvss3Score: 9.8,
    affected: [{ system: 'NPM', name: 'many', ranges: [{ introduced: '1.0.497', fixed: '1.0.498' }] }],
  },
  'advisory GHSA-3333-3333-3333': {
    cvss3Score: 7.1,
    affected: [{ system: 'NPM', name: 'many', ranges: [{ introduced: '1.0.497', fixed: '1.0.499' }] }],
  },
  'advisory GHSA-4444-4444-4444': {
    cvss3Score: 2,
    affected: [{ system: 'NPM', name: 'many', ranges: [{ introduced: '1.0.420', fixed: '1.0.421' }] }],
  },
};
const service = await startServiceForFile({ ...catalog, ...many });

const uri = 'file:///w/package.json';
const able: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: { preselectSupport: true, tagSupport: { valueSet: [1] }, documentationFormat: ['markdown'] },
    },
  },
};

const hasItems = ({ items }: CompletionList): boolean => items.length > 0;

/** An answer waits for less than a second: like an editor, asks again where more will be known. */
async function askUntil(
  { ask }: StrictClient,
  position: Position,
  isEnough: (list: CompletionList) => boolean,
): Promise<CompletionList> {
  const now = () => ask<CompletionList>('textDocument/completion', uri, { position });
  let list = await now();
  for (let turn = 0; turn < 20 && !isEnough(list); turn++) list = await now();
  return list;
}

async function completed(text: string, capabilities: ClientCapabilities, isEnough = hasItems) {
  const client = await strictClient({ capabilities, settings: { baseUrl: service.url }, answer: () => null });
  const at = text.indexOf('|');
  await client.open(uri, text.replace('|', ''));
  const lines = text.slice(0, at).split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  return { client, list: await askUntil(client, position, isEnough) };
}

test('a pinned version is completed from the list of all, which nothing else asked for', async () => {
  const { client, list } = await completed(
    '{ "dependencies": { "lodash": "4.17.2|" } }',
    able,
    ({ isIncomplete }) => !isIncomplete,
  );
  const [first] = list.items;
  assert.equal(list.isIncomplete, false);
  assert.equal(first?.preselect, true);
  assert.match(first?.detail ?? '', /^latest/);
  assert.deepEqual(first?.textEdit, {
    range: { start: { line: 0, character: 31 }, end: { line: 0, character: 37 } },
    newText: first?.label,
  });
  await client.stop();
});

test('behind a whole version all the others are offered, and asked for again when more is typed', async () => {
  const { client, list } = await completed('{ "dependencies": { "lodash": "4.17.15|" } }', able);
  assert.equal(list.isIncomplete, true);
  assert.deepEqual(
    list.items.map((it) => [it.label, it.filterText]),
    [
      ['4.17.21', '4.17.15'],
      ['4.17.15', '4.17.15'],
    ],
  );
  await client.stop();
});

test('what is known of a version is told when a person looks at it', async () => {
  const { client, list } = await completed('{ "dependencies": { "lodash": "^|" } }', able);
  const affected = list.items.find((it) => it.label === '4.17.15');
  const resolved = await client.connection.sendRequest<CompletionItem>('completionItem/resolve', affected);
  assert.equal(resolved.label, '4.17.15');
  assert.ok(typeof resolved.documentation === 'object');
  assert.match(resolved.documentation.value, /License MIT/);
  assert.match(resolved.documentation.value, /GHSA-/);
  await client.stop();
});

test('a row shows the day, the deprecation and the advisories of its version', async () => {
  const rows = async (capabilities: ClientCapabilities) => {
    const { client, list } = await completed('{ "dependencies": { "many": "^|" } }', capabilities, ({ items }) =>
      JSON.stringify(items.slice(0, 4)).includes('critical'),
    );
    await client.stop();
    return list.items.slice(0, 4).map((it) => [it.label, it.labelDetails, it.detail]);
  };
  const besides = { textDocument: { completion: { completionItem: { labelDetailsSupport: true } } } };
  assert.deepEqual(await rows(besides), [
    ['1.0.499', { detail: '  latest', description: '2024-03-01' }, undefined],
    ['1.0.498', { detail: '  deprecated · ⚠ 1 vulnerability (high)', description: '2024-02-01' }, undefined],
    ['1.0.497', { detail: '  ⚠ 2 vulnerabilities (critical)' }, undefined],
    // What is not known to be affected shows nothing.
    ['1.0.496', {}, undefined],
  ]);
  assert.deepEqual(
    (await rows(able)).map(([, , detail]) => detail),
    ['latest · 2024-03-01', 'deprecated · ⚠ 1 vulnerability (high) · 2024-02-01', '⚠ 2 vulnerabilities (critical)', ''],
  );
});

test('only the versions that are offered are looked up, not those of the whole list', async () => {
  const { client, list } = await completed('{ "dependencies": { "many": "^|" } }', able);
  assert.equal(list.items.length, 300);
  const before = service.requests.length;
  const last = list.items.find((it) => it.label === '1.0.420');
  const resolved = await client.connection.sendRequest<CompletionItem>('completionItem/resolve', last);
  assert.ok(service.requests.length > before, 'the advisory of a version that a person looks at is looked up');
  assert.equal(resolved.detail, '⚠ 1 vulnerability (low)');
  assert.deepEqual(
    [...new Set(service.requests.flatMap(versionsOfMany))].sort((a, b) => b - a),
    Array.from({ length: 300 }, (_, at) => 499 - at),
  );
  await client.stop();
});

/** The versions that a request names: `1.0.200` gives 200. */
function versionsOfMany({ path, body }: { readonly path: string; readonly body: string }): number[] {
  const named = `${path} ${body}`.matchAll(/1\.0\.(\d+)/g);
  return [...named].map(([, last]) => Number(last));
}

test('an item that was never ours is given back as it came, and a closed document has no versions', async () => {
  const { client } = await completed('{ "dependencies": { "lodash": "|" } }', able);
  const stranger = { label: 'x' };
  assert.deepEqual(await client.connection.sendRequest('completionItem/resolve', stranger), stranger);
  await client.close(uri);
  const list = await client.ask<CompletionList>('textDocument/completion', uri, {
    position: { line: 0, character: 31 },
  });
  assert.deepEqual(list.items, []);
  await client.stop();
});

test('no completion is offered to a client that has none', async () => {
  const client = await strictClient({ settings: { baseUrl: service.url }, answer: () => null });
  assert.equal(client.offered.capabilities.completionProvider, undefined);
  await client.stop();
});

test('a row without facts inserts nothing until its command has them', async (t) => {
  const relay = await scriptedServer(async ({ method, path, body }, response) => {
    // Of the version in use alone something is said.
    if (body.includes('4.17.21')) return;
    const answer = await fetch(`${service.url}${path}`, { method, ...(body !== '' && { body }) });
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      .end(await answer.text());
  });
  t.after(() => relay.close());
  const commands = { ...able, workspace: { applyEdit: true } };
  for (const [capabilities, inserted] of [
    [commands, '4.17.15'],
    [able, '4.17.21'],
  ] as const) {
    const client = await strictClient({ capabilities, settings: { baseUrl: relay.url }, answer: () => null });
    t.after(() => client.stop());
    await client.open(uri, '{ "dependencies": { "lodash": "4.17.15" } }');
    const position = { line: 0, character: 37 };
    const list = await askUntil(client, position, hasItems);
    const late = list.items.find((it) => it.label === '4.17.21');
    assert.equal(late?.textEdit?.newText, inserted);
    assert.equal(late?.command?.command, capabilities === commands ? 'packageInsights.server.update' : undefined);
    assert.equal(late?.preselect, capabilities === commands ? undefined : true);
  }
});

test('versions are offered while the list that the document has requested is on its way', async (t) => {
  const slow = await scriptedServer(async (request, response) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { requests = [] } = request.body === '' ? {} : JSON.parse(request.body);
    const responses = requests.map((it: object) => ({ request: it }));
    const versions = ['1.0.0', '2.0.0'].map((version) => ({ versionKey: { system: 'NPM', name: 'lib', version } }));
    const list = { packageKey: { system: 'NPM', name: 'lib' }, versions };
    return json(request.method === 'POST' ? { responses, nextPageToken: '' } : list)(request, response);
  });
  const client = await strictClient({
    settings: { baseUrl: slow.url },
    capabilities: { textDocument: { completion: {} } },
  });
  t.after(async () => {
    await client.stop();
    await slow.close();
  });
  const text = '{ "dependencies": { "lib": "" } }';
  const uri = 'file:///w/typed/package.json';
  await client.open(uri, text);
  const position = { line: 0, character: text.indexOf('""') + 1 };
  const { items } = await client.ask<CompletionList>('textDocument/completion', uri, { position });
  assert.deepEqual(
    items.map((it) => it.label),
    ['2.0.0', '1.0.0'],
  );
});
