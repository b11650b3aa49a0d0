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
    if (answer.left.length > 0) showSummary(0, answer);
    else vscode.window.setStatusBarMessage(t('Nothing to update.'), MESSAGE_TIME);
    return;
  }
  const confirmed = await confirm(client, answer.edit);
  if (confirmed === undefined) return;
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(confirmed);
  if (!(await vscode.workspace.applyEdit(edit))) return;
  const updated = countEdits(confirmed);
  const changed = uri ?? client.code2ProtocolConverter.asUri(edit.entries()[0]?.[0] ?? vscode.Uri.parse('untitled:'));
  // Both messages may be there: the offer to install must not wait for this one.
  showSummary(updated, answer);
  await afterUpdate(client, changed);
}

/**
 * A preview with the steps of each file, all of them selected: Enter makes them. VS Code's own preview selects
 * none, and its key bindings have to be known.
 * @returns absent if the person leaves it
 */
async function confirm(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<WorkspaceEdit | undefined> {
  const { changeAnnotations = {}, documentChanges = [] } = edit;
  const files = documentChanges.flatMap((it) => ('edits' in it ? [it] : []));
  const rows = files.flatMap(({ textDocument, edits }) => {
    const ids = new Set(edits.flatMap((it) => ('annotationId' in it ? it.annotationId : [])));
    const path = vscode.workspace.asRelativePath(client.protocol2CodeConverter.asUri(textDocument.uri));
    const separator = { id: '', label: plainText(path), kind: vscode.QuickPickItemKind.Separator };
    const steps = [...ids].flatMap((id) => {
      const { label, description } = changeAnnotations[id] ?? { label: id };
      const note = description === undefined ? {} : { description: plainText(description) };
      return [{ id, label: plainText(label), ...note, picked: true }];
    });
    return files.length > 1 ? [separator, ...steps] : steps;
  });
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

/** `12 versions updated. 9 not updated.`; which ones and why is in a document. */
async function showSummary(updated: number, { changes, left }: UpdatesAnswer): Promise<void> {
  const { t } = vscode.l10n;
  const unconfirmed = changes - updated;
  const count = left.reduce((sum, { names }) => sum + names.length, Math.max(0, unconfirmed));
  const done = updated === 1 ? t('1 version updated.') : t('{0} versions updated.', updated);
  if (count === 0) {
    vscode.window.showInformationMessage(done);
    return;
  }
  const why = t('Why?');
  const chosen = await vscode.window.showInformationMessage(`${done} ${t('{0} not updated.', count)}`, why);
  if (chosen !== why) return;
  const content = [
    ...left.map(({ reason, names }) => `${reason}\n${names.map((it) => `    ${it}\n`).join('')}`),
    ...(unconfirmed > 0 ? [t('{0} not confirmed', unconfirmed)] : []),
  ].join('\n');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'plaintext', content }));
}
