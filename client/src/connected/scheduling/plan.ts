import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { PlannableUpdate } from '../../../../server/src/connected/editor/schedule/plannable.ts';
import type { AddedRows } from '../../../../server/src/connected/editor/schedule/requests.ts';
import type { EventDraft } from '../../../../server/src/connected/model/scheduling/planned.ts';
import { chooseDependency, type DependencyPlace } from '../../dependency.ts';
import { plainText } from '../../escape.ts';
import { isConnected } from '../connections/connected.ts';
import { ask, explainConnecting } from './ask.ts';
import { type ChosenTime, chooseTime } from './choose-time.ts';
import { openPlanned } from './planned.ts';

/**
 * Plans the update of one dependency in the calendar.
 * @param argument an `UpdateRequest`, or nothing: then for the dependency at the cursor
 */
export async function scheduleUpdate(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const { t } = vscode.l10n;
  if (!isConnected('scheduling')) return explainConnecting();
  const request = placeIn(argument) ?? (await chooseDependency(client, t('Schedule an update')))?.place;
  if (request === undefined) return;
  const updates = await ask(client, 'draft', request, t('Looking for the update…'));
  if (updates === undefined) return;
  const [first] = updates;
  const name = plainText(request.name);
  if (first === undefined) {
    vscode.window.showInformationMessage(t('No update of {0} is known.', name));
    return;
  }
  if (first.planned !== undefined) {
    vscode.window.showInformationMessage(t('The update of {0} is scheduled already: {1}.', name, first.planned));
    return;
  }
  const title = t('Schedule the Update of {0}', `${name} → ${plainText(first.draft.target)}`);
  const time = await chooseTime(client, title);
  if (time) await addEvents(client, [draftOf(updates, time)]);
}

/** One event for some updates, which are of one folder. */
export function draftOf(
  updates: readonly PlannableUpdate[],
  { start, end }: Pick<ChosenTime, 'start' | 'end'>,
): EventDraft {
  return { folder: updates[0]?.folder ?? '', updates: updates.map((it) => it.draft), start, end };
}

/** Adds events and says what was added, with a way back. */
export async function addEvents(client: BaseLanguageClient, drafts: readonly EventDraft[]): Promise<void> {
  const { t } = vscode.l10n;
  const title = drafts.length === 1 ? t('Planning the update…') : t('Planning {0} events…', drafts.length);
  const added = await ask(client, 'add', { drafts }, title);
  if (added) await tell(client, added);
}

async function tell(client: BaseLanguageClient, { events, problem }: AddedRows): Promise<void> {
  const { t } = vscode.l10n;
  const [first] = events;
  if (first === undefined) {
    if (problem !== undefined) vscode.window.showErrorMessage(t('Nothing was scheduled: {0}.', plainText(problem)));
    else vscode.window.showInformationMessage(t('Nothing was scheduled: other events plan these updates already.'));
    return;
  }
  const made = events.filter((it) => it.isNew);
  const [open, undo] = [t('Open'), t('Undo')];
  const what =
    events.length > 1
      ? t('{0} events scheduled, the first for {1}.', events.length, first.when)
      : first.isNew
        ? t('Scheduled for {0}.', first.inFull)
        : t('It was scheduled already, for {0}.', first.inFull);
  const message = problem === undefined ? what : t('{0} Not all of it: {1}.', what, plainText(problem));
  const actions = [
    ...(events.length === 1 && first.link !== undefined ? [open] : []),
    ...(made.length > 0 ? [undo] : []),
  ];
  const chosen = await vscode.window.showInformationMessage(message, ...actions);
  if (chosen === open) await openPlanned(client, first);
  if (chosen !== undo) return;
  for (const { id } of made) {
    if ((await ask(client, 'cancel', { id }, t('Canceling the scheduled update…'))) === undefined) return;
  }
  vscode.window.setStatusBarMessage(t('The update is no longer scheduled.'), MESSAGE_TIME);
}

/** In ms. */
const MESSAGE_TIME = 5000;

/** The dependency of a command, which other extensions may call, or of a row of a tree. */
function placeIn(
  argument: unknown,
): (DependencyPlace & { readonly name: string; readonly version?: string }) | undefined {
  const node = (argument ?? {}) as Record<string, unknown>;
  const { summary, target } = node as {
    readonly summary?: { readonly place?: object };
    readonly target?: { version?: unknown };
  };
  const given = summary?.place ? { ...summary.place, version: target?.version } : node;
  const { uri, offset, name, version, condition } = given as Record<string, unknown>;
  if (typeof uri !== 'string' || typeof offset !== 'number' || typeof name !== 'string') return undefined;
  return {
    ...{ uri, offset, name },
    ...(typeof condition === 'string' && { condition }),
    ...(typeof version === 'string' && { version }),
  };
}
