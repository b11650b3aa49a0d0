import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { CalendarChoice } from '../../../../server/src/connected/model/scheduling/planned.ts';
import { plainText } from '../../escape.ts';
import { ask } from './ask.ts';

/** In ms. */
const MESSAGE_TIME = 5000;

/** Lets the person choose the calendar for scheduled updates, or make one. Undefined if the person gives up. */
export async function chooseCalendar(client: BaseLanguageClient): Promise<CalendarChoice | undefined> {
  const { t } = vscode.l10n;
  const title = t('Calendar for Scheduled Updates');
  const calendars = await ask(client, 'calendars', {}, t('Looking for calendars…'));
  if (calendars === undefined) return undefined;
  const make = {
    label: `$(add) ${t('Make a calendar “Dependency updates”')}`,
    detail: t('Of its own: it can be shared with the team, and hidden.'),
    id: undefined,
  };
  const rows = calendars.map(({ id, name, isPrimary, isChosen }) => ({
    label: `$(calendar) ${plainText(name)}`,
    description: [...(isPrimary ? [t('your own')] : []), ...(isChosen ? [t('in use')] : [])].join(' · '),
    detail: plainText(id),
    id,
  }));
  const chosen = await vscode.window.showQuickPick([make, ...rows], { title, ignoreFocusOut: true });
  if (chosen === undefined) return undefined;
  const progress = t('Choosing the calendar…');
  const calendar =
    chosen.id === undefined
      ? await ask(client, 'makeCalendar', {}, progress)
      : await ask(client, 'chooseCalendar', { id: chosen.id }, progress);
  if (calendar === undefined) return undefined;
  const message = t('Updates are scheduled in the calendar {0}.', plainText(calendar.name));
  vscode.window.setStatusBarMessage(message, MESSAGE_TIME);
  return calendar;
}

/** Shares the calendar with another person. */
export async function shareCalendar(client: BaseLanguageClient): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Share the Calendar');
  const email = await vscode.window.showInputBox({
    title,
    prompt: t('Address of the person or group'),
    placeHolder: 'person@team.example',
    ignoreFocusOut: true,
    validateInput: (text) => (/^[^\s@]+@[^\s@]+$/.test(text.trim()) ? undefined : t('Enter an e-mail address.')),
  });
  if (email === undefined) return;
  const roles = [
    { label: t('May plan updates'), role: 'writer' as const },
    { label: t('May see them'), role: 'reader' as const },
  ];
  const chosen = await vscode.window.showQuickPick(roles, { title, ignoreFocusOut: true });
  if (chosen === undefined) return;
  const shared = await ask(client, 'share', { email: email.trim(), role: chosen.role }, t('Sharing the calendar…'));
  if (shared === undefined) return;
  vscode.window.setStatusBarMessage(t('The calendar is shared with {0}.', plainText(email.trim())), MESSAGE_TIME);
}

/** The days of RFC 5545, Sunday first. */
const ruleDays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/** 4 January 1970 was a Sunday. In ms. */
const DAY_MS = 24 * 3_600_000;
const SUNDAY = 3 * DAY_MS;

/** Lengths of a window that are offered, in minutes. */
const windowLengths = [30, 60, 120, 240];

/** Adds a weekly time for updates. Returns whether it was added. */
export async function addWindow(client: BaseLanguageClient): Promise<boolean> {
  const { t } = vscode.l10n;
  const title = t('Maintenance Window');
  const dayName = new Intl.DateTimeFormat(vscode.env.language, { weekday: 'long', timeZone: 'UTC' });
  const days = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ label: dayName.format(SUNDAY + day * DAY_MS), day }));
  const chosen = await vscode.window.showQuickPick(days, { title, placeHolder: t('Every'), ignoreFocusOut: true });
  if (chosen === undefined) return false;
  const time = await vscode.window.showInputBox({
    title,
    prompt: t('From'),
    value: '14:00',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^([01]?\d|2[0-3]):[0-5]\d$/.test(text.trim()) ? undefined : t('A time, for example 14:00'),
  });
  if (time === undefined) return false;
  const lengths = windowLengths.map((minutes) => ({ label: t('{0} minutes', minutes), minutes }));
  const length = await vscode.window.showQuickPick(lengths, { title, ignoreFocusOut: true });
  if (length === undefined) return false;
  const english = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
  const text = `${english.format(SUNDAY + chosen.day * DAY_MS)} ${time.trim()}`;
  const progress = t('Adding the maintenance window…');
  const first = await ask(client, 'readTime', { text }, progress);
  if (first?.at === undefined) return false;
  const window = {
    start: first.at,
    end: first.at + length.minutes * 60_000,
    rule: `FREQ=WEEKLY;BYDAY=${ruleDays[chosen.day]}`,
  };
  return (await ask(client, 'addWindow', window, progress)) !== undefined;
}
