import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isManifest } from './manifest-context.ts';

/** How long it is told that nothing is to be updated, in ms. */
const told = 5000;

/** Moves every deprecated or affected dependency of the manifest in front, wherever the cursor is. */
export async function updateAll(client: LanguageClient): Promise<void> {
  const { t } = vscode.l10n;
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !isManifest(document)) {
    vscode.window.showInformationMessage(t('Open a manifest first: package.json or pom.xml, for example.'));
    return;
  }
  const changed: number = await client.sendRequest('workspace/executeCommand', {
    command: 'packageInsights.server.updateAll',
    arguments: [client.code2ProtocolConverter.asUri(document.uri)],
  });
  if (changed === 0) {
    vscode.window.setStatusBarMessage(t('As far as is known, no dependency of this file needs an update.'), told);
  }
}
