import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApplyWorkspaceEditParams, CodeAction, TextDocumentEdit } from 'vscode-languageserver';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from '../terminal/program.ts';
import { strictClient } from './strict-client.ts';

const manifest = '{ "dependencies": { "express": "^4.17.0" } }\n';
const lockfile = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { express: '^4.17.0' } },
    'node_modules/express': { version: '4.17.0', dependencies: { qs: '6.11.0' } },
    'node_modules/qs': { version: '6.11.0' },
  },
});
const service = await startServiceForFile({
  'NPM express': { versions: ['4.17.0'] },
  'NPM qs': { versions: ['6.11.0', '6.12.0'] },
  'advisory GHSA-hrpp-h998-j3pp': {
    title: 'qs is slow',
    cvss3Score: 7.5,
    affected: [{ system: 'NPM', name: 'qs', ranges: [{ introduced: '6.0.0', fixed: '6.12.0' }] }],
  },
});
const place = folderWith({ 'package.json': manifest, 'package-lock.json': lockfile });
after(() => place.remove());
const uri = fileUri(join(place.path, 'package.json'));

test('a file that is typed in while a way is taken gets no edit of its former text', async () => {
  const client = await strictClient({
    capabilities: {
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
      textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } } },
      experimental: { packageInsightsCommands: true },
    },
    settings: { baseUrl: service.url },
    initialize: { workspaceFolders: [{ uri: fileUri(place.path), name: 'w' }] },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : null),
  });
  await client.open(uri, manifest);
  const start = { line: 0, character: manifest.indexOf('express') };
  let found: CodeAction | undefined;
  for (let at = 0; at < 200 && !found; at++) {
    const actions = (await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics: [], triggerKind: 1 },
    })) as CodeAction[];
    found = actions.find((it) => it.title === 'Override qs with 6.12.0');
    if (!found) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { command = '', arguments: args } = found?.command ?? {};
  const texts = new Map([[1, manifest]]);
  const taken: Promise<unknown>[] = [];
  for (let version = 2; version <= 20; version++) {
    const text = `${' '.repeat(version)}${manifest}`;
    texts.set(version, text);
    taken.push(client.connection.sendRequest('workspace/executeCommand', { command, arguments: args }));
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }
  await Promise.all(taken);
  const edits = client.sent
    .filter((it) => it.method === 'workspace/applyEdit')
    .map(({ params }) => (params as ApplyWorkspaceEditParams).edit.documentChanges?.[0] as TextDocumentEdit);
  for (const { textDocument, edits: all } of edits) {
    const text = texts.get(textDocument.version ?? 0) ?? '';
    const [edit] = all;
    assert.ok(edit && 'newText' in edit);
    const { start: from, end } = edit.range;
    const written = text.slice(0, from.character) + edit.newText + text.slice(end.character);
    assert.equal(JSON.parse(written).overrides.qs, '6.12.0');
  }
  await client.stop();
});
