import type { Range, WorkspaceEdit } from 'vscode-languageserver';
import type { Edit } from '../../engine/model/finding.ts';
import type { AnswerContext } from './feature.ts';

/** Edits as the client takes them: by document with its version, or plainly by address. */
export function toWorkspaceEdit(edits: readonly Edit[], context: AnswerContext): WorkspaceEdit {
  const uris = [...new Set(edits.map((it) => it.uri))];
  const editsIn = (uri: string): { range: Range; newText: string }[] => {
    const positions = context.positions(uri);
    return edits.filter((it) => it.uri === uri).map(({ span, newText }) => ({ range: positions.range(span), newText }));
  };
  if (!context.client.documentChanges) return { changes: Object.fromEntries(uris.map((uri) => [uri, editsIn(uri)])) };
  return {
    documentChanges: uris.map((uri) => ({
      textDocument: { uri, version: context.versionOf(uri) },
      edits: editsIn(uri),
    })),
  };
}
