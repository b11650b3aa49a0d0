import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { inWorkspace } from './document.ts';
import { test } from './runner.ts';

/*
 * A manifest reaches the server before the editor's own client sends it. An edit that is lost or arrives twice moves every
 * hint by a line.
 */

const manifests: Readonly<Record<string, string>> = {
  'package.json': '{\n  "dependencies": {\n    "lodash": "4.17.15",\n    "minimist": "1.2.5"\n  }\n}\n',
  'requirements.txt': '# Pinned\nFlask==2.2.4\nDjango==3.2.12\n',
  'Cargo.toml': '[dependencies]\nserde = "=1.0.1"\nregex = "=1.5.1"\n',
};

test('edits while a manifest is opened and shown arrive once, several manifests at a time', async () => {
  await assertHintsFit(await openAndEdit('at-once'));
});

test('edits and closed documents while the server restarts leave it with the texts of the editor', async () => {
  const before = await openAndEdit('before');
  const restarted = vscode.commands.executeCommand('packageInsights.restart');
  const [closed, ...rest] = await openAndEdit('meanwhile');
  assert(closed);
  await vscode.window.showTextDocument(closed);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await restarted;
  await assertHintsFit([...before, ...rest]);
  const { document: again } = await vscode.window.showTextDocument(closed.uri);
  await insertLine(again);
  await assertHintsFit([again]);
});

test('a manifest keeps its hints when its language or its name changes', async () => {
  const [document] = await openAndEdit('changing');
  assert(document);
  await assertHintsFit([document]);
  await vscode.languages.setTextDocumentLanguage(document, 'jsonc');
  await insertLine(document);
  await assertHintsFit([document]);
  await document.save();
  const renamed = vscode.Uri.joinPath(document.uri, '..', 'renamed', 'package.json');
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(document.uri, renamed);
  assert(await vscode.workspace.applyEdit(edit));
  const { document: other } = await vscode.window.showTextDocument(renamed);
  await insertLine(other);
  await assertHintsFit([other]);
  await vscode.workspace.fs.delete(inWorkspace('changing'), { recursive: true });
});

/** Opens the manifests in a new folder, and an untitled one, and edits each in the event that opens it. */
async function openAndEdit(folder: string): Promise<vscode.TextDocument[]> {
  const edits: Promise<void>[] = [];
  const listening = vscode.workspace.onDidOpenTextDocument((it) => {
    if (it.isUntitled || it.uri.path.includes(`/${folder}/`)) edits.push(insertLine(it).then(() => insertLine(it)));
  });
  try {
    const uris = Object.keys(manifests).map((it) => inWorkspace(`${folder}/${it}`));
    for (const [at, text] of Object.values(manifests).entries())
      await vscode.workspace.fs.writeFile(uris[at] as vscode.Uri, Buffer.from(text));
    const content = manifests['requirements.txt'] ?? '';
    const opened = await Promise.all([
      ...uris.map((it) => vscode.workspace.openTextDocument(it)),
      vscode.workspace.openTextDocument({ content, language: 'package-insights-requirements' }),
    ]);
    assert.equal(edits.length, opened.length);
    for (const it of opened) await vscode.window.showTextDocument(it, { preview: false });
    await Promise.all(edits);
    return opened;
  } finally {
    listening.dispose();
  }
}

async function insertLine({ uri }: vscode.TextDocument): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(1, 0), '\n');
  assert(await vscode.workspace.applyEdit(edit));
}

/** Waits until the hints of each document are at the ends of the lines with a version, and nowhere else. */
async function assertHintsFit(documents: readonly vscode.TextDocument[]): Promise<void> {
  for (const document of documents) {
    const ends = [...Array(document.lineCount).keys()]
      .map((it) => document.lineAt(it))
      .filter((it) => /\d\.\d+\.\d/.test(it.text))
      .map((it) => it.range.end);
    assert.equal(ends.length, 2);
    await eventually(async () => {
      const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        document.uri,
        new vscode.Range(0, 0, document.lineCount, 0),
      );
      assert.deepEqual(
        hints.map((it) => it.position),
        ends,
        document.uri.toString(),
      );
    });
  }
}
