import * as l10n from '@vscode/l10n';
import { MessageType, ShowMessageNotification, type WorkspaceEdit } from 'vscode-languageserver';
import { fixAll } from '../../analysis/fixes.ts';
import { directoryOf } from '../../base/uri.ts';
import { positionsIn } from '../../formats/text/positions.ts';
import { type Ignore, projectFileName } from '../../model/project.ts';
import { addIgnore } from '../../policy/ignores.ts';
import { ignoreCommand } from '../features/code-actions.ts';
import { updateAllCommand } from '../features/code-lens.ts';
import { toWorkspaceEdit } from '../features/workspace-edit.ts';
import { textIn } from '../params.ts';
import type { Session } from '../session.ts';

/** Something a client may have done by name, through workspace/executeCommand: a row of the table below. */
export interface ServerCommand {
  readonly id: string;
  /** @param args what the client sends: anything at all */
  readonly run: (args: readonly unknown[], session: Session) => Promise<unknown>;
}

const updateAll: ServerCommand = {
  id: updateAllCommand,
  async run([uri], session) {
    const snapshot = typeof uri === 'string' ? await session.workspace.snapshot(uri) : undefined;
    const edits = snapshot ? fixAll(snapshot.dependencies) : [];
    if (!snapshot || edits.length === 0 || !session.client.workspace?.applyEdit) return 0;
    const edit = toWorkspaceEdit(edits, session.contextFor(snapshot));
    const { applied } = await session.connection.workspace.applyEdit(edit);
    return applied ? edits.length : 0;
  },
};

const ignore: ServerCommand = { id: ignoreCommand, run: ([request], session) => ignoreFinding(request, session) };

/** Every command but the one that makes everything be asked for again, which is a matter of `serve`. */
export const commands: readonly ServerCommand[] = [updateAll, ignore];

/** Where the ignore was put. */
export interface IgnoreAnswer {
  readonly uri: string;
}

/**
 * Adds an ignore to the project file that is nearest to a manifest, by an edit that the client makes: it can be undone.
 * The manifest is open or lies in a folder of the workspace, and nothing is written through a link that leads outside.
 * @returns undefined where nothing was added; the person was told why
 */
export async function ignoreFinding(params: unknown, session: Session): Promise<IgnoreAnswer | undefined> {
  const { connection, client, folders } = session;
  const [manifest, id, reason] = [textIn(params, 'uri'), textIn(params, 'id'), textIn(params, 'reason')];
  if (!manifest || !id || !reason || !client.workspace?.applyEdit) return undefined;
  // It has no file, so no project file counts for it.
  if (directoryOf(manifest) === '') return undefined;
  const [about, until] = [textIn(params, 'package'), textIn(params, 'until')];
  const ignore: Ignore = { id, ...(about && { package: about }), reason, ...(until && { until }) };

  const snapshot = await session.workspace.snapshot(manifest);
  const folder = folders.filter((it) => manifest.startsWith(it)).sort((a, b) => b.length - a.length)[0];
  if (!snapshot && folder === undefined) return undefined;
  const uri = snapshot?.project?.project.uri ?? (folder ?? directoryOf(manifest)) + projectFileName;
  if (await session.files.isBlocked?.(uri)) {
    showError(l10n.t('{0} is not a readable file in this workspace.', projectFileName), session);
    return undefined;
  }
  const text = await session.read(uri);
  const insertion = addIgnore(text ?? '', ignore);
  if (!insertion) {
    showError(l10n.t('Fix the errors in {0} first.', projectFileName), session);
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

/** By a notification: the request that offers buttons need not be known to every client. */
function showError(message: string, session: Session): void {
  const params = { type: MessageType.Error, message };
  session.connection
    .sendNotification(ShowMessageNotification.type.method, params)
    .catch((it: unknown) => session.log('a message', it));
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
