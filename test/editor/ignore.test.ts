import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  CodeAction,
  Diagnostic,
  InlayHint,
  ShowDocumentParams,
} from 'vscode-languageserver';
import { startServiceForFile } from '../harness/file-service.ts';
import { catalog, everything, manifest, onLodash } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const service = await startServiceForFile(catalog);

const uri = 'file:///w/package.json';
const projectUri = 'file:///w/.package-insights.json';
const ignoring = `{
  "ignores": [
    { "id": "GHSA-p6mc-m468-83gw", "reason": "not reachable" },
    { "id": "deprecated", "package": "pypi/request", "reason": "of another system" },
    { "id": "deprecated", "reason": "long ago", "until": "2001-01-01" }
  ]
}
`;

const able: ClientCapabilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
};

async function clientWith(given: { capabilities?: ClientCapabilities; isTrusted?: boolean }): Promise<StrictClient> {
  const { capabilities = able, ...settings } = given;
  return strictClient({
    capabilities,
    settings: { baseUrl: service.url, ...settings },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : null),
  });
}

async function ignoreActions(client: StrictClient): Promise<CodeAction[]> {
  const params = { textDocument: { uri }, range: everything, context: { diagnostics: [] } };
  const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', params);
  return actions.filter((it) => it.title.startsWith('Ignore '));
}

test('an action adds an ignore to a project file that is not there yet', async () => {
  const client = await clientWith({});
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  const actions = await ignoreActions(client);
  assert.deepEqual(
    actions.map((it) => it.title.replace(/\d{4}-\d\d-\d\d/, 'DAY')),
    ['Ignore GHSA-p6mc-m468-83gw for lodash until DAY', 'Ignore “deprecated” for request until DAY'],
  );
  const answer = await client.connection.sendRequest('workspace/executeCommand', actions[0]?.command);
  assert.deepEqual(answer, { uri: projectUri });
  const applied = await client.until((all) => all.find((it) => it.method === 'workspace/applyEdit'));
  const [create, change] = (applied.params as ApplyWorkspaceEditParams).edit.documentChanges ?? [];
  assert.deepEqual(create, { kind: 'create', uri: projectUri, options: { ignoreIfExists: true } });
  assert.ok(change && 'edits' in change && change.edits[0] && 'newText' in change.edits[0]);
  assert.match(
    change.edits[0].newText,
    /"id": "GHSA-p6mc-m468-83gw", "package": "npm\/lodash", "reason": "reason still to be given"/,
  );
  await client.stop();
});

test('a client that asks for reasons itself is given its own command', async () => {
  const client = await clientWith({ capabilities: { ...able, experimental: { packageInsightsIgnore: true } } });
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2 && JSON.stringify(all).includes('high 7.4'));
  const [action] = await ignoreActions(client);
  assert.equal(action?.command?.command, 'packageInsights.ignore');
  assert.match(action.title, /…$/);
  const [request] = action.command.arguments ?? [];
  assert.deepEqual([request.id, request.about], ['GHSA-p6mc-m468-83gw', 'high 7.4 · Prototype pollution']);
  await client.stop();
});

test('what is typed into a project file holds at once, and its mistakes are shown there', async () => {
  const client = await clientWith({});
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  await client.open(projectUri, ignoring);
  const left = await client.pushed(uri, (all) => all.length === 1);
  assert.equal(left[0]?.code, 'deprecated');
  const [ended] = await client.pushed(projectUri, (all) => all.length === 1);
  assert.equal(ended?.message, 'This ignore expired on 2001-01-01: the finding is reported again.');
  assert.equal(ended.range.start.line, 4);
  await client.stop();
});

test('the mistakes of a project file are not pulled, so they are pushed to a client that pulls findings, too', async () => {
  const textDocument = { diagnostic: {}, publishDiagnostics: {} };
  const workspace = { ...able.workspace, diagnostics: { refreshSupport: true } };
  const client = await clientWith({ capabilities: { workspace, textDocument } });
  await client.open(projectUri, ignoring);
  await client.pushed(projectUri, (all) => all.length === 1);
  await client.close(projectUri);
  await client.pushed(projectUri, (all) => all.length === 0);
  await client.stop();
});

