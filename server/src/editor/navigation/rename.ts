import {
  LSPErrorCodes,
  type PrepareRenameParams,
  type Range,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { renamableAt, renameAt } from '../../engine/analysis/navigation/rename.ts';
import type { Renamed } from '../../engine/analysis/navigation/rename-edits.ts';
import type { NavigationContext, NavigationFeature } from './navigate.ts';

/** The name at a place, as far as it can be changed; an error says why not. */
export const prepareRename: NavigationFeature<
  PrepareRenameParams,
  { readonly range: Range; readonly placeholder: string } | null | ResponseError
> = {
  method: 'textDocument/prepareRename',
  uri: (it) => it.textDocument.uri,
  emptyAnswer: null,
  async answer(document, { position }, { positions }) {
    const found = await renamableAt(document, positions.offset(position));
    if (found === undefined) return null;
    if ('refusal' in found) return refused(found.refusal);
    return { range: positions.range(found.span), placeholder: found.name };
  },
};

/** One edit of every place of a name in the project. */
export const rename: NavigationFeature<RenameParams, WorkspaceEdit | null | ResponseError> = {
  method: 'textDocument/rename',
  uri: (it) => it.textDocument.uri,
  emptyAnswer: null,
  async answer(document, { position, newName }, context) {
    const found = await renameAt(document, context.positions.offset(position), newName.trim());
    if (found === undefined) return null;
    return 'refusal' in found ? refused(found.refusal) : toEdit(found, context);
  },
};

/** The annotation of edits that a person has to confirm. */
const DOUBT = 'doubt';

async function toEdit(
  { edits, doubt }: Renamed,
  { client, positionsOf, versionOf }: NavigationContext,
): Promise<WorkspaceEdit | ResponseError> {
  const { documentChanges, changeAnnotationSupport } = client.workspace?.workspaceEdit ?? {};
  if (doubt !== undefined && !(documentChanges && changeAnnotationSupport)) return refused(doubt);
  const uris = [...new Set(edits.map((it) => it.uri))];
  const all = await Promise.all(
    uris.map(async (uri) => {
      const positions = await positionsOf(uri);
      const own = edits.filter((it) => it.uri === uri);
      return { uri, edits: own.map(({ span, newText }) => ({ range: positions.range(span), newText })) };
    }),
  );
  if (!documentChanges) return { changes: Object.fromEntries(all.map(({ uri, edits: its }) => [uri, its])) };
  return {
    documentChanges: all.map(({ uri, edits: its }) => ({
      textDocument: { uri, version: versionOf(uri) },
      edits: doubt === undefined ? its : its.map((it) => ({ ...it, annotationId: DOUBT })),
    })),
    ...(doubt !== undefined && { changeAnnotations: { [DOUBT]: { label: doubt, needsConfirmation: true } } }),
  };
}

function refused(reason: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, reason);
}
