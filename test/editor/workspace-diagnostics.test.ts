import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities } from 'vscode-languageserver';
import { createWorkspaceScan } from '../../server/src/editor/publish/workspace-scan.ts';
import type { ServerState } from '../../server/src/editor/state/server-state.ts';
import { findManifestsOnDisk } from '../../server/src/engine/report/scan/folders-on-disk.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { knowingNothing } from '../harness/knowing-nothing.ts';
import { scriptedServer } from '../harness/scripted-server.ts';
import { type InlineCatalog, type StartedService, startChangingService, startService } from '../harness/service.ts';
import { catalog, manifest } from './scratch.ts';
import { strictClient } from './strict-client.ts';

let service: StartedService;
let folder: string;
before(async () => {
  service = await startService(catalog);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-unopened-')));
  for (const name of ['a', 'b', 'ignored', 'node_modules/c']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'package.json'), manifest);
  }
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

const capabilities: ClientCapabilities = {
  textDocument: { publishDiagnostics: {} },
  workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
};

function uriOf(name: string): string {
  return pathToFileURL(join(folder, name, 'package.json')).href;
}

test('findings of closed manifests are shown while a setting requests them', async () => {
  const settings = { baseUrl: service.url, workspaceDiagnostics: true };
  const client = await strictClient({
    capabilities,
    settings,
    initialize: { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }] },
    answer: () => null,
  });
  const isWrong = (all: readonly unknown[]): boolean => all.length === 2;
  await client.pushed(uriOf('a'), isWrong);
  await client.pushed(uriOf('b'), isWrong);

  // An open document is shown as it is, and as it was saved once it is closed.
  await client.open(uriOf('a'), '{}');
  await client.pushed(uriOf('a'), (all) => all.length === 0);
  await client.close(uriOf('a'));
  await client.pushed(uriOf('a'), isWrong);

  writeFileSync(join(folder, 'b', 'package.json'), '{}');
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uriOf('b'), type: 2 }],
  });
  await client.pushed(uriOf('b'), (all) => all.length === 0);

  // Nobody told of this change; whoever looks everything up again sees it.
  writeFileSync(join(folder, 'b', 'package.json'), manifest);
  await client.connection.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh' });
  await client.pushed(uriOf('b'), isWrong);

  const off = { packageInsights: { ...settings, workspaceDiagnostics: false } };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: off });
  await client.pushed(uriOf('a'), (all) => all.length === 0);
  const pushed = client.sent.map((it) => (it.params as { readonly uri?: string } | undefined)?.uri);
  for (const name of ['ignored', 'node_modules/c']) assert.ok(!pushed.includes(uriOf(name)), name);
  await client.stop();
});

test('what is known is shown while others are still waited for, and is not sent again', async () => {
  const large = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-portions-')));
  const at = (number: number): string => pathToFileURL(join(large, `${number}`, 'package.json')).href;
  // More than are looked at together at first; what the last one names is never answered.
  for (let number = 100; number < 125; number++) {
    mkdirSync(join(large, `${number}`));
    const text = number < 124 ? manifest : '{ "dependencies": { "lodash": "4.17.15", "slow": "1.0.0" } }';
    writeFileSync(join(large, `${number}`, 'package.json'), text);
  }
  const relay = await scriptedServer(async ({ method, path, body }, response) => {
    if (path.includes('slow') || body.includes('slow')) return;
    const { status, headers, text } = await passOn(`${service.url}${path}`, method, body);
    response.writeHead(status, headers).end(text);
  });
  const client = await strictClient({
    capabilities,
    settings: { baseUrl: relay.url, workspaceDiagnostics: true },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(large).href, name: 'w' }] },
    answer: () => null,
  });
  try {
    for (let number = 100; number < 120; number++) await client.pushed(at(number), (all) => all.length === 2);
    const sent = (uri: string): number =>
      client.sent.filter((it) => (it.params as { readonly uri?: string } | undefined)?.uri === uri).length;
    assert.equal(sent(at(124)), 0);

    writeFileSync(join(large, '101', 'package.json'), '{}');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: at(101), type: 2 }],
    });
    await client.pushed(at(101), (all) => all.length === 0);
    assert.deepEqual([sent(at(100)), sent(at(101))], [1, 2]);
  } finally {
    await client.stop();
    await relay.close();
    rmSync(large, { recursive: true, force: true });
  }
});

