import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { Updated } from '../../../server/src/editor/features/commands.ts';
import { plainText } from '../escape.ts';
import { sendRequest } from '../requests.ts';

/** The command of code actions that update a version, which the editor runs once it has made the edit. */
export const updatedCommand = 'packageInsights.updated';

/** The same after an edit that a command of the server has requested. */
export const updatedNotification = 'packageInsights/updated';

/** Whether the offer was made in this window. */
let isOffered = false;

/** Completes the step of the walkthrough, and offers once a window to install what was updated. */
export async function afterUpdate(client: BaseLanguageClient, uri: string): Promise<void> {
  vscode.commands.executeCommand('setContext', 'packageInsights.hasUpdated', true);
  const settings = vscode.workspace.getConfiguration('packageInsights');
  if (isOffered || !vscode.workspace.isTrusted || settings.get('offerInstall') !== true) return;
  // Two updates in a row must not ask twice.
  isOffered = true;
  const files = [uri];
  const undoing = watchUndo(files, client);
  const install = await sendRequest(client, 'install', { textDocument: { uri } });
  const directory = install && vscode.Uri.parse(install.directory);
  if (install === null || directory?.scheme !== 'file' || undoing.isUndone()) {
    undoing.dispose();
    isOffered = false;
    return;
  }
  files.push(...install.reads);
  const { t } = vscode.l10n;
  const run = t('Save and Run');
  const never = t("Don't Ask Again");
  const chosen = await vscode.window.showInformationMessage(
    t('Run “{0}” in {1} to install the update?', install.command, plainText(folderName(directory))),
    run,
    never,
  );
  undoing.dispose();
  if (chosen === run && undoing.isUndone()) {
    vscode.window.setStatusBarMessage(t('Nothing to install: the update was undone.'), MESSAGE_TIME);
    return;
  }
  if (chosen === never) await settings.update('offerInstall', false, vscode.ConfigurationTarget.Global);
  if (chosen !== run) return;
  for (const document of vscode.workspace.textDocuments) {
    const isRead = install.reads.includes(client.code2ProtocolConverter.asUri(document.uri));
    // What is not saved is not installed.
    if (isRead && document.isDirty && !(await document.save())) return;
  }
  const terminal = vscode.window.createTerminal({ name: 'Package Insights', cwd: directory });
  terminal.show();
  terminal.sendText(install.command);
}

/** How long a message in the status bar is shown, in ms. */
const MESSAGE_TIME = 5000;

/**
 * Watches whether an update is undone before or while its offer is shown. An extension cannot close a message, so the offer stays,
 * and the offer of the next update takes its place.
 */
function watchUndo(files: readonly string[], client: BaseLanguageClient): { isUndone(): boolean; dispose(): void } {
  let isUndone = false;
  const watching = vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
    if (reason === undefined || !files.includes(client.code2ProtocolConverter.asUri(document.uri))) return;
    isUndone = reason === vscode.TextDocumentChangeReason.Undo;
    isOffered = !isUndone;
  });
  return { isUndone: () => isUndone, dispose: () => watching.dispose() };
}

/** The folder as the person sees it: relative to the workspace, or the name of the workspace's folder. */
function folderName(directory: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(directory, true).replace(/\/+$/, '');
  const around = vscode.workspace.getWorkspaceFolder(directory);
  const isRoot = around !== undefined && `${around.uri.path}/` === `${directory.path.replace(/\/+$/, '')}/`;
  return isRoot ? around.name : path;
}

/** Validates the argument of the command, which other extensions may call. */
export function isUpdated(value: unknown): value is Updated {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string';
}
