import * as vscode from 'vscode';
import { plainText } from '../escape.ts';

/** A note about the status, and a command with details. */
export interface MenuNote {
  readonly icon: string;
  readonly label: string;
  /** A sentence. */
  readonly detail: string;
  readonly command: string;
  readonly argument?: unknown;
}

let standing: readonly MenuNote[] = [];

/** Sets the notes at the top of the menu. */
export function setMenuNotes(notes: readonly MenuNote[]): void {
  standing = notes;
}

/** Shows the status with actions, from the status item and the command palette. */
export async function showMenu(): Promise<void> {
  const { t } = vscode.l10n;
  const choices = [
    ...standing.map((it) => ({ ...it, label: `$(${it.icon}) ${plainText(it.label)}` })),
    { label: `$(warning) ${t('Show the findings')}`, command: 'workbench.actions.view.problems' },
    { label: `$(graph) ${t('Show the report of the workspace')}`, command: 'packageInsights.report' },
    { label: `$(refresh) ${t('Look up everything again')}`, command: 'packageInsights.refresh' },
    { label: `$(output) ${t('Show the log')}`, command: 'packageInsights.showLog' },
    { label: `$(debug-restart) ${t('Restart the language server')}`, command: 'packageInsights.restart' },
    {
      label: `$(gear) ${t('Settings')}`,
      command: 'workbench.action.openSettings',
      argument: '@ext:package-insights.package-insights',
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: 'Package Insights' });
  if (chosen) await vscode.commands.executeCommand(chosen.command, ...('argument' in chosen ? [chosen.argument] : []));
}
