import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApplyWorkspaceEditParams, CodeAction, TextDocumentEdit } from 'vscode-languageserver';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from '../terminal/program.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const manifest = '{ "packageManager": "pnpm@11.0.0", "dependencies": { "express": "^4.17.0" } }\n';
const lockfile = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      express:
        specifier: ^4.17.0
        version: 4.17.0
packages:
  express@4.17.0:
    resolution: {integrity: sha512-AAAA}
  qs@6.11.0:
    resolution: {integrity: sha512-AAAA}
snapshots:
  express@4.17.0:
    dependencies:
      qs: 6.11.0
  qs@6.11.0: {}
`;
const requires = (requirement: string) => ({
  requirements: { npm: { dependencies: { dependencies: [{ name: 'qs', requirement }] } } },
});
const service = await startServiceForFile({
  'NPM express': { versions: { '4.17.0': requires('6.11.0'), '4.18.0': { isDefault: true, ...requires('6.11.0') } } },
  'NPM body': { versions: { '1.0.0': { isDefault: true, ...requires('^6.11.0') } } },
  'NPM qs': { versions: ['6.11.0', '6.12.0'] },
  'advisory GHSA-hrpp-h998-j3pp': {
    title: 'qs is slow',
    cvss3Score: 7.5,
    affected: [{ system: 'NPM', name: 'qs', ranges: [{ introduced: '6.0.0', fixed: '6.12.0' }] }],
  },
});
const place = folderWith({ 'package.json': manifest, 'pnpm-lock.yaml': lockfile });
after(() => place.remove());
const uri = fileUri(join(place.path, 'package.json'));

/** What requires `qs` allows the fixed version. */
const lockManifest = '{ "dependencies": { "body": "^1.0.0" } }\n';
const lockPlace = folderWith({
  'package.json': lockManifest,
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { body: '^1.0.0' } },
      'node_modules/body': { version: '1.0.0', dependencies: { qs: '^6.11.0' } },
      'node_modules/qs': { version: '6.11.0' },
    },
  }),
});
after(() => lockPlace.remove());

/** The action of that title for a dependency, once what is below has been looked up in the background. */
async function actionOf(client: StrictClient, uri: string, character: number, title: string): Promise<CodeAction> {
  const start = { line: 0, character };
  for (let at = 0; at < 200; at++) {
    const actions = (await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics: [], triggerKind: 1 },
    })) as CodeAction[];
    const found = actions.find((it) => it.title === title);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail(`“${title}” is offered`);
}

for (const offers of [true, false]) {
  test(`a command is ${offers ? 'offered to run or copy' : 'shown in a sentence'}, and nothing is written`, async () => {
    const client = await strictClient({
      capabilities: {
        workspace: { applyEdit: true },
        experimental: { packageInsightsCommands: true, ...(offers && { packageInsightsCommandLine: true }) },
        textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } } },
      },
      settings: { baseUrl: service.url },
      initialize: { workspaceFolders: [{ uri: fileUri(lockPlace.path), name: 'w' }] },
    });
    const own = fileUri(join(lockPlace.path, 'package.json'));
    await client.open(own, lockManifest);
    const { command } = await actionOf(client, own, lockManifest.indexOf('body'), 'Lock qs 6.12.0 anew');
    assert.ok(command);
    await client.connection.sendRequest('workspace/executeCommand', {
      command: command.command,
      arguments: command.arguments,
    });
    const message = 'Run “npm update qs” beside package-lock.json: all packages that require qs allow 6.12.0.';
    const told = client.sent.filter((it) => /commandLine|showMessage/.test(it.method));
    assert.deepEqual(
      told.map((it) => it.params),
      offers
        ? [{ message, command: 'npm update qs', directory: `${fileUri(lockPlace.path)}/` }]
        : [{ type: 3, message }],
    );
    assert.deepEqual(applied(client), []);
    await client.stop();
  });
}

const applied = ({ sent }: StrictClient): ApplyWorkspaceEditParams[] =>
  sent.filter((it) => it.method === 'workspace/applyEdit').map((it) => it.params as ApplyWorkspaceEditParams);

test('an override is one edit that a person can undo, in the file that the version of pnpm reads', async () => {
  const client = await strictClient({
    capabilities: {
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
      experimental: { packageInsightsCommands: true },
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
    settings: { baseUrl: service.url },
    initialize: { workspaceFolders: [{ uri: fileUri(place.path), name: 'w' }] },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : null),
  });
  await client.open(uri, manifest);
  const start = { line: 0, character: manifest.indexOf('express') };
  const found = await actionOf(client, uri, start.character, 'Override qs with 6.12.0');
  assert.ok(found.command);
  const hover = (await client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri },
    position: start,
  })) as { readonly contents: { readonly value: string } };
  assert.match(hover.contents.value, /\[Override qs with 6\.12\.0\]\(command:packageInsights\.server\.wayOut\?/);
  assert.deepEqual(applied(client), [], 'nothing is written before it is chosen');
  const { command, arguments: args } = found.command;
  await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
  const [written, ...others] = applied(client);
  assert.deepEqual(others, []);
  assert.equal(written?.label, 'Override qs with 6.12.0');
  const [create, change] = written?.edit.documentChanges ?? [];
  const workspace = fileUri(join(place.path, 'pnpm-workspace.yaml'));
  assert.deepEqual(create, { kind: 'create', uri: workspace, options: { ignoreIfExists: true } });
  const { textDocument, edits } = change as TextDocumentEdit;
  assert.equal(textDocument.uri, workspace);
  assert.deepEqual(
    edits.map((it) => ('newText' in it ? it.newText : '')),
    ['overrides:\n  qs: 6.12.0\n'],
  );
  // The package is not affected in this version, and arguments come from anywhere.
  for (const bad of [
    { affected: '6.10.0' },
    { package: 'x' },
    { kind: 'other' },
    { name: 5 },
    { uri: 'file:///etc/passwd' },
  ]) {
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: [{ ...args?.[0], ...bad }] });
  }
  assert.equal(applied(client).length, 1);
  await client.stop();
});
