import * as vscode from 'vscode';

/** The schemes of the file systems whose documents are served: the disk, and those of the folders of the workspace. */
export function servedSchemes(): readonly string[] {
  const { workspaceFolders = [] } = vscode.workspace;
  return [...new Set(['file', ...workspaceFolders.map((it) => it.uri.scheme)])];
}
