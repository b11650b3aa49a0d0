import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities, CompletionItem, CompletionList } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog } from './scratch.ts';
import { strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///w/package.json';
const able: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: { preselectSupport: true, tagSupport: { valueSet: [1] }, documentationFormat: ['markdown'] },
    },
  },
};

async function completed(text: string, capabilities: ClientCapabilities) {
  const client = await strictClient({ capabilities, settings: { baseUrl: service.url }, answer: () => null });
  const at = text.indexOf('|');
  await client.open(uri, text.replace('|', ''));
  const lines = text.slice(0, at).split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const list = await client.ask<CompletionList>('textDocument/completion', uri, { position });
  return { client, list };
}

test('a pinned version is completed from the list of all, which nothing else asked for', async () => {
  const { client, list } = await completed('{ "dependencies": { "lodash": "4.17.2|" } }', able);
  const [first] = list.items;
  assert.equal(list.isIncomplete, false);
  assert.equal(first?.preselect, true);
  assert.match(first?.detail ?? '', /^default version/);
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