test('an editor that watches no files opens the project file that it is to edit, and edits it at once', async () => {
  const textDocument = { diagnostic: {} };
  const workspace = { ...able.workspace, diagnostics: { refreshSupport: true } };
  const client = await clientWith({ capabilities: { workspace, textDocument } });
  const codes = async (): Promise<readonly unknown[]> => {
    const { items } = await client.ask<{ items: Diagnostic[] }>('textDocument/diagnostic', uri);
    return items.map((it) => it.code);
  };
  await client.open(uri, manifest);
  await client.ask('textDocument/hover', uri, { position: onLodash });
  assert.deepEqual(await codes(), ['advisory', 'deprecated']);
  let seen = client.sent.length;
  await client.open(projectUri, '\n');
  await client.change(projectUri, 2, ignoring);
  // The client asks again when it is told to: for the empty file, for its text, or once for both.
  for (let told = await codes(); told.length > 1; told = await codes()) {
    const refresh = (it: { readonly method: string }): boolean => it.method === 'workspace/diagnostic/refresh';
    const at = await client.until((all) => all.findIndex((it, index) => index >= seen && refresh(it)) + 1 || undefined);
    seen = at;
  }
  assert.deepEqual(await codes(), ['deprecated']);
  await client.stop();
});

test('an editor that goes by the schema is not told of a mistake twice', async () => {
  const mistakes =
    '{ "baseUrl": "x", "cooldownDays": "7", "ignores": [{ "id": "X" }], "licenses": { "deny": ["GPL3"] } }';
  for (const [packageInsightsSchema, count] of [
    [false, 4],
    [true, 1],
  ] as const) {
    const client = await clientWith({ capabilities: { ...able, experimental: { packageInsightsSchema } } });
    await client.open(projectUri, mistakes);
    const told = await client.pushed(projectUri, (all) => all.length > 0);
    assert.equal(told.length, count);
    assert.ok(told.some((it) => String(it.message).includes('GPL3')));
    await client.stop();
  }
});

test('nothing is hidden in a workspace that is not trusted, until it is', async () => {
  const client = await clientWith({ isTrusted: false });
  await client.open(projectUri, ignoring);
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 2);
  await client.connection.sendNotification('packageInsights/trusted', {});
  await client.pushed(uri, (all) => all.length === 1);
  await client.stop();
});

test('what is ignored is on the line, and its menu leads to the entry and takes it out', async () => {
  const capabilities = {
    ...able,
    window: { showDocument: { support: true } },
    textDocument: { ...able.textDocument, inlayHint: {} },
  };
  const client = await clientWith({ capabilities });
  await client.open(projectUri, ignoring);
  await client.open(uri, manifest);
  await client.pushed(uri, (all) => all.length === 1);
  const hints = await client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range: everything });
  assert.match(JSON.stringify(hints[0]?.label), /4\.17\.21 · 1 ignored/);
  const [edit] = await actionsOf(client, 'Edit the Ignore');
  assert.equal(edit?.title, 'Edit the Ignore of GHSA-p6mc-m468-83gw for lodash…');
  await client.connection.sendRequest('workspace/executeCommand', edit.command);
  const { params } = await client.until((all) => all.find((it) => it.method === 'window/showDocument'));
  assert.deepEqual((params as ShowDocumentParams).selection?.start, { line: 2, character: 4 });
  const [stop] = await actionsOf(client, 'Stop Ignoring');
  assert.equal(stop?.title, 'Stop Ignoring GHSA-p6mc-m468-83gw for lodash in Every Package');
  await client.connection.sendRequest('workspace/executeCommand', stop.command);
  const applied = await client.until((all) => all.find((it) => it.method === 'workspace/applyEdit'));
  const [change] = (applied.params as ApplyWorkspaceEditParams).edit.documentChanges ?? [];
  assert.ok(change && 'edits' in change && change.edits[0] && 'newText' in change.edits[0]);
  assert.deepEqual(change.edits[0], {
    range: { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } },
    newText: '',
  });
  await client.stop();
});

test('a command with arguments that are none does nothing', async () => {
  const client = await clientWith({});
  const command = 'packageInsights.server.ignore';
  for (const args of [undefined, [], [5], [{ uri }], [{ uri, id: 'x', reason: '' }]]) {
    assert.equal(await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args }), null);
  }
  assert.ok(!client.sent.some((it) => it.method === 'workspace/applyEdit'));
  await client.stop();
});

