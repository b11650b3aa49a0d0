import * as l10n from '@vscode/l10n';
import type { WorkspaceEdit } from 'vscode-languageserver';
import { type Ignore, projectFileName } from '../model/project.ts';
import { directoryOf } from '../model/uri.ts';
import { addIgnore } from '../project/add-ignore.ts';
import { positionsIn } from '../text/positions.ts';
import { textIn } from './params.ts';
import type { Session } from './session.ts';

/** Where the ignore was put. */
export interface IgnoreAnswer {
  readonly uri: string;
}

/**
 * Adds an ignore to the project file that is nearest to a manifest, by an edit that the client makes: it can be undone.
 * @returns undefined where nothing was added; the person was told why
 */
export async function ignoreFinding(params: unknown, session: Session): Promise<IgnoreAnswer | undefined> {
  const { connection, client, folders } = session;
  const [manifest, id, reason] = [textIn(params, 'uri'), textIn(params, 'id'), textIn(params, 'reason')];
  if (!manifest || !id || !reason || !client.workspace?.applyEdit) return undefined;
  const [about, until] = [textIn(params, 'package'), textIn(params, 'until')];
  const ignore: Ignore = { id, ...(about && { package: about }), reason, ...(until && { until }) };

  const snapshot = await session.workspace.snapshot(manifest);
  const folder = folders.filter((it) => manifest.startsWith(it)).sort((a, b) => b.length - a.length)[0];
  const uri = snapshot?.project?.project.uri ?? (folder ?? directoryOf(manifest)) + projectFileName;
  const text = await session.read(uri);
  const insertion = addIgnore(text ?? '', ignore);
  if (!insertion) {
    connection.window.showErrorMessage(
      l10n.t('{0} has mistakes: put them right, then add the ignore.', projectFileName),
    );
    return undefined;
  }
  const position = positionsIn(text ?? '', session.encoding).at(insertion.at);
  const edit = { range: { start: position, end: position }, newText: insertion.text };
  const label = l10n.t('Ignore {0}', id);
  const { applied } = await connection.workspace.applyEdit({
    label,
    edit: editOf(uri, text === undefined, edit, session),
  });
  return applied ? { uri } : undefined;
}

type TextEdit = NonNullable<WorkspaceEdit['changes']>[string][number];

/** A client that can is told to make the file first; the others make what they are to edit. */
function editOf(uri: string, isNew: boolean, edit: TextEdit, { client, documents }: Session): WorkspaceEdit {
  const { documentChanges, resourceOperations } = client.workspace?.workspaceEdit ?? {};
  if (!documentChanges) return { changes: { [uri]: [edit] } };
  const change = { textDocument: { uri, version: documents.get(uri)?.version ?? null }, edits: [edit] };
  const create = { kind: 'create', uri, options: { ignoreIfExists: true } } as const;
  return { documentChanges: isNew && resourceOperations?.includes('create') ? [create, change] : [change] };
}
