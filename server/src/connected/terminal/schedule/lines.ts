import * as l10n from '@vscode/l10n';
import { isoDay } from '../../../engine/base/dates.ts';
import { sanitize } from '../../../engine/report/formats/texts.ts';
import { type PlannedEvent, type PlannedStatus, placeText, type Slot } from '../../model/scheduling/planned.ts';
import type { Trouble } from '../../model/scheduling/schedule.ts';

/** Characters of the id of an event that are shown, and suffice to name it. */
export const SHOWN_ID = 8;

/** `2026-11-24 14:00`, in the time zone of this machine */
export function localTime(at: number): string {
  const shifted = at - new Date(at).getTimezoneOffset() * 60_000;
  return new Date(shifted).toISOString().slice(0, 16).replace('T', ' ');
}

/** `2026-11-24 14:00–15:00` */
export function periodText({ start, end }: Slot): string {
  return `${localTime(start)}–${localTime(end).slice(11)}`;
}

function statusText(status: PlannedStatus): string {
  switch (status) {
    case 'planned':
      return l10n.t('scheduled');
    case 'done':
      return l10n.t('done');
    case 'canceled':
      return l10n.t('canceled');
  }
}

/**
 *     2026-11-24 14:00–15:00  planned  Update lodash 4.17.15 → 4.17.21  (9k3abc12)
 *         app/package.json:12
 */
export function eventLines(event: PlannedEvent): string[] {
  const when = event.isAllDay ? isoDay(event.start) : periodText(event);
  const notes = [statusText(event.status), ...(event.isChanged ? [l10n.t('changed in the calendar')] : [])].join(', ');
  const places = [...new Set(event.updates.flatMap((it) => it.places.map(placeText)))];
  return [
    `${when}  ${notes}  ${event.title}  (${event.id.slice(0, SHOWN_ID)})`,
    ...(places.length > 0 ? [`    ${places.join(', ')}`] : []),
    ...(event.link === undefined ? [] : [`    ${event.link}`]),
  ].map(sanitize);
}

export function eventJson({ start, end, isAllDay, ...event }: PlannedEvent): object {
  return {
    ...event,
    start: isAllDay ? isoDay(start) : new Date(start).toISOString(),
    end: isAllDay ? isoDay(end) : new Date(end).toISOString(),
  };
}

/** Why something was not done, and what helps. */
export function troubleText({ kind, reason, until }: Trouble): string {
  const said = until === undefined ? reason : l10n.t('{0}, until {1}', reason, localTime(until));
  const help = kind === 'no-calendar' ? l10n.t('{0}; {1} chooses one', said, 'package-insights schedule setup') : said;
  return sanitize(`package-insights schedule: ${help}`);
}
