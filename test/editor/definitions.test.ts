import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CodeAction, Hover, InlayHint } from 'vscode-languageserver';
import type { VersionsAnswer } from '../../server/src/editor/requests/versions.ts';
import { askedNames } from '../harness/asked-names.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* A parent that only defines a version is open; the dependencies are in manifests that are not. */

const parent = 'file:///w/pom.xml';
const coordinates = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';
const parentText = `<project>
  ${coordinates}
  <properties>
    <a.version>1.0</a.version>
  </properties>
</project>
`;

function moduleText(artifact: string, more = ''): string {
  const dependency = `<dependency><groupId>g</groupId><artifactId>${artifact}</artifactId><version>\${a.version}</version></dependency>`;
  return `<project><parent>${coordinates}</parent><artifactId>m</artifactId>${more}<dependencies>${dependency}</dependencies></project>`;
}

interface Opened {
  readonly client: StrictClient;
  readonly service: StartedService;
}

/** @param versionsOfB those of `g:b`, which has no problem */
async function open(
  t: TestContext,
  files: Map<string, string>,
  answer?: () => unknown,
  versionsOfB: readonly string[] = ['1.0', '2.0'],
): Promise<Opened> {
  const service = await startService({
    'MAVEN g:a': { versions: ['1.0', '2.0'] },
    'MAVEN g:b': { versions: versionsOfB },
    'advisory GHSA-1': {
      title: 'Code execution',
      cvss3Score: 9.8,
      affected: [{ system: 'MAVEN', name: 'g:a', ranges: [{ introduced: '0', fixed: '2.0' }] }],
    },
  });
  t.after(() => service.close());
  const client = await strictClient({
    capabilities: {
      textDocument: {
        publishDiagnostics: {},
        inlayHint: {},
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
      },
      experimental: { packageInsightsCommands: true },
      window: { showDocument: { support: true } },
      workspace: { applyEdit: true, inlayHint: { refreshSupport: true } },
    },
    settings: { baseUrl: service.url },
    initialize: { workspaceFolders: [{ uri: 'file:///w', name: 'w' }] },
    files: {
      read: async (uri) => files.get(uri),
      find: async (directory, matches) =>
        [...files.keys()].filter((it) => it.startsWith(directory) && matches.test(it)),
    },
    ...(answer && { answer }),
  });
  t.after(() => client.stop());
  await client.open(parent, parentText);
  return { client, service };
}

function modules(...artifacts: readonly string[]): Map<string, string> {
  return new Map([
    [parent, parentText],
    ...artifacts.map((it, at) => [`file:///w/m${at}/pom.xml`, moduleText(it)] as const),
  ]);
}

async function hints(client: StrictClient): Promise<string[]> {
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const all = await client.ask<InlayHint[]>('textDocument/inlayHint', parent, { range });
  return all.map(({ label }) => (typeof label === 'string' ? label : label.map((it) => it.value).join('')));
}

test('a parent that is open alone shows the findings of its modules where their version is defined', async (t) => {
  const { client } = await open(t, modules('a', 'b', 'a'));
  const [found] = await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  assert.equal(found?.message, 'a: 1 vulnerability, critical 9.8, fixed in 2.0.');
  assert.equal(found.severity, 3);
  assert.deepEqual(found.range, { start: { line: 3, character: 15 }, end: { line: 3, character: 18 } });
  assert.deepEqual(await hints(client), ['⚠ critical → 2.0 (major) · 1 vulnerability']);
  const position = { line: 3, character: 8 };
  const hover = await client.ask<Hover>('textDocument/hover', parent, { position });
  assert.match(JSON.stringify(hover), /a\.version.*affects 3 dependencies/);
});

test('a definition keeps its answer while its file is edited, and loses it with the problem', async (t) => {
  const { client } = await open(t, modules('a'));
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  await client.change(parent, 2, `<!-- -->\n${parentText}`);
  assert.deepEqual(await hints(client), ['⚠ critical → 2.0 (major) · 1 vulnerability']);
  await client.pushed(parent, (all) => all[0]?.range.start.line === 4);
  await client.change(parent, 3, parentText.replace('1.0', '2.0'));
  await client.pushed(parent, (all) => all.length === 0);
});

