import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { SlotsAnswer } from '../../../../server/src/connected/editor/schedule/requests.ts';
import { plainText } from '../../escape.ts';
import { ask, send } from './ask.ts';
import { addWindow } from './calendars.ts';

/** A time for an event, in ms since the epoch. */
export interface ChosenTime {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The length of an event at a time that the person types, in minutes, if no free time shows it. */
const DEFAULT_MINUTES = 30;

/** Lets the person choose among free times, or type another one. Undefined if the person gives up. */
export async function chooseTime(client: BaseLanguageClient, title: string): Promise<ChosenTime | undefined> {
  const { t } = vscode.l10n;
  for (;;) {
    const found = await ask(client, 'slots', {}, t('Looking for free times…'));
    if (found === undefined) return undefined;
    const { timeZone } = found;
    const another = { label: `$(edit) ${t('Another time…')}`, slot: undefined };
    const window = { label: `$(clock) ${t('Add a maintenance window…')}`, slot: undefined };
    const chosen = await vscode.window.showQuickPick(
      [
        ...found.slots.map((slot) => ({
          label: `$(calendar) ${slot.text}`,
          ...(found.isInWindow && { description: t('maintenance window') }),
          slot,
        })),
        { label: '', kind: vscode.QuickPickItemKind.Separator, slot: undefined },
        another,
        window,
      ],
      { title, placeHolder: hintOf(found), ignoreFocusOut: true },
    );
    if (chosen === undefined) return undefined;
    if (chosen === window) await addWindow(client);
    else if (chosen === another) {
      const typed = await askTime(client, title, timeZone);
      const [first] = found.slots;
      const length = first ? first.end - first.start : DEFAULT_MINUTES * 60_000;
      if (typed) return { start: typed.at, end: typed.at + length, text: typed.text };
    } else if (chosen.slot) return chosen.slot;
  }
}

function hintOf({ slots, timeZone, unchecked }: SlotsAnswer): string {
  const { t } = vscode.l10n;
  if (slots.length === 0) return t('Nothing is free in the next weeks');
  if (unchecked.length === 0) return t('Free times in {0}', timeZone);
  return t('Times in {0}; not checked: {1}', timeZone, plainText(unchecked.join(', ')));
}

/** Asks for a time, which is read by the server: it knows the days of the language and the time zone. */
export async function askTime(
  client: BaseLanguageClient,
  title: string,
  timeZone: string | undefined,
): Promise<{ readonly at: number; readonly text: string } | undefined> {
  const { t } = vscode.l10n;
  let at: number | undefined;
  const read = async (text: string): Promise<string> => {
    const answer = await send(client, 'readTime', { text, ...(timeZone !== undefined && { timeZone }) });
    at = answer.ok ? answer.value.at : undefined;
    return answer.ok ? answer.value.text : answer.trouble.reason;
  };
  const given = await vscode.window.showInputBox({
    title,
    prompt: t('Day and time'),
    placeHolder: t('tomorrow 14:00'),
    ignoreFocusOut: true,
    async validateInput(text) {
      if (text.trim() === '') return undefined;
      const message = await read(text);
      const { Info, Error: Wrong } = vscode.InputBoxValidationSeverity;
      return { message, severity: at === undefined ? Wrong : Info };
    },
  });
  if (given === undefined || given.trim() === '') return undefined;
  const text = await read(given);
  return at === undefined ? undefined : { at, text };
}
