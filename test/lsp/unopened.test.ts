import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities } from 'vscode-languageserver';
import { type StartedService, startService } from '../harness/service.ts';
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

test('findings of manifests that nobody has open are shown where a setting asks for them, and go with it', async () => {
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

  const off = { packageInsights: { ...settings, workspaceDiagnostics: false } };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: off });
  await client.pushed(uriOf('a'), (all) => all.length === 0);
  const pushed = client.sent.map((it) => (it.params as { readonly uri?: string } | undefined)?.uri);
  for (const name of ['ignored', 'node_modules/c']) assert.ok(!pushed.includes(uriOf(name)), name);
  await client.stop();
});

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
