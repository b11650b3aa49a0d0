import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { open, rangeOf } from './document.ts';
import { test } from './runner.ts';

test('the page of a purl tells what is known, and says so where nothing is', async () => {
  await open('package.json');
  const page = async (query: string): Promise<string> => {
    const uri = vscode.Uri.from({ scheme: 'package-insights', path: '/page.md', query });
    return (await vscode.workspace.openTextDocument(uri)).getText();
  };
  await eventually(async () => assert.match(await page('pkg:npm/lodash@4.17.15'), /GHSA-35jh-r3h4-6jhm/));
  assert.match(await page('pkg:npm/left-pad'), /Latest version: \*\*1\.3\.0\*\*/);
  assert.match(await page('pkg:npm/lodash?a=b'), /it has qualifiers/);
  assert.match(await page('pkg:npm/nobody-knows-this'), /unknown to the service/);
});

test('the requirements of the dependency under the cursor are shown without a question', async () => {
  const document = await open('package.json');
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(rangeOf(document, '"express"').start, rangeOf(document, '"express"').start);
  await vscode.commands.executeCommand('packageInsights.showRequirements');
  const { uri } = document;
  const offset = document.offsetAt(rangeOf(document, '"express"').start);
  await vscode.commands.executeCommand('packageInsights.whatChanges', {
    uri: uri.toString(),
    offset,
    version: '4.18.3',
  });
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
});
