import type { DidOpenTextDocumentParams, Message, MessageWriter } from 'vscode-languageclient';

const method = 'textDocument/didOpen';

/**
 * Makes a function that sends an opened document at once. The language client sends it some turns later, and VS Code
 * loads the extensions of its language in between: longer than most answers take. What was sent is not sent again.
 *
 *     event ─ sent here ─ the extension for JSON is loaded ─ sent by the client: dropped ─ hints requested
 */
export function earlyOpening(writer: MessageWriter): (params: DidOpenTextDocumentParams) => void {
  const write = writer.write.bind(writer);
  const sent = new Set<string>();
  writer.write = (message) => (sent.delete(keyOf(message)) ? Promise.resolve() : write(message));
  return (params) => {
    const message = { jsonrpc: '2.0', method, params };
    const key = keyOf(message);
    sent.add(key);
    // The client sends it again, and handles the error.
    write(message).catch(() => sent.delete(key));
  };
}

/** A client opens a document once: its version tells apart what is opened again. */
function keyOf(message: Message & { readonly method?: string; readonly params?: unknown }): string {
  if (message.method !== method) return '';
  const { uri, version } = (message.params as DidOpenTextDocumentParams).textDocument;
  return `${version} ${uri}`;
}
