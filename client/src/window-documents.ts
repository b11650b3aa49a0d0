import * as vscode from 'vscode';
import type { BaseLanguageClient, MessageWriter } from 'vscode-languageclient';
import { type SentDocuments, sendShownDocuments } from './shown-documents.ts';

/** Sends a server the documents that this window shows. */
export interface DocumentSender extends vscode.Disposable {
  /** Uses the connection to the server that has just been started. */
  connect(writer: MessageWriter): void;
  /** Sends a document that was just opened. */
  openEarly(document: vscode.TextDocument): void;
}

export function createDocumentSender(client: () => BaseLanguageClient): DocumentSender {
  let sent: SentDocuments | undefined;
  const paramsOf = (it: vscode.TextDocument) => client().code2ProtocolConverter.asOpenTextDocumentParams(it);
  const follow = (): void => sent?.follow();
  const listening = vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(follow),
    vscode.window.onDidChangeVisibleTextEditors(follow),
  );
  return {
    connect(writer) {
      sent = sendShownDocuments(writer, {
        shown: shownUris,
        read(uri) {
          const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri);
          return document && paramsOf(document);
        },
      });
    },
    openEarly: (it) => sent?.openEarly(paramsOf(it)),
    dispose: () => listening.dispose(),
  };
}

/** The URIs in all tabs of this window, also of those behind others, and of visible editors that have no tab. */
function shownUris(): ReadonlySet<string> {
  const tabs = vscode.window.tabGroups.all.flatMap((it) => it.tabs);
  const uris = [
    ...tabs.flatMap((it) => urisIn(it.input)),
    ...vscode.window.visibleTextEditors.map((it) => it.document.uri),
  ];
  return new Set(uris.map(String));
}

/** A tab has one URI, or several: both sides of a comparison, the four of a merge, the comparisons of many files. */
function urisIn(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.Uri) return [input];
  if (typeof input !== 'object' || input === null) return [];
  return (Array.isArray(input) ? input : Object.values(input)).flatMap(urisIn);
}