test('a dependency that a module gains is found once it is saved', async (t) => {
  const files = modules('b');
  const { client } = await open(t, files);
  files.set('file:///w/m0/pom.xml', moduleText('a'));
  const changes = [{ uri: 'file:///w/m0/pom.xml', type: 2 }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
});

test('a dependency of a module with a registry of its own is not looked up from its parent', async (t) => {
  const files = modules('a');
  const repository =
    '<repositories><repository><id>i</id><url>https://maven.acme.example/</url></repository></repositories>';
  files.set('file:///w/m1/pom.xml', moduleText('secret', repository));
  const { client, service } = await open(t, files);
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  const hover = await client.ask<Hover>('textDocument/hover', parent, { position: { line: 3, character: 8 } });
  assert.match(JSON.stringify(hover), /Not checked: g:secret/);
  assert.deepEqual(
    askedNames(service.requests).filter((it) => it.includes('secret')),
    [],
  );
});

test('the update of a definition is a command, as for a dependency', async (t) => {
  const edits: unknown[] = [];
  const { client } = await open(t, modules('a'), () => ({ applied: true }));
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  const request = { uri: parent, offset: 100, name: 'a.version', version: '2.0' };
  const params = { command: 'packageInsights.server.update', arguments: [request] };
  assert.ok(await client.connection.sendRequest('workspace/executeCommand', params));
  edits.push(...client.sent.filter((it) => it.method === 'workspace/applyEdit').map((it) => it.params));
  assert.match(JSON.stringify(edits), /"newText":"2\.0"/);
});

const inTheValue = { line: 3, character: 16 };

function actions(client: StrictClient): Promise<CodeAction[]> {
  const range = { start: inTheValue, end: inTheValue };
  return client.ask<CodeAction[]>('textDocument/codeAction', parent, { range, context: { diagnostics: [] } });
}

test('a definition offers its update, a choice of versions and an ignore, as a dependency does', async (t) => {
  const { client } = await open(t, modules('a', 'b'), () => ({ applied: true }));
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  const all = await actions(client);
  const until = /until .*/;
  assert.deepEqual(
    all.map((it) => it.title.replace(until, 'until …')),
    [
      'Update a.version to 2.0 (major, fixes the vulnerability, latest, affects 2 dependencies)',
      'Choose a version of a.version…',
      'Ignore GHSA-1 for g:a until …',
    ],
  );
  const hover = await client.ask<Hover>('textDocument/hover', parent, { position: { line: 3, character: 8 } });
  assert.match(JSON.stringify(hover), /Ignore…/);
});

test('an ignore at a definition concerns the package that has the finding', async (t) => {
  const { client } = await open(t, modules('a'), () => ({ applied: true }));
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  const ignore = (await actions(client)).find((it) => it.title.startsWith('Ignore'));
  const [request] = ignore?.command?.arguments ?? [];
  assert.equal(request.package, 'maven/g:a');
  assert.equal(request.uri, 'file:///w/m0/pom.xml');
});

test('the versions of a definition begin with those that all of its packages have, and name who lacks one', async (t) => {
  const { client } = await open(t, modules('a', 'b'), undefined, ['1.0', '1.5', '2.0', '2.5']);
  await client.pushed(parent, ([it]) => String(it?.message).includes('fixed in'));
  const place = { uri: parent, offset: parentText.indexOf('1.0<'), name: 'a.version' };
  const list = await client.connection.sendRequest<VersionsAnswer>('packageInsights/versions', place);
  assert.ok(list.kind === 'list');
  assert.deepEqual(
    list.targets.map((it) => it.version),
    ['2.0'],
  );
  assert.deepEqual(
    list.versions.map((it) => `${it.version}: ${it.notes.join(' · ')}`),
    ['1.0: in use', '2.5: major · latest · g:a has no such version', '1.5: minor · g:a has no such version'],
  );
  const versions = ['1.0', '1.5', '2.0'];
  const details = await client.connection.sendRequest<VersionsAnswer>('packageInsights/versions', {
    ...place,
    versions,
  });
  assert.ok(details.kind === 'details');
  assert.deepEqual(
    details.details.map((it) => [it.version, it.isAffected]),
    [
      ['1.0', true],
      ['1.5', false],
      ['2.0', false],
    ],
  );
});

test('a definition without a common version says why, and shows the place', async (t) => {
  const { client } = await open(t, modules('a', 'b'), () => ({ success: true }), ['1.0', '1.5']);
  while (!(await hints(client)).join().includes('no common version')) {
    const { length } = client.sent;
    await client.until((sent) => sent.length > length || undefined);
  }
  const why = (await actions(client)).find((it) => it.title === 'Why is a.version not updated to 2.0?');
  const { command = '', arguments: args = [] } = why?.command ?? {};
  await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
  const shown = client.sent.find((it) => it.method === 'window/showDocument');
  assert.match(JSON.stringify(shown?.params), /"uri":"file:\/\/\/w\/pom.xml"/);
  const message = client.sent.find((it) => it.method === 'window/showMessage');
  assert.match(
    JSON.stringify(message?.params),
    /Not updated: g:b has no 2\.0; newest of both: 1\.0 \(a\.version → 2\.0\)/,
  );
});

test('a fix through the property of a parent names the packages of other modules that lack the version', async (t) => {
  const files = modules('a', 'b');
  const { client } = await open(t, files, undefined, ['1.0', '1.5']);
  const [first, second] = ['file:///w/m0/pom.xml', 'file:///w/m1/pom.xml'];
  const text = files.get(first) ?? '';
  const titles = async (): Promise<readonly string[]> => {
    const start = { line: 0, character: text.indexOf('${a.version}') };
    const params = { range: { start, end: start }, context: { diagnostics: [] } };
    const all = await client.ask<CodeAction[]>('textDocument/codeAction', first, params);
    return all.filter((it) => it.edit).map((it) => it.title);
  };
  await client.close(parent);
  await client.open(first, text);
  await client.pushed(first, ([it]) => String(it?.message).includes('fixed in'));
  const title = 'Update g:a to 2.0 through ${a.version} in ../pom.xml';
  const notes = 'major, fixes the vulnerability, latest, affects 2 dependencies';
  await client.open(second, files.get(second) ?? '');
  await client.ask('textDocument/hover', second, { position: { line: 0, character: text.indexOf('${a.version}') } });
  while (!(await titles()).includes(`${title} (${notes}, g:b has no such version)`)) {
    const { length } = client.sent;
    await client.until((sent) => sent.length > length || undefined);
  }
});
