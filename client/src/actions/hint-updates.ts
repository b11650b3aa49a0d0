import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

/*
 * VS Code makes the edits of a hint at a double click and reports nothing about it. It resolves the hint first, so a
 * change of a text that equals the edits of a resolved hint is the update.
 */

/** Resolved hints to compare with, the latest last: a screen of them. */
const MAX_HINTS = 100;

const resolved: (readonly vscode.TextEdit[])[] = [];

export const rememberHint: NonNullable<Middleware['resolveInlayHint']> = async (hint, token, next) => {
  const answer = await next(hint, token);
  if (answer?.textEdits && answer.textEdits.length > 0) {
    resolved.push(answer.textEdits);
    if (resolved.length > MAX_HINTS) resolved.shift();
  }
  return answer;
};

/** Calls back with the document after each update by a hint. */
export function onHintUpdate(act: (document: vscode.TextDocument) => void): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.reason === undefined && resolved.some((it) => isMadeBy(it, event))) act(event.document);
  });
}

function isMadeBy(edits: readonly vscode.TextEdit[], { contentChanges }: vscode.TextDocumentChangeEvent): boolean {
  return (
    edits.length === contentChanges.length &&
    edits.every(({ range, newText }) => contentChanges.some((it) => it.text === newText && it.range.isEqual(range)))
  );
}
