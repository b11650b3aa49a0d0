import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { actionsAt, diagnosticsOf, hintsOf } from './document.ts';
import { test } from './runner.ts';

test('a new text is read once its language says which manifest it is, and its fixes work', async () => {
  const document = await vscode.workspace.openTextDocument({ content: 'Flask==2.2.4\n' });
  await vscode.window.showTextDocument(document);
  assert.equal(document.uri.scheme, 'untitled');
  await vscode.languages.setTextDocumentLanguage(document, 'package-insights-requirements');
  await eventually(async () => {
    assert.match((await hintsOf(document)).join(), /⚠ high → 2\.2\.5 · 1 vulnerability/);
    assert.equal(diagnosticsOf(document).length, 1);
  });
  const fix = await eventually(async () => {
    const found = (await actionsAt(document, '==2.2.4', 'quickfix')).find((it) => it.isPreferred && it.edit);
    assert.ok(found?.edit);
    return found.edit;
  });
  assert.ok(await vscode.workspace.applyEdit(fix));
  assert.match(document.getText(), /^Flask==2\.2\.5\n$/);
  await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
  await eventually(async () => assert.deepEqual([await hintsOf(document), diagnosticsOf(document)], [[], []]));
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
});
