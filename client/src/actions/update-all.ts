import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { UpdateScope } from '../../../server/src/analysis/fixes.ts';
import type { UpdatesAnswer } from '../../../server/src/language-server/requests/updates.ts';
import { plainText } from '../escape.ts';
import { isManifest } from '../manifest-context.ts';
import { progressMessage, sendRequestWithProgress } from '../requests.ts';
import { afterUpdate } from './install.ts';

/** How long the message is shown, in ms. */
const MESSAGE_TIME = 5000;

/** After which the preview is open, in ms. Nothing reports that. */
const FOCUS_DELAY = 500;

/** In a message; the others are counted. */
const MAX_NAMES = 3;

/** Shows a preview of all updates of the active manifest, or of all manifests of the workspace, and makes the chosen ones. */
export async function updateAll(
  client: LanguageClient,
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
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(answer.edit);
  const updated = await apply(edit);
  if (updated === 0) return;
  const changed = uri ?? client.code2ProtocolConverter.asUri(edit.entries()[0]?.[0] ?? vscode.Uri.parse('untitled:'));
  // Both messages may be there: the offer to install must not wait for this one.
  vscode.window.showInformationMessage(summaryOf(updated, answer));
  await afterUpdate(client, changed);
}

/** @returns the number of changes that the person confirmed in the preview, and 0 if they discarded it */
async function apply(edit: vscode.WorkspaceEdit): Promise<number> {
  const planned = new Set(edit.entries().flatMap(([uri, edits]) => edits.map((it) => `${uri} ${it.newText}`)));
  let made = 0;
  const counting = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    made += contentChanges.filter((it) => planned.has(`${document.uri} ${it.text}`)).length;
  });
  // The editor opens its preview without the focus: with it Space selects, and Ctrl+Enter applies.
  const focusing = setTimeout(() => vscode.commands.executeCommand('refactorPreview.focus'), FOCUS_DELAY);
  try {
    const isApplied = await vscode.workspace.applyEdit(edit, { isRefactoring: true });
    return isApplied ? made : 0;
  } finally {
    clearTimeout(focusing);
    counting.dispose();
  }
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
