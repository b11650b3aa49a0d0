import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApplyWorkspaceEditParams, ClientCapabilities, DocumentLink } from 'vscode-languageserver';
import type { IdentifyAnswer } from '../../server/src/editor/requests/identify.ts';
import type { NoticesAnswer } from '../../server/src/editor/requests/notices.ts';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from '../terminal/program.ts';
import { catalog, manifest } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/** A name that would like to be a link to a command. */
const hostile = 'x\\\\](command:workbench.action.closeWindow) \u202ey';
const linked = {
  [`NPM ${hostile}`]: { versions: { '1.0.0': { links: [{ label: 'SOURCE_REPO', url: 'https://a.example' }] } } },
};

const place = folderWith({ 'w/package.json': manifest, 'outside.json': '{}', 'w/sub/package.json': manifest });
mkdirSync(join(place.path, 'w/d'));
symlinkSync(join(place.path, 'w'), join(place.path, 'w/d/round'));
if (process.platform !== 'win32')
  for (const it of ['pipe.jar', '.gitignore']) execFileSync('mkfifo', [join(place.path, 'w', it)]);
const at = (path: string): string => fileUri(join(place.path, path));
const uri = at('w/package.json');

const able: ClientCapabilities = {
  textDocument: { documentLink: { tooltipSupport: true } },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
};

const service = await startServiceForFile({ ...catalog, ...linked });
after(() => place.remove());

/** Folders that no path of this machine has. */
const nowhere = ['file://host.example/x', 'file:///a%2fb'].map((uri) => ({ uri, name: 'nowhere' }));

const start = (): Promise<StrictClient> =>
  strictClient({
    capabilities: able,
    settings: { baseUrl: service.url, documentLinks: true },
    initialize: { workspaceFolders: [{ uri: at('w'), name: 'w' }, ...nowhere] },
    answer: (method) => (method === 'workspace/applyEdit' ? { applied: true } : null),
  });

/** The addresses that the client was asked to write at. */
const written = ({ sent }: StrictClient): string[] =>
  sent
    .filter((it) => it.method === 'workspace/applyEdit')
    .flatMap((it) => (it.params as ApplyWorkspaceEditParams).edit.documentChanges ?? [])
    .flatMap((it) => ('textDocument' in it ? [it.textDocument.uri] : []));

const ignore = (client: StrictClient, manifestUri: unknown): Promise<unknown> =>
  client.connection.sendRequest('workspace/executeCommand', {
    command: 'packageInsights.server.ignore',
    arguments: [{ uri: manifestUri, id: 'x', reason: 'y' }],
  });

test('an ignore is written in the folders, whatever manifest a client names', async () => {
  const client = await start();
  for (const it of [
    'file:///etc/passwd',
    at('package.json'),
    'untitled:x',
    'https://a.example/b',
    '..',
    '',
    5,
    [uri],
  ]) {
    assert.equal(await ignore(client, it), null);
  }
  assert.deepEqual(written(client), []);
  await ignore(client, `${at('w')}/sub/../../../x`);
  assert.deepEqual(written(client), [at('w/.package-insights.json')]);
  await client.stop();
});

test('nothing is written through a link that leads outside, whether or not its end is there', async () => {
  for (const end of ['outside.json', 'not-there.json']) {
    const link = join(place.path, 'w/sub/.package-insights.json');
    symlinkSync(join(place.path, end), link);
    const client = await strictClient({
      capabilities: able,
      settings: { baseUrl: service.url },
      initialize: { workspaceFolders: [{ uri: at('w/sub'), name: 'sub' }] },
      answer: () => ({ applied: true }),
    });
    assert.equal(await ignore(client, at('w/sub/package.json')), null);
    // As VS Code shows it: open, with the text of what it leads to.
    await client.open(at('w/sub/.package-insights.json'), '{}');
    assert.equal(await ignore(client, at('w/sub/package.json')), null);
    assert.deepEqual(written(client), []);
    await client.stop();
    rmSync(link);
  }
});

test('what is no file is not identified, and no link, pipe or device is waited for', async () => {
  const client = await start();
  const identify = (it: string): Promise<IdentifyAnswer> =>
    client.connection.sendRequest('packageInsights/identify', { uri: it });
  for (const it of [
    at('w'),
    at('w/pipe.jar'),
    'file:///dev/zero',
    'file:///%00',
    'file:///a%2fb',
    'http://a.example/b',
  ]) {
    assert.equal((await identify(it)).kind, 'failed');
  }
  await client.stop();
});

test('reports, notices and files are answered one after the other, also past one that is cancelled', async () => {
  const client = await start();
  const asked = Array.from({ length: 30 }, (_, it) =>
    client.connection.sendRequest<ReportAnswer | NoticesAnswer | IdentifyAnswer>(
      `packageInsights/${['report', 'notices', 'identify'][it % 3]}`,
      { format: 'text', uri },
    ),
  );
  for (const [index, answer] of (await Promise.all(asked)).entries()) {
    if ('report' in answer) assert.equal(answer.report.findings.length, 4, `${index}`);
    else if ('text' in answer) assert.match(answer.text, /^Licenses of 2 packages/);
    else assert.equal(answer.kind, 'unknown');
  }
  await client.stop();
});

test('a goodbye in the midst of everything is heard', async () => {
  const client = await start();
  await client.open(uri, manifest);
  const asked = ['report', 'notices', 'identify', 'subjects', 'lookUpPurl', 'requirements'].map((it) =>
    client.connection
      .sendRequest(`packageInsights/${it}`, {
        ...{ format: 'text', uri, purl: 'pkg:npm/lodash@4.17.21', textDocument: { uri } },
        ...{ system: 'NPM', name: 'lodash', version: '4.17.21' },
      })
      .catch(() => undefined),
  );
  await client.stop();
  assert.equal(asked.length, 6);
});

test('the tooltip of a link holds no link of its own', async () => {
  const client = await start();
  const text = JSON.stringify({ dependencies: { [hostile]: '1.0.0' } });
  await client.open(uri, text);
  const [link] = await client.ask<DocumentLink[]>('textDocument/documentLink', uri);
  assert.equal(link?.target, 'https://a.example/');
  assert.equal(link.tooltip, 'Open the page of x command:workbench.action.closeWindow y at a.example');
  await client.stop();
});
