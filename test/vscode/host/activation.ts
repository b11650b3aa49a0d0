import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { open } from './document.ts';
import { languageServer } from './language-server.ts';
import { test } from './runner.ts';

const id = 'package-insights.package-insights';

if (process.platform === 'linux') test('the server is up before the first manifest is opened', serverAhead);

async function serverAhead(): Promise<void> {
  assert.deepEqual(
    vscode.window.visibleTextEditors.map((it) => it.document.uri.path),
    [],
  );
  await eventually(languageServer);
}

test('the extension is activated by a manifest', async () => {
  await open('package.json');
  await eventually(() => assert.equal(vscode.extensions.getExtension(id)?.isActive, true));
});

test('every command of the palette is registered', async () => {
  const contributed: { command: string }[] =
    vscode.extensions.getExtension(id)?.packageJSON.contributes?.commands ?? [];
  const registered = new Set(await vscode.commands.getCommands(true));
  assert.deepEqual(
    contributed.map((it) => it.command).filter((it) => !registered.has(it)),
    [],
  );
});
