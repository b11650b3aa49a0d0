import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientCapabilities, WorkspaceEdit } from 'vscode-languageserver';
import type { VersionsAnswer } from '../../server/src/editor/requests/versions.ts';
import { startService } from '../harness/service.ts';
import { strictClient } from './strict-client.ts';

const managing = (version: string) => ({
  requirements: {
    maven: {
      dependencyManagement: [
        { name: 'org.json:databind', version },
        { name: 'org.json:healthy', version: '1.0' },
      ],
    },
  },
});
const service = await startService({
  'MAVEN org.json:json-bom': {
    versions: {
      '1.0': managing('2.0'),
      '1.1': managing('2.0'),
      '1.2': managing('2.1'),
      '1.3': managing('2.1'),
    } as never,
  },
  'MAVEN org.json:databind': { versions: ['2.0', '2.1'] },
  'MAVEN org.json:healthy': { versions: ['1.0', '1.1'] },
  'MAVEN org.json:written': { versions: ['1.0', '1.1'] },
  'advisory GHSA-1111-2222-3333': {
    cvss3Score: 9.8,
    affected: [{ system: 'MAVEN', name: 'org.json:databind', ranges: [{ introduced: '0', fixed: '2.1' }] }] as never,
  },
});
after(() => service.close());

const root = `<project>
  <groupId>com.example</groupId>
  <artifactId>root</artifactId>
  <version>1</version>
  <dependencyManagement><dependencies><dependency>
    <groupId>org.json</groupId><artifactId>json-bom</artifactId><version>1.0</version><type>pom</type><scope>import</scope>
  </dependency></dependencies></dependencyManagement>
</project>`;
const app = `<project>
  <parent><groupId>com.example</groupId><artifactId>root</artifactId><version>1</version></parent>
  <artifactId>app</artifactId>
  <dependencies><dependency><groupId>org.json</groupId><artifactId>databind</artifactId></dependency></dependencies>
</project>`;
const rootUri = 'file:///w/pom.xml';
const uri = 'file:///w/app/pom.xml';
const place = { uri, offset: app.indexOf('databind'), name: 'org.json:databind' };
const capabilities: ClientCapabilities = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
  window: { showDocument: { support: true } },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
};

async function open() {
  const client = await strictClient({
    capabilities,
    settings: { baseUrl: service.url },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : { success: true }),
  });
  await client.open(rootUri, root);
  await client.open(uri, app);
  await client.pushed(uri, (all) => all.some((it) => String(it.message).includes('fixed in 2.1')));
  return client;
}

test('a command looks for the smallest version of a bill that manages a sound one, and updates it where it is written', async () => {
  const client = await open();
  const command = { command: 'packageInsights.server.update', arguments: [{ ...place, way: 'parent' }] };
  assert.equal(await client.connection.sendRequest('workspace/executeCommand', command), true);
  const { edit } = (await client.until((sent) => sent.find((it) => it.method === 'workspace/applyEdit'))).params as {
    readonly edit: WorkspaceEdit;
  };
  const [change] = edit.documentChanges ?? [];
  assert.ok(change && 'edits' in change);
  assert.equal(change.textDocument.uri, rootUri);
  assert.deepEqual(
    change.edits.map((it) => 'newText' in it && it.newText),
    ['1.2'],
  );
  await client.stop();
});

test('the choice of versions begins with the update of the bill', async () => {
  const client = await open();
  const answer = await client.connection.sendRequest<VersionsAnswer>('packageInsights/versions', place);
  assert.ok(answer.kind === 'list');
  assert.deepEqual(answer.managing, [
    { way: 'parent', name: 'org.json:json-bom', version: '1.2', notes: ['manages 2.1', 'minor'] },
  ]);
  await client.stop();
});

test('an explanation shows the version of the bill', async () => {
  const client = await open();
  const request = { ...place, version: '2.1', message: 'It is managed.' };
  const command = { command: 'packageInsights.server.explain', arguments: [request] };
  await client.connection.sendRequest('workspace/executeCommand', command);
  const shown = (await client.until((sent) => sent.find((it) => it.method === 'window/showDocument'))).params as {
    readonly uri: string;
    readonly selection: { readonly start: { readonly line: number; readonly character: number } };
  };
  assert.equal(shown.uri, rootUri);
  const line = root.split('\n')[shown.selection.start.line] ?? '';
  assert.ok(line.slice(shown.selection.start.character).startsWith('1.0</version>'), line);
  await client.stop();
});

test('neither a cursor that moves nor a hover requests what other versions of a bill manage', async () => {
  const client = await open();
  const start = { line: 3, character: app.split('\n')[3]?.indexOf('databind') ?? 0 };
  const before = service.requests.length;
  const context = { diagnostics: [], triggerKind: 2 };
  await client.ask('textDocument/codeAction', uri, { range: { start, end: start }, context });
  await client.ask('textDocument/hover', uri, { position: start });
  const asked = service.requests.slice(before).map((it) => decodeURIComponent(it.path));
  const ofOthers = asked.filter((it) => /json-bom\/versions\/1\.[123]:requirements/.test(it));
  assert.deepEqual(ofOthers, []);
  await client.stop();
});

test('the list of versions of a managed dependency without problems is not requested', async () => {
  const client = await open();
  const healthy = 'file:///w/healthy/pom.xml';
  const [first, last] = app.split('<dependency>');
  const artifact = (id: string, version = '') =>
    `<dependency><groupId>org.json</groupId><artifactId>${id}</artifactId>${version}</dependency>`;
  const all = artifact('healthy') + artifact('written', '<version>1.0</version>');
  await client.open(healthy, `${first}${all}${last?.slice(last.indexOf('</dependency>') + '</dependency>'.length)}`);
  const isListed = (name: string) =>
    service.requests.some((it) => decodeURIComponent(it.path).endsWith(`/packages/org.json:${name}`));
  // The one behind it, whose version is written, is requested in the background, too.
  while (!isListed('written')) await nextTurn();
  assert.equal(isListed('healthy'), false);
  await client.stop();
});
