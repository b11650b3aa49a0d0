import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { inWorkspace, open, rangeOf } from './document.ts';
import { test } from './runner.ts';

/** Has a setting for as long as something takes. */
async function withSetting(name: string, work: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('packageInsights');
  await configuration.update(name, true, vscode.ConfigurationTarget.Global);
  try {
    await work();
  } finally {
    await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

test('versions are completed where one is written, the default first', async () => {
  const document = await open('package.json');
  const end = rangeOf(document, '^2.88.0').end;
  await eventually(async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      end,
      undefined,
      1,
    );
    const labels = list.items.map((it) => (typeof it.label === 'string' ? { label: it.label } : it.label));
    const at = labels.findIndex((it) => it.detail?.includes('latest'));
    const { label, detail, description } = labels[at] ?? {};
    assert.equal(label, '2.88.2');
    assert.match(detail ?? '', /deprecated · ⚠ 1 vulnerability \(medium\)/);
    assert.match(description ?? '', /^\d{4}-\d\d-\d\d$/);
    const ours = [list.items[at]];
    assert.deepEqual(ours[0]?.tags, [vscode.CompletionItemTag.Deprecated]);
  });
});

test('a name leads to where the package is made, where a setting asks for it', async () => {
  const document = await open('package.json');
  await withSetting('documentLinks', () =>
    eventually(async () => {
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
      );
      const names = links.filter((it) => it.target?.scheme === 'https').map((it) => document.getText(it.range));
      assert.ok(names.includes('lodash'), names.join(', '));
    }),
  );
});

test('a code lens updates all that should be, in one step that can be undone', async () => {
  const document = await open('package.json');
  const before = document.getText();
  await withSetting('codeLens', async () => {
    const lens = await eventually(async () => {
      const [first] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        10,
      );
      assert.match(first?.command?.title ?? '', /^Update \d+ affected dependenc/);
      return first;
    });
    const { command = '', arguments: args = [] } = lens?.command ?? {};
    await vscode.commands.executeCommand(command, ...args);
    await eventually(() => assert.notEqual(document.getText(), before));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
  });
});

test('findings of manifests that are not open are among the problems while a setting asks for them', async () => {
  // One that no other test has opened: an editor holds on to documents for minutes.
  const pom = inWorkspace('unopened/pom.xml');
  await vscode.workspace.fs.copy(inWorkspace('maven/pom.xml'), pom);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  const found = (): readonly vscode.Diagnostic[] => vscode.languages.getDiagnostics(pom);
  await withSetting('workspaceDiagnostics', async () => {
    await eventually(() => assert.notDeepEqual(found(), []));
    const count = found().length;
    const document = await open('unopened/pom.xml');
    // Once each, although they were shown before.
    await eventually(() => assert.equal(vscode.languages.getDiagnostics(document.uri).length, count));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
  await eventually(() => assert.deepEqual(found(), []));
});
