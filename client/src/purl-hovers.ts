import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { servedSelector } from './selector.ts';

/** The setting that asks for hovers over purls in any text. */
export const purlHovers = 'packageInsights.purlHovers';

/** The documents that the server is told of: manifests, and every text where purls are to be told of there. */
export function servedDocuments(): { scheme: string; pattern?: string; language?: string }[] {
  const isEveryText = vscode.workspace.getConfiguration().get(purlHovers) === true;
  return isEveryText ? [{ scheme: 'file' }, { scheme: 'untitled' }] : servedSelector;
}

/**
 * Starts the server anew when the setting changes: which documents it is told of is settled when it starts. A second
 * selector that is registered meanwhile would send every change of a manifest twice.
 */
export function followPurlHovers(client: LanguageClient, restart: () => Promise<void>): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(async (it) => {
    if (!it.affectsConfiguration(purlHovers)) return;
    client.clientOptions.documentSelector = servedDocuments();
    if (client.isRunning()) await restart();
  });
}
