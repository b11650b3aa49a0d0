import * as vscode from 'vscode';
import { plainText } from '../escape.ts';

/** Whether the offer was made in this window. */
let isOffered = false;

/** Offers once a window to look up names although the registry settings of the person's computer are unknown. */
export async function offerLookUpInBrowser(): Promise<void> {
  if (isOffered) return;
  isOffered = true;
  const { t } = vscode.l10n;
  const lookUp = t('Look Up');
  const chosen = await vscode.window.showInformationMessage(questionText(), lookUp, t('Not Now'));
  if (chosen === lookUp) await lookUpInBrowser();
}

/** Asks again: chosen at a package that is not looked up, in the menu of the status or in the command palette. */
export async function confirmLookUpInBrowser(): Promise<void> {
  const { t } = vscode.l10n;
  const lookUp = t('Look Up');
  const message = t('Look up packages in the browser?');
  const chosen = await vscode.window.showInformationMessage(message, { modal: true, detail: questionText() }, lookUp);
  if (chosen === lookUp) await lookUpInBrowser();
}

function questionText(): string {
  return vscode.l10n.t(
    'Nothing is looked up yet: a browser cannot read the registry settings of your computer, such as ~/.npmrc, which may assign names to a private registry. Send the names of packages to {0}? Names that files of the workspace assign to a private registry stay here.',
    plainText(String(vscode.workspace.getConfiguration('packageInsights').get('baseUrl'))),
  );
}

async function lookUpInBrowser(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('packageInsights');
  await settings.update('lookUpInBrowser', true, vscode.ConfigurationTarget.Global);
}