test('what was shown with a document that includes it is shown again once that is closed, or includes it no longer', async () => {
  const python = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-included-')));
  writeFileSync(join(python, 'requirements.txt'), '-r requirements-base.txt\n');
  writeFileSync(join(python, 'requirements-base.txt'), 'nobody==1.0\n');
  const at = (name: string): string => pathToFileURL(join(python, name)).href;
  const client = await strictClient({
    capabilities,
    settings: { baseUrl: service.url, workspaceDiagnostics: true },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(python).href, name: 'w' }] },
    answer: () => null,
  });
  const times = (count: number): Promise<true> =>
    client.until((all) => {
      const sent = all.flatMap((it) => it.params as { readonly uri?: string; readonly diagnostics?: unknown[] });
      const told = sent.filter((it) => it?.uri === at('requirements-base.txt')).map((it) => it.diagnostics?.length);
      return told.filter((it, index) => it === 1 && told[index - 1] !== 1).length >= count || undefined;
    });
  await times(1);
  await client.open(at('requirements.txt'), '-r requirements-base.txt\n');
  await client.ask('textDocument/hover', at('requirements.txt'), { position: { line: 0, character: 0 } });
  await client.close(at('requirements.txt'));
  await times(2);
  await client.open(at('requirements.txt'), '-r requirements-base.txt\n');
  await client.ask('textDocument/hover', at('requirements.txt'), { position: { line: 0, character: 0 } });
  await client.change(at('requirements.txt'), 2, 'nobody==2.0\n');
  await client.pushed(at('requirements-base.txt'), (all) => all.length === 0);
  const changes = [{ uri: at('requirements.txt'), type: 2 }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await times(3);
  await client.stop();
  rmSync(python, { recursive: true, force: true });
});

test('what is shown with a document that includes it is not shown again because its address is spelled otherwise', async () => {
  const python = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-(spelled)-')));
  writeFileSync(join(python, 'requirements.txt'), '-r requirements-base.txt\n');
  writeFileSync(join(python, 'requirements-base.txt'), 'nobody==1.0\n');
  mkdirSync(join(python, 'z'));
  writeFileSync(join(python, 'z', 'package.json'), manifest);
  const plain = (name: string): string => pathToFileURL(join(python, name)).href;
  // As VS Code spells it.
  const spelled = (name: string): string => plain(name).replace('(', '%28').replace(')', '%29');
  const client = await strictClient({
    capabilities,
    settings: { baseUrl: service.url, workspaceDiagnostics: true },
    initialize: { workspaceFolders: [] },
    answer: () => null,
  });
  await client.open(spelled('requirements.txt'), '-r requirements-base.txt\n');
  await client.pushed(spelled('requirements-base.txt'), (all) => all.length === 1);
  const event = { added: [{ uri: spelled(''), name: 'w' }], removed: [] };
  await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  await client.pushed(plain('z/package.json'), (all) => all.length === 2);
  const told = client.sent.map((it) => (it.params as { readonly uri?: string } | undefined)?.uri);
  assert.ok(!told.includes(plain('requirements-base.txt')));
  await client.stop();
  rmSync(python, { recursive: true, force: true });
});

/** What the service answers to a request that was meant for another. */
async function passOn(url: string, method: string, body: string) {
  const answer = await fetch(url, { method, ...(body !== '' && { body }) });
  const headers = { 'content-type': answer.headers.get('content-type') ?? '' };
  return { status: answer.status, headers, text: await answer.text() };
}

