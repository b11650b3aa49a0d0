import * as vscode from 'vscode';
import { manifestSelector } from './selector.ts';

/** Keeps `packageInsights.isManifest` true while a manifest is in front: menus look at it. */
export function followManifests(): vscode.Disposable {
  const tell = (editor: vscode.TextEditor | undefined): void => {
    const isManifest = editor !== undefined && vscode.languages.match(manifestSelector, editor.document) > 0;
    vscode.commands.executeCommand('setContext', 'packageInsights.isManifest', isManifest);
  };
  tell(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(tell);
}
