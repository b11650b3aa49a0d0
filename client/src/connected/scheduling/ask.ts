import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ScheduleActions, ScheduleAnswer } from '../../../../server/src/connected/editor/schedule/requests.ts';
import type { Trouble } from '../../../../server/src/connected/model/scheduling/schedule.ts';
import { plainText } from '../../escape.ts';
import { sendRequest } from '../../requests.ts';
import { chooseCalendar } from './calendars.ts';

export type ActionName = keyof ScheduleActions;
export type ParamsOf<Name extends ActionName> = Parameters<ScheduleActions[Name]>[0];
export type ValueOf<Name extends ActionName> = Extract<
  ReturnType<ScheduleActions[Name]>,
  { readonly ok: true }
>['value'];

/** One request, without words for the person. */
export async function send<Name extends ActionName>(
  client: BaseLanguageClient,
  action: Name,
  params: ParamsOf<Name>,
  token?: vscode.CancellationToken,
): Promise<ReturnType<ScheduleActions[Name]>> {
  const answer: ScheduleAnswer = await sendRequest(client, 'schedule', { ...params, action } as never, token);
  return answer as ReturnType<ScheduleActions[Name]>;
}

/**
 * Asks the calendar, with progress. What is missing, the person is asked for, and then it is asked again.
 * @param title of the progress
 * @returns undefined if the person gives up; the reason was shown
 */
export async function ask<Name extends ActionName>(
  client: BaseLanguageClient,
  action: Name,
  params: ParamsOf<Name>,
  title: string,
): Promise<ValueOf<Name> | undefined> {
  for (;;) {
    const answer = await withProgress(title, (token) => send(client, action, params, token));
    if (answer.ok) return answer.value as ValueOf<Name>;
    if (!(await resolveTrouble(client, answer.trouble))) return undefined;
  }
}

/** In ms. Quicker answers need no progress. */
const PROGRESS_DELAY = 700;

/** Shows progress, which can be canceled, once the answer takes long. */
async function withProgress<T>(title: string, run: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
  const canceling = new vscode.CancellationTokenSource();
  const answer = run(canceling.token);
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), PROGRESS_DELAY);
  });
  try {
    const ended = answer.then(
      () => false,
      () => false,
    );
    if (!(await Promise.race([ended, isLate]))) return await answer;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return await vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => canceling.cancel());
      return answer;
    });
  } finally {
    clearTimeout(timer);
    canceling.dispose();
  }
}

/**
 * Shows what is in the way, with the way out of it.
 * @returns whether to ask again
 */
export async function resolveTrouble(client: BaseLanguageClient, trouble: Trouble): Promise<boolean> {
  const { t } = vscode.l10n;
  const { kind, until } = trouble;
  const reason = plainText(trouble.reason);
  switch (kind) {
    case 'aborted':
      return false;
    case 'not-connected':
      await explainConnecting();
      return false;
    case 'no-calendar':
      return (await chooseCalendar(client)) !== undefined;
    case 'calendar-gone':
    case 'forbidden': {
      const choose = t('Choose a Calendar…');
      const chosen = await vscode.window.showErrorMessage(t('The calendar was not used: {0}.', reason), choose);
      return chosen === choose && (await chooseCalendar(client)) !== undefined;
    }
    case 'unauthorized': {
      const connect = t('Connect Again…');
      const chosen = await vscode.window.showErrorMessage(t('The calendar was not used: {0}.', reason), connect);
      if (chosen === connect) await connectScheduling();
      return chosen === connect;
    }
    case 'held':
    case 'over-budget': {
      const time = until === undefined ? undefined : new Date(until).toLocaleTimeString(vscode.env.language);
      const message =
        time === undefined
          ? t('The calendar was not asked: {0}.', reason)
          : t('The calendar was not asked: {0}. It can be asked again at {1}.', reason, time);
      return offerAgain(message);
    }
    case 'event-gone':
    case 'changed':
    case 'invalid':
    case 'failed':
      return offerAgain(t('The calendar was not changed: {0}.', reason));
  }
}

async function offerAgain(message: string): Promise<boolean> {
  const again = vscode.l10n.t('Try Again');
  return (await vscode.window.showErrorMessage(message, again)) === again;
}

/** Says what scheduling is and how to have it. */
export async function explainConnecting(): Promise<void> {
  const { t } = vscode.l10n;
  const connect = t('Connect…');
  const message = t('Updates can be scheduled in a calendar once a calendar service is connected.');
  if ((await vscode.window.showInformationMessage(message, connect)) === connect) await connectScheduling();
}

async function connectScheduling(): Promise<void> {
  await vscode.commands.executeCommand('packageInsights.connectService', { name: 'scheduling' });
}
