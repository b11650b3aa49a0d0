import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities, CodeAction, Hover, Position } from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);
const uri = 'file:///w/package.json';
const textDocument: NonNullable<ClientCapabilities['textDocument']> = {
  codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
};

const apart = `{
  "dependencies": {
    "lodash": "4.17.15"
  }
}
`;
const together = '{ "dependencies": { "lodash": "4.17.15", "request": "2.88.2" } }';

async function opened(text: string, capabilities: ClientCapabilities = { textDocument }): Promise<StrictClient> {
  const client = await strictClient({ capabilities, settings: { baseUrl: service.url }, answer: () => null });
  await client.open(uri, text);
  // It waits for all there is to know.
  const before = text.slice(0, text.indexOf('lodash')).split('\n');
  await hoverAt(client, before.length - 1, before.at(-1)?.length ?? 0);
  return client;
}

async function hoverAt(client: StrictClient, line: number, character: number): Promise<Hover | null> {
  return client.ask<Hover | null>('textDocument/hover', uri, { position: { line, character } });
}

async function fixesAt(client: StrictClient, start: Position, diagnostics: readonly object[] = []): Promise<number> {
  const asked = { range: { start, end: start }, context: { diagnostics } };
  return (await client.ask<CodeAction[]>('textDocument/codeAction', uri, asked)).length;
}

test('a dependency with a line to itself is meant anywhere on that line, and by a hover not in the indentation', async () => {
  const client = await opened(apart);
  const onName = await hoverAt(client, 2, 6);
  assert.deepEqual(onName?.range, { start: { line: 2, character: 5 }, end: { line: 2, character: 11 } });
  for (const character of [4, 12, 23, 99]) {
    assert.deepEqual(await hoverAt(client, 2, character), { contents: onName.contents }, `at ${character}`);
  }
  assert.equal(await hoverAt(client, 2, 2), null);
  assert.equal(await hoverAt(client, 1, 5), null);
  assert.equal(await fixesAt(client, { line: 2, character: 0 }), 1);
  assert.equal(await fixesAt(client, { line: 1, character: 0 }), 0);
  await client.stop();
});

test('of several on one line it must be said which', async () => {
  const client = await opened(together);
  const between = together.indexOf(',');
  assert.equal(await hoverAt(client, 0, between + 1), null);
  assert.equal(await fixesAt(client, { line: 0, character: between + 1 }), 0);
  assert.equal(await fixesAt(client, { line: 0, character: together.indexOf('4.17') }), 1);
  await client.stop();
});

test('Kate names the finding that the mouse is over, wherever its cursor is', async () => {
  const client = await opened(apart);
  const [finding] = await client.pushed(uri, (all) => all.length === 1);
  assert.ok(finding);
  const cursor = { line: 0, character: 0 };
  assert.equal(await fixesAt(client, cursor, [finding]), 1);
  assert.equal(await fixesAt(client, cursor, [{ ...finding, source: 'json' }]), 0);
  await client.stop();
});

test('who prefers plain text is given plain text, and who says nothing', async () => {
  for (const [contentFormat, kind] of [
    [['markdown', 'plaintext'], 'markdown'],
    [['plaintext', 'markdown'], 'plaintext'],
    [[], 'plaintext'],
  ] as const) {
    const client = await opened(apart, { textDocument: { hover: { contentFormat: [...contentFormat] } } });
    const hover = await hoverAt(client, 2, 6);
    assert.equal((hover?.contents as { kind?: string } | undefined)?.kind, kind);
    await client.stop();
  }
});
