import * as vscode from 'vscode';

/** Shows a file of the workspace. */
export async function open(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(path));
  await vscode.window.showTextDocument(document);
  return document;
}

export function inWorkspace(path: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('No folder is open');
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Our own diagnostics of a document. */
export function diagnosticsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter((it) => it.source === 'package-insights');
}

/** A finding as a test names it: `advisory ^4.17.15`. */
export function brief(diagnostic: vscode.Diagnostic, document: vscode.TextDocument): string {
  const { code } = diagnostic;
  return `${typeof code === 'object' ? code.value : code} ${document.getText(diagnostic.range)}`;
}

export async function hoverAt(document: vscode.TextDocument, text: string): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    rangeOf(document, text).start.translate(0, 1),
  );
  return hovers
    .flatMap((it) => it.contents)
    .map((it) => (typeof it === 'string' ? it : it.value))
    .join('\n');
}

/** The labels of the hints in a document, in the order of the text. */
export async function hintsOf(document: vscode.TextDocument): Promise<string[]> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    'vscode.executeInlayHintProvider',
    document.uri,
    all,
  );
  return hints.map(({ label }) => (typeof label === 'string' ? label : label.map((it) => it.value).join('')));
}

/** @param kind of action: `quickfix` */
export function actionsAt(document: vscode.TextDocument, text: string, kind: string): Thenable<vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    rangeOf(document, text),
    kind,
  );
}

/** Where a text stands first. */
export function rangeOf(document: vscode.TextDocument, text: string): vscode.Range {
  const start = document.getText().indexOf(text);
  if (start < 0) throw new Error(`${document.fileName} has no ${text}`);
  return new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
}
