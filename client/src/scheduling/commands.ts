import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { explainConnecting, isScheduling } from './ask.ts';
import { addWindow, chooseCalendar, shareCalendar } from './calendars.ts';

/** Commands of the palette, which are there although no calendar service is connected. */

export async function chooseScheduleCalendar(client: BaseLanguageClient): Promise<void> {
  await (isScheduling() ? chooseCalendar(client) : explainConnecting());
}

export async function shareScheduleCalendar(client: BaseLanguageClient): Promise<void> {
  await (isScheduling() ? shareCalendar(client) : explainConnecting());
}

export async function addMaintenanceWindow(client: BaseLanguageClient): Promise<void> {
  await (isScheduling() ? addWindow(client) : explainConnecting());
}

/** Keeps `packageInsights.isScheduling` true while a calendar service is connected. Menus use it. */
export function followScheduling(): vscode.Disposable {
  const tell = (): void => {
    vscode.commands.executeCommand('setContext', 'packageInsights.isScheduling', isScheduling());
  };
  tell();
  return vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('packageInsights.connections.scheduling')) tell();
  });
}
