import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { diagnosticsOf, hoverAt, open } from './document.ts';
import { test } from './runner.ts';

const setting = 'packageInsights.purlHovers';

function ask(isOn: boolean | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration().update(setting, isOn, vscode.ConfigurationTarget.Global);
}

test('purls in any text are told of from when a setting asks for it, and no longer', async () => {
  const manifest = await open('package.json');
  await eventually(() => assert.notDeepEqual(diagnosticsOf(manifest), []));
  const content = 'Still in use: pkg:npm/lodash@4.17.15, pkg:npm/request.\n';
  const notes = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(notes);
  assert.doesNotMatch(await hoverAt(notes, 'pkg:npm/lodash'), /lodash/);

  await ask(true);
  await eventually(async () => assert.match(await hoverAt(notes, 'pkg:npm/lodash'), /License MIT/));
  await eventually(async () => assert.match(await hoverAt(notes, 'pkg:npm/request'), /Deprecated/));
  assert.deepEqual(diagnosticsOf(notes), []);

  // What is typed in a manifest reaches the server once, although every text does now.
  const edit = new vscode.WorkspaceEdit();
  edit.insert(manifest.uri, manifest.positionAt(0), '\n\n\n');
  await vscode.workspace.applyEdit(edit);
  await eventually(() => {
    const found = diagnosticsOf(manifest).find((it) => manifest.getText(it.range) === '^2.88.0');
    assert.ok(
      found,
      diagnosticsOf(manifest)
        .map((it) => manifest.getText(it.range))
        .join(', '),
    );
  });
  await eventually(async () => assert.match(await hoverAt(manifest, '"minimist"'), /License MIT/));

  await ask(undefined);
  await eventually(async () => assert.doesNotMatch(await hoverAt(notes, 'pkg:npm/lodash'), /lodash/));
  await eventually(async () => assert.match(await hoverAt(manifest, '"minimist"'), /License MIT/));
  await vscode.window.showTextDocument(manifest);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  await vscode.window.showTextDocument(notes);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
});