test('what an editor has open and never asks about is shown, until it asks', async () => {
  const client = await strictClient({
    capabilities: {
      ...capabilities,
      textDocument: { ...capabilities.textDocument, diagnostic: {} },
      workspace: { ...capabilities.workspace, diagnostics: { refreshSupport: true } },
    },
    settings: { baseUrl: service.url, workspaceDiagnostics: true },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }] },
    answer: () => null,
  });
  await client.open(uriOf('a'), manifest);
  await client.pushed(uriOf('a'), (all) => all.length === 2);
  const params = { textDocument: { uri: uriOf('a') } };
  const asked = await client.connection.sendRequest<{ items: readonly unknown[] }>('textDocument/diagnostic', params);
  assert.equal(asked.items.length, 2);
  await client.pushed(uriOf('a'), (all) => all.length === 0);
  await client.close(uriOf('a'));
  await client.pushed(uriOf('a'), (all) => all.length === 2);
  await client.stop();
});

test('the manifests that are not open are looked up behind the documents that are', async () => {
  const urgent: string[] = [];
  const background: string[] = [];
  const clock = fakeClock();
  const insights = knowingNothing({
    request: (_, wanted, later = []) => {
      for (const it of wanted) if (it.kind === 'version') urgent.push(it.key.name);
      for (const it of later) if (it.kind === 'version') background.push(it.key.name);
    },
  });
  const root = `${pathToFileURL(folder).href}/`;
  const server = {
    client: { isTrusted: true, log: assert.fail },
    settings: { current: { ...readSettings({}), workspaceDiagnostics: true } },
    folders: { all: [root] },
    engine: {
      findManifests: (folders: readonly string[]) => findManifestsOnDisk(folders, true),
      files: diskFiles(() => [root]),
      insights: {
        ...insights,
        backoff: () => undefined,
        connectionProblem: () => undefined,
        versionLifetime: () => 3_600_000,
      },
      clock,
    },
  };
  const scan = createWorkspaceScan(server as unknown as ServerState, { shown: () => [], publish: async () => {} });
  scan.start();
  await clock.advance(1000);
  while (background.length === 0 && urgent.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  scan.close();
  assert.deepEqual(urgent, []);
  assert.ok(background.length > 0);
});

test('a manifest that is not open turns red within the hour in which the service learns of malware', async () => {
  const idle = realpathSync(mkdtempSync(join(tmpdir(), 'package-insights-idle-')));
  const uri = pathToFileURL(join(idle, 'package.json')).href;
  writeFileSync(join(idle, 'package.json'), '{ "dependencies": { "stolen": "^1.0.0", "pinned": "1.0.0" } }');
  const before: InlineCatalog = { 'NPM stolen': { versions: ['1.0.0'] }, 'NPM pinned': { versions: ['1.0.0'] } };
  const changing = await startChangingService(before);
  const clock = fakeClock();
  const client = await strictClient({
    capabilities,
    clock,
    settings: { baseUrl: changing.url, workspaceDiagnostics: true },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(idle).href, name: 'w' }] },
    answer: () => null,
  });
  /** By small steps: a request takes no time, and no wait for one runs out. */
  const pass = async (minutes: number): Promise<void> => {
    for (let at = 0; at < minutes * 60; at++) {
      await clock.advance(1000);
      if (at < 5 || at % 60 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  try {
    await pass(1);
    assert.ok(changing.requests.length > 0);
    changing.requests.splice(0);
    changing.serve({
      ...before,
      'NPM stolen': { versions: ['1.0.0', '1.0.1'] },
      'advisory MAL-2026-1': { affected: [{ system: 'NPM', name: 'stolen', versions: ['1.0.1'] }] },
      'advisory MAL-2026-2': { affected: [{ system: 'NPM', name: 'pinned', versions: ['1.0.0'] }] },
    });
    await pass(62);
    const found = await client.pushed(uri, (all) => all.length === 2);
    assert.deepEqual(
      found.map((it) => it.code),
      ['malicious', 'malicious'],
    );
    // The same two names, and what the service says of them.
    const asked = changing.requests.map(({ path }) => path.split('/').at(-1));
    assert.deepEqual(new Set(asked), new Set(['versionbatch', 'stolen', 'pinned', 'MAL-2026-1', 'MAL-2026-2']));
  } finally {
    await client.stop();
    await changing.close();
    rmSync(idle, { recursive: true, force: true });
  }
});
