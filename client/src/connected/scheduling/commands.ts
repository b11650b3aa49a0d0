import type { BaseLanguageClient } from 'vscode-languageclient';
import { isConnected } from '../connections/connected.ts';
import { explainConnecting } from './ask.ts';
import { addWindow, chooseCalendar, shareCalendar } from './calendars.ts';

/** Commands of the palette, which are there although no calendar service is connected. */

export async function chooseScheduleCalendar(client: BaseLanguageClient): Promise<void> {
  await (isConnected('scheduling') ? chooseCalendar(client) : explainConnecting());
}

export async function shareScheduleCalendar(client: BaseLanguageClient): Promise<void> {
  await (isConnected('scheduling') ? shareCalendar(client) : explainConnecting());
}

export async function addMaintenanceWindow(client: BaseLanguageClient): Promise<void> {
  await (isConnected('scheduling') ? addWindow(client) : explainConnecting());
}
