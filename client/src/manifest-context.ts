import * as vscode from 'vscode';
import { ownNames } from './connected/service-documents/served.ts';
import { manifestSelector } from './selector.ts';
import { servedSchemes } from './world/file-systems.ts';

export function isManifest(document: vscode.TextDocument): boolean {
  return vscode.languages.match(manifestSelector(servedSchemes(), ownNames()), document) > 0;
}

/** Commands about dependencies are in the palette from then on. */
export function tellOfManifests(): void {
  vscode.commands.executeCommand('setContext', 'packageInsights.hasManifests', true);
}

/** Keeps `packageInsights.isManifest` true while a manifest is active. Menus use it. */
export function followManifests(): vscode.Disposable {
  const tell = (editor: vscode.TextEditor | undefined): void => {
    const isInFront = editor !== undefined && isManifest(editor.document);
    vscode.commands.executeCommand('setContext', 'packageInsights.isManifest', isInFront);
    if (isInFront) tellOfManifests();
  };
  tell(vscode.window.activeTextEditor);
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(tell),
    // Changing the language of a document closes and opens it in the same editor.
    vscode.workspace.onDidOpenTextDocument(() => tell(vscode.window.activeTextEditor)),
  );
}
