import type { DidOpenTextDocumentParams, Message, MessageWriter } from 'vscode-languageclient';

const didOpen = 'textDocument/didOpen';
const didClose = 'textDocument/didClose';

/** The documents of a window. */
export interface WindowDocuments {
  /** The URIs of those in a tab or a visible editor. */
  readonly shown: () => ReadonlySet<string>;
  /** One of them as it is now; undefined if it is not open. */
  readonly read: (uri: string) => DidOpenTextDocumentParams | undefined;
}

export interface SentDocuments {
  /** Sends a document that was just opened, if it is shown. */
  openEarly(params: DidOpenTextDocumentParams): void;
  /** To be called when other documents are shown. */
  follow(): void;
}

/**
 * Sends the server the documents that a person sees, and each as soon as it is opened.
 *
 * Other extensions open documents in memory, such as each package.json for its scripts. What the client writes about
 * those is held back until a tab shows them: the server would look up the names in them.
 *
 * The language client sends an opened document some turns later, and VS Code loads the extensions of its language in
 * between: longer than most answers take. What was sent here is not sent again.
 *
 *     event ─ sent here ─ the extension for JSON is loaded ─ sent by the client: dropped ─ hints requested
 *
 * When a document changes its language, VS Code closes and opens it in one event. The server still has the former one
 * then, so both messages are left to the client, which sends them in order.
 */
export function sendShownDocuments(writer: MessageWriter, { shown, read }: WindowDocuments): SentDocuments {
  const write = writer.write.bind(writer);
  /** The documents that the server has. */
  const open = new Set<string>();
  /** Those of them that the client has not sent yet. */
  const early = new Set<string>();
  /** Those that the client has sent and the server does not have. */
  const hidden = new Set<string>();
  /** Versions of documents that were sent when they were shown. The client may still send the changes up to them. */
  const versions = new Map<string, number>();
  const held = Promise.resolve();

  writer.write = (message: Message & { readonly method?: string; readonly params?: unknown }) => {
    if (message.method === undefined || !/^textDocument\/(?:did|willSave$)/.test(message.method)) return write(message);
    // Only a change has a version: a document that is saved is what it has become.
    const { uri, version = Number.POSITIVE_INFINITY } = (
      message.params as { readonly textDocument: { uri: string; version?: number } }
    ).textDocument;
    switch (message.method) {
      case didOpen: {
        const isSent = early.delete(uri);
        if (isSent && open.has(uri)) return held;
        if (!shown().has(uri)) {
          hidden.add(uri);
          return held;
        }
        open.add(uri);
        return write(message);
      }
      case didClose:
        open.delete(uri);
        versions.delete(uri);
        return hidden.delete(uri) ? held : write(message);
      default:
        return hidden.has(uri) || version <= (versions.get(uri) ?? -1) ? held : write(message);
    }
  };

  return {
    openEarly(params) {
      const { uri } = params.textDocument;
      if (open.has(uri) || !shown().has(uri)) return;
      open.add(uri);
      early.add(uri);
      // The client sends it again, and handles the error.
      write({ jsonrpc: '2.0', method: didOpen, params } as Message).catch(() => {
        early.delete(uri);
        open.delete(uri);
      });
    },
    follow() {
      const visible = shown();
      for (const uri of [...hidden].filter((it) => visible.has(it))) {
        const params = read(uri);
        if (params === undefined) continue;
        hidden.delete(uri);
        open.add(uri);
        versions.set(uri, params.textDocument.version);
        write({ jsonrpc: '2.0', method: didOpen, params } as Message).catch(() => {});
      }
      for (const uri of [...open].filter((it) => !visible.has(it))) {
        open.delete(uri);
        hidden.add(uri);
        write({ jsonrpc: '2.0', method: didClose, params: { textDocument: { uri } } } as Message).catch(() => {});
      }
    },
  };
}
