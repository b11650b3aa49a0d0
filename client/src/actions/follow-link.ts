import * as vscode from 'vscode';

/** Runs the command of a link in a hover: the only one that hovers may run. */
export const linkCommand = 'packageInsights.link';

/**
 * Known to this window and its server. Each link of a hover that runs a command repeats it, so a text of a package or a
 * file name that becomes a link runs nothing.
 */
export const linkKey = crypto.randomUUID();

/** The commands that links in hovers may run. */
const linkedCommands = [
  'packageInsights.server.update',
  'packageInsights.server.wayOut',
  'packageInsights.whatChanges',
  'packageInsights.ignore',
  'packageInsights.addPublicRegistry',
  'packageInsights.askRegistries',
  'packageInsights.lookUpInBrowser',
  'packageInsights.openLink',
  'packageInsights.scheduleUpdate',
  'packageInsights.movePlanned',
  'packageInsights.cancelPlanned',
];

/** @param given the key, the command and its arguments; untrusted */
export async function followLink(...given: readonly unknown[]): Promise<void> {
  const [key, command, args] = given;
  const isOurs = key === linkKey && linkedCommands.some((it) => it === command) && Array.isArray(args);
  if (isOurs) await vscode.commands.executeCommand(String(command), ...args);
  else
    vscode.window.showWarningMessage(
      vscode.l10n.t('This link was not made by Package Insights, so it is not followed.'),
    );
}
