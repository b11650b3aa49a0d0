import type { DidOpenTextDocumentParams, Message, MessageWriter, TextDocumentIdentifier } from 'vscode-languageclient';

const didOpen = 'textDocument/didOpen';
const didClose = 'textDocument/didClose';

/**
 * Makes a function that sends an opened document at once. The language client sends it some turns later, and VS Code
 * loads the extensions of its language in between: longer than most answers take. What was sent is not sent again.
 *
 *     event ─ sent here ─ the extension for JSON is loaded ─ sent by the client: dropped ─ hints requested
 *
 * When a document changes its language, VS Code closes and opens it in one event. The server still has the former one
 * then, so both messages are left to the client, which sends them in order.
 */
export function earlyOpening(writer: MessageWriter): (params: DidOpenTextDocumentParams) => void {
  const write = writer.write.bind(writer);
  /** The documents that the server has. */
  const open = new Set<string>();
  /** Those of them that the client has not sent yet. */
  const early = new Set<string>();
  writer.write = (message: Message & { readonly method?: string; readonly params?: unknown }) => {
    if (message.method !== didOpen && message.method !== didClose) return write(message);
    const { uri } = (message.params as { readonly textDocument: TextDocumentIdentifier }).textDocument;
    if (message.method === didClose) open.delete(uri);
    else if (early.delete(uri)) return Promise.resolve();
    else open.add(uri);
    return write(message);
  };
  return (params) => {
    const { uri } = params.textDocument;
    if (open.has(uri)) return;
    open.add(uri);
    early.add(uri);
    const message = { jsonrpc: '2.0', method: didOpen, params };
    // The client sends it again, and handles the error.
    write(message).catch(() => early.delete(uri));
  };
}
