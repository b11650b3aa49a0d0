import { createConnection, type InlayHint, ProposedFeatures, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

/*
 * A language server without data: the baseline of the measurements. It answers every request for hints with one per
 * requested line, and every hover with the same text.
 */
const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
connection.onInitialize(() => ({
  capabilities: { textDocumentSync: 2, inlayHintProvider: true, hoverProvider: true },
}));
connection.onHover(() => ({ contents: { kind: 'markdown', value: 'lodash '.repeat(40) } }));
connection.languages.inlayHint.on(({ range }): InlayHint[] =>
  Array.from({ length: range.end.line - range.start.line }, (_, line) => ({
    position: { line: range.start.line + line, character: 20 },
    label: '1.2.3 · MIT',
    paddingLeft: true,
  })),
);
connection.onShutdown(() => undefined);
documents.listen(connection);
connection.listen();
