import * as vscode from 'vscode';
import type { BaseLanguageClient, Range, WorkspaceEdit } from 'vscode-languageclient';
import type { UpdateScope } from '../../../server/src/analysis/update-plan.ts';
import type { UpdatesAnswer } from '../../../server/src/language-server/requests/updates.ts';
import { plainText } from '../escape.ts';
import { isManifest } from '../manifest-context.ts';
import { progressMessage, sendRequestWithProgress } from '../requests.ts';
import { afterUpdate } from './install.ts';

/** How long the message is shown, in ms. */
const MESSAGE_TIME = 5000;

/** In a message; the others are counted. */
const MAX_NAMES = 3;

/** Shows a preview of all updates of the active manifest, or of all manifests of the workspace, and makes the chosen ones. */
export async function updateAll(
  client: BaseLanguageClient,
  scope: UpdateScope,
  where: 'file' | 'workspace',
): Promise<void> {
  const { t } = vscode.l10n;
  const document = vscode.window.activeTextEditor?.document;
  const isFile = where === 'file';
  if (isFile && (document === undefined || !isManifest(document))) {
    vscode.window.showInformationMessage(t('Open a manifest first, for example package.json or pom.xml.'));
    return;
  }
  const uri = document && isManifest(document) ? client.code2ProtocolConverter.asUri(document.uri) : undefined;
  const params = { scope, ...(isFile && uri !== undefined && { textDocument: { uri } }) };
  const title = t('Looking for updates');
  const answer = await sendRequestWithProgress(client, 'updates', params, title, progressMessage);
  if (!answer) return;
  if (answer.edit === undefined) {
    if (answer.left.length > 0) vscode.window.showInformationMessage(summaryOf(0, answer));
    else vscode.window.setStatusBarMessage(t('Nothing to update.'), MESSAGE_TIME);
    return;
  }
  const confirmed = await confirm(answer.edit);
  if (confirmed === undefined) return;
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(confirmed);
  if (!(await vscode.workspace.applyEdit(edit))) return;
  const updated = countEdits(confirmed);
  const changed = uri ?? client.code2ProtocolConverter.asUri(edit.entries()[0]?.[0] ?? vscode.Uri.parse('untitled:'));
  // Both messages may be there: the offer to install must not wait for this one.
  vscode.window.showInformationMessage(summaryOf(updated, answer));
  await afterUpdate(client, changed);
}

/**
 * A preview with one row for each step of a package, all of them selected: Enter makes them. VS Code's own preview selects
 * none, and its key bindings have to be known.
 * @returns absent if the person leaves it
 */
async function confirm(edit: WorkspaceEdit): Promise<WorkspaceEdit | undefined> {
  const { changeAnnotations = {}, documentChanges = [] } = edit;
  const rows = Object.entries(changeAnnotations).map(([id, { label, description }]) => ({
    id,
    label: plainText(label),
    ...(description !== undefined && { description: plainText(description) }),
    picked: true,
  }));
  const title = vscode.l10n.t('Update to these versions?');
  const chosen = await vscode.window.showQuickPick(rows, { title, canPickMany: true, ignoreFocusOut: true });
  if (chosen === undefined || chosen.length === 0) return undefined;
  const ids = new Set(chosen.map((it) => it.id));
  const changes = documentChanges.flatMap((it) => {
    if (!('edits' in it)) return [];
    const edits = it.edits.filter((change) => 'annotationId' in change && ids.has(change.annotationId));
    return edits.length > 0 ? [{ ...it, edits: edits.map((change) => withoutAnnotation(change)) }] : [];
  });
  return { documentChanges: changes };
}

function withoutAnnotation<T extends { readonly range: Range; readonly newText?: string }>({ range, newText = '' }: T) {
  return { range, newText };
}

function countEdits({ documentChanges = [] }: WorkspaceEdit): number {
  return documentChanges.reduce((sum, it) => sum + ('edits' in it ? it.edits.length : 0), 0);
}

/** `12 updated. Not updated: 2 no safe version (request, rimraf), 1 not checked (chalk).` */
function summaryOf(updated: number, { changes, left }: UpdatesAnswer): string {
  const { t } = vscode.l10n;
  const reasons = left.map(({ reason, names }) => {
    const shown = names.slice(0, MAX_NAMES).map(plainText);
    const list = names.length > MAX_NAMES ? [...shown, '…'] : shown;
    return `${names.length} ${plainText(reason)} (${list.join(', ')})`;
  });
  if (updated < changes) reasons.push(t('{0} not confirmed', changes - updated));
  const done = updated === 1 ? t('1 version updated.') : t('{0} versions updated.', updated);
  return reasons.length === 0 ? done : t('{0} Not updated: {1}.', done, reasons.join('; '));
}
