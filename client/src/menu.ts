import * as vscode from 'vscode';
import { plainText } from './escape.ts';

/** What a person should know of how things stand, and the command that shows more of it. */
export interface MenuNote {
  readonly icon: string;
  readonly label: string;
  /** A sentence. */
  readonly detail: string;
  readonly command: string;
  readonly argument?: unknown;
}

let standing: readonly MenuNote[] = [];

/** Puts these at the top of the menu from now on. */
export function setMenuNotes(notes: readonly MenuNote[]): void {
  standing = notes;
}

/** How things stand, and what one may want to do about it: the same from the status item and the command palette. */
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
