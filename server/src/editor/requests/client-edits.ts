import { MessageType, ShowMessageNotification, ShowMessageRequest, type WorkspaceEdit } from 'vscode-languageserver';
import { settle } from '../../engine/analysis/settle.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { oneLine } from '../../engine/base/text.ts';
import type { CommandLine, Updated } from '../features/commands.ts';
import { textIn } from '../params.ts';
import type { ClientState } from '../state/client-state.ts';
import type { ServerState } from '../state/server-state.ts';

/** Sent to clients that announce `experimental.packageInsightsUpdated`. */
const updatedNotification = 'packageInsights/updated';

/** Tells clients that have announced it about an update, as `updatedCommand` does after that of an action. */
export function reportUpdate({ uri }: Snapshot, client: ClientState): void {
  const { connection } = client;
  if (client.capabilities.experimental?.packageInsightsUpdated !== true) return;
  const updated: Updated = { uri };
  connection.sendNotification(updatedNotification, updated).catch((it: unknown) => client.log('an update', it));
}

/** Sent to clients that announce `experimental.packageInsightsCommandLine`. */
const commandLineNotification = 'packageInsights/commandLine';

/** Offers a line for a shell where the client can run or copy it; others show the sentence that contains it. */
export function offerCommandLine(line: CommandLine, client: ClientState): void {
  const { connection } = client;
  if (client.capabilities.experimental?.packageInsightsCommandLine !== true) {
    showMessage(MessageType.Info, line.message, client);
    return;
  }
  connection.sendNotification(commandLineNotification, line).catch((it: unknown) => client.log('a command', it));
}

/** Shows a sentence as an error. */
export function showError(message: string, client: ClientState): void {
  showMessage(MessageType.Error, message, client);
}

/**
 * A notification: not every client supports the request with buttons. VS Code turns `[…](command:…)` in it into a link
 * that runs any command, so names and versions of files must not be one: an invisible character separates the brackets.
 */
export function showMessage(type: MessageType, message: string, client: ClientState): void {
  const params = { type, message: plainMessage(message) };
  client.connection
    .sendNotification(ShowMessageNotification.type.method, params)
    .catch((it: unknown) => client.log('a message', it));
}

function plainMessage(message: string): string {
  return oneLine(message).replace(/\](?=\()/g, ']\u2060');
}

/** Asks a question with one button. A client that cannot ask shows the question, and nothing is confirmed. */
export async function isConfirmed(question: string, yes: string, client: ClientState): Promise<boolean> {
  if (client.capabilities.window?.showMessage === undefined) {
    showMessage(MessageType.Warning, question, client);
    return false;
  }
  const params = { type: MessageType.Warning, message: plainMessage(question), actions: [{ title: yes }] };
  const chosen = await client.connection.sendRequest(ShowMessageRequest.type.method, params);
  return textIn(chosen, 'title') === yes;
}

/** How long an editor may take to send the text of a document that it shows, and between two looks, in ms. */
const OPENING_MS = 5000;
const OPENING_PAUSE_MS = 50;

/** The snapshot of a document, which the client shows if it is not open: only what is open is evaluated. */
export async function openedSnapshot(uri: string, { client, engine }: ServerState): Promise<Snapshot | undefined> {
  const { workspace, clock } = engine;
  const { connection } = client;
  const known = await workspace.snapshot(uri);
  if (known || !client.capabilities.window?.showDocument?.support) return known;
  await connection.sendRequest('window/showDocument', { uri, takeFocus: true });
  const until = clock.now() + OPENING_MS;
  return settle(
    () => workspace.snapshot(uri),
    (snapshot) => (snapshot ? 0 : until - clock.now()),
    () => new Promise((resolve) => clock.after(OPENING_PAUSE_MS, resolve)),
  );
}

type TextEdit = NonNullable<WorkspaceEdit['changes']>[string][number];

/** Creates the file first if the client supports that; others create it on editing. */
export function editOf(uri: string, isNew: boolean, edits: TextEdit[], client: ClientState): WorkspaceEdit {
  const { documentChanges, resourceOperations } = client.capabilities.workspace?.workspaceEdit ?? {};
  if (!documentChanges) return { changes: { [uri]: edits } };
  const change = { textDocument: { uri, version: client.documents.get(uri)?.version ?? null }, edits };
  const create = { kind: 'create', uri, options: { ignoreIfExists: true } } as const;
  return { documentChanges: isNew && resourceOperations?.includes('create') ? [create, change] : [change] };
}
