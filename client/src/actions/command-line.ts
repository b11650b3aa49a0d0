import * as vscode from 'vscode';
import type { CommandLine } from '../../../server/src/editor/features/commands.ts';
import { copy } from '../copy.ts';
import { plainText } from '../escape.ts';

/** Sent when a person has chosen what a command of a package manager does. */
export const commandLineNotification = 'packageInsights/commandLine';

/** Offers to run a command in a terminal, or to copy it. Nothing runs before a button is pressed. */
export async function offerCommandLine({ message, command, directory }: CommandLine): Promise<void> {
  const { t } = vscode.l10n;
  const run = t('Run in Terminal');
  const copying = t('Copy Command');
  const cwd = vscode.Uri.parse(directory);
  const canRun = vscode.workspace.isTrusted && cwd.scheme === 'file';
  const chosen = await vscode.window.showInformationMessage(plainText(message), ...(canRun ? [run] : []), copying);
  if (chosen === copying) await copy(command);
  if (chosen !== run) return;
  const terminal = vscode.window.createTerminal({ name: 'Package Insights', cwd });
  terminal.show();
  terminal.sendText(command);
}
