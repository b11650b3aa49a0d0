import { fixAll } from '../engine/fixes.ts';
import { updateAllCommand } from '../features/code-lens.ts';
import { ignoreCommand } from '../features/ignore-actions.ts';
import { toWorkspaceEdit } from '../features/workspace-edit.ts';
import { ignoreFinding } from './ignore.ts';
import type { Session } from './session.ts';

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
    const edits = snapshot ? fixAll(snapshot.subjects) : [];
    if (!snapshot || edits.length === 0 || !session.client.workspace?.applyEdit) return 0;
    const edit = toWorkspaceEdit(edits, session.contextFor(snapshot));
    const { applied } = await session.connection.workspace.applyEdit(edit);
    return applied ? edits.length : 0;
  },
};

const ignore: ServerCommand = { id: ignoreCommand, run: ([request], session) => ignoreFinding(request, session) };

/** Every command but the one that makes everything be asked for again, which is a matter of `serve`. */
export const commands: readonly ServerCommand[] = [updateAll, ignore];
