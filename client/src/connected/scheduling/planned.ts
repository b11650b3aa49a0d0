import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { PlannedRow } from '../../../../server/src/connected/editor/schedule/requests.ts';
import { plainText } from '../../escape.ts';
import { openLink } from '../../open-link.ts';
import { isConnected } from '../connections/connected.ts';
import { ask, explainConnecting } from './ask.ts';
import { askTime } from './choose-time.ts';

/** In ms. */
const MESSAGE_TIME = 5000;

/** Lists the scheduled updates of the workspace; with an id, what can be done with that one. */
export async function showPlanned(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const { t } = vscode.l10n;
  if (!isConnected('scheduling')) return explainConnecting();
  const rows = await ask(client, 'list', {}, t('Looking for scheduled updates…'));
  if (rows === undefined) return;
  const id = idIn(argument);
  const asked = rows.find((it) => it.id === id);
  if (rows.length === 0 || (id !== undefined && asked === undefined)) {
    vscode.window.showInformationMessage(
      rows.length === 0 ? t('No update is scheduled.') : t('It is no longer scheduled.'),
    );
    return;
  }
  const row = asked ?? (await chooseRow(rows));
  if (row) await chooseAction(client, row);
}

async function chooseRow(rows: readonly PlannedRow[]): Promise<PlannedRow | undefined> {
  const items = rows.map((row) => ({ ...itemOf(row), row }));
  const title = vscode.l10n.t('Scheduled Updates');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.row;
}

/** A scheduled update in a list. */
export function itemOf({ title, when, places, isPast }: PlannedRow): vscode.QuickPickItem {
  const { t } = vscode.l10n;
  return {
    label: `$(${isPast ? 'warning' : 'calendar'}) ${when}`,
    description: plainText(title),
    detail: [...(isPast ? [t('the time has passed')] : []), ...places.map(plainText)].join(' · '),
  };
}

async function chooseAction(client: BaseLanguageClient, row: PlannedRow): Promise<void> {
  const { t } = vscode.l10n;
  const actions = [
    ...(row.link === undefined
      ? []
      : [{ label: `$(link-external) ${t('Open in the Calendar')}`, run: () => openPlanned(client, row) }]),
    { label: `$(calendar) ${t('Move…')}`, run: () => movePlanned(client, row) },
    { label: `$(trash) ${t('Cancel the Scheduled Update')}`, run: () => cancelPlanned(client, row) },
  ];
  const title = plainText(`${row.title}: ${row.when}`);
  await (await vscode.window.showQuickPick(actions, { title }))?.run();
}

/** Opens the page of an event. A link of the calendar is a link like others. */
export async function openPlanned(client: BaseLanguageClient, { link }: Pick<PlannedRow, 'link'>): Promise<void> {
  if (link !== undefined) await openLink(async () => ({ client }), link);
}

export async function movePlanned(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const id = idIn(argument);
  if (id === undefined) return;
  const slots = await ask(client, 'slots', {}, t('Looking for free times…'));
  if (slots === undefined) return;
  const another = { label: `$(edit) ${t('Another time…')}`, start: undefined };
  const free = slots.slots.map(({ text, start }) => ({ label: `$(calendar) ${text}`, start }));
  const title = t('Move the Scheduled Update');
  const placeHolder = t('Free times in {0}', slots.timeZone);
  const chosen = await vscode.window.showQuickPick([...free, another], { title, placeHolder, ignoreFocusOut: true });
  const start = chosen === another ? (await askTime(client, title, slots.timeZone))?.at : chosen?.start;
  if (start === undefined) return;
  const moved = await ask(client, 'move', { id, start }, t('Moving the scheduled update…'));
  if (moved) vscode.window.setStatusBarMessage(t('Moved to {0}.', moved.inFull), MESSAGE_TIME);
}

export async function cancelPlanned(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const id = idIn(argument);
  if (id === undefined) return;
  const canceled = await ask(client, 'cancel', { id }, t('Canceling the scheduled update…'));
  if (canceled) vscode.window.setStatusBarMessage(t('The update is no longer scheduled.'), MESSAGE_TIME);
}

function idIn(argument: unknown): string | undefined {
  const { id } = (argument ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' ? id : undefined;
}
