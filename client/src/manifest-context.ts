import * as vscode from 'vscode';
import { manifestSelector } from './selector.ts';

/** Keeps `packageInsights.isManifest` true while a manifest is in front: menus look at it. */
export function followManifests(): vscode.Disposable {
  const tell = (editor: vscode.TextEditor | undefined): void => {
    const isManifest = editor !== undefined && vscode.languages.match(manifestSelector, editor.document) > 0;
    vscode.commands.executeCommand('setContext', 'packageInsights.isManifest', isManifest);
  };
  tell(vscode.window.activeTextEditor);
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(tell),
    // A text whose language is changed is closed and opened in the same editor.
    vscode.workspace.onDidOpenTextDocument(() => tell(vscode.window.activeTextEditor)),
  );
}