const unknownManifest = '{ "dependencies": { "@acme/ui": "1.0.0", "lodash": "4.17.15" } }\n';

/** The actions at every dependency with a title that contains a text. */
async function actionsOf(client: StrictClient, part: string): Promise<CodeAction[]> {
  const params = { textDocument: { uri }, range: everything, context: { diagnostics: [] } };
  const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', params);
  return actions.filter((it) => it.title.includes(part));
}

test('the scope of an unknown package is declared private, and its name is not sent any more', async () => {
  const client = await clientWith({});
  await client.open(uri, unknownManifest);
  await client.pushed(uri, (all) => all.some((it) => it.code === 'not-found'));
  const [action, ...others] = await actionsOf(client, 'This scope is private');
  assert.deepEqual(others, []);
  assert.equal(action?.title, 'This scope is private: do not look up npm/@acme/*');
  assert.deepEqual(
    action.diagnostics?.map((it) => it.code),
    ['not-found'],
  );
  const answer = await client.connection.sendRequest('workspace/executeCommand', action.command);
  assert.deepEqual(answer, { uri: projectUri });
  const applied = await client.until((all) => all.find((it) => it.method === 'workspace/applyEdit'));
  const [create, change] = (applied.params as ApplyWorkspaceEditParams).edit.documentChanges ?? [];
  assert.deepEqual(create, { kind: 'create', uri: projectUri, options: { ignoreIfExists: true } });
  assert.ok(change && 'edits' in change && change.edits[0] && 'newText' in change.edits[0]);
  const { newText } = change.edits[0];
  assert.equal(newText, '{\n  "private": [\n    "npm/@acme/*"\n  ]\n}\n');
  // With that text there is nothing to find, and another name of the scope is not asked about.
  await client.open(projectUri, newText);
  await client.pushed(uri, (all) => !all.some((it) => it.code === 'not-found'));
  const before = service.requests.length;
  await client.change(uri, 2, unknownManifest.replace('@acme/ui', '@acme/secret').replace('4.17.15', '4.17.21'));
  await client.pushed(uri, (all) => all.length === 0);
  const asked = service.requests.slice(before).map((it) => JSON.stringify(it));
  assert.ok(!asked.some((it) => it.includes('secret')), asked.join('\n'));
  assert.deepEqual(await actionsOf(client, 'This '), []);
  await client.stop();
});

test('a workspace that is not trusted keeps names private, too', async () => {
  const client = await clientWith({ isTrusted: false });
  const before = service.requests.length;
  await client.open(projectUri, '{ "private": ["@acme/*"] }');
  await client.open(uri, unknownManifest);
  await client.pushed(uri, (all) => all.some((it) => it.code === 'advisory'));
  const asked = service.requests.slice(before).map((it) => JSON.stringify(it));
  assert.ok(!asked.some((it) => it.includes('acme')), asked.join('\n'));
  await client.stop();
});

test('a client of our own asks before a registry counts as public; others have no such action', async () => {
  const settings = { baseUrl: service.url };
  const npmrc = '@acme:registry=https://npm.acme.example/\n';
  const files = { read: async (it: string) => (it.endsWith('/.npmrc') ? npmrc : undefined), find: async () => [] };
  for (const [experimental, titles] of [
    [
      { packageInsightsCommands: true },
      ['Ask npm.acme.example about its packages…', 'npm.acme.example is a public registry: look up its packages…'],
    ],
    [{}, []],
  ] as const) {
    const client = await strictClient({ capabilities: { ...able, experimental }, settings, files, answer: () => null });
    await client.open(uri, unknownManifest);
    await client.pushed(uri, (all) => all.some((it) => it.code === 'advisory'));
    const actions = await actionsOf(client, 'npm.acme.example');
    assert.deepEqual(
      actions.map((it) => it.title),
      titles,
    );
    const commands = ['packageInsights.askRegistries', 'packageInsights.addPublicRegistry'];
    for (const [at, { command }] of actions.entries()) {
      assert.equal(command?.command, commands[at]);
      assert.deepEqual(command?.arguments, [{ host: 'npm.acme.example' }]);
    }
    await client.stop();
  }
});
