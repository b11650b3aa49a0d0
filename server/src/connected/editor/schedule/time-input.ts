import * as l10n from '@vscode/l10n';
import { instantOf, localTime, type Reader } from '../../../engine/base/moments.ts';

/** A time that a person has typed: an instant in ms since the epoch, or why it is not one, as a sentence. */
export type ReadTime = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly reason: string };

const DAY_MS = 24 * 3_600_000;

/**
 * Reads a time in the time zone of the reader: `2026-11-24 14:00`, `24.11. 14:00`, `tomorrow 14:00`, `fri 9:30`, `14:00`,
 * `tomorrow 2 pm`. Days may be named in English or in the language of the reader.
 */
export function readTime(text: string, reader: Reader): ReadTime {
  const [, dayText = '', timeText = ''] = /^(.*?)[\s,T]*(\d{1,2}(?::\d{2})?\s*(?:[ap]m)?)$/i.exec(text.trim()) ?? [];
  const minutes = minutesIn(timeText);
  if (minutes === undefined)
    return { ok: false, reason: l10n.t('Enter a day and a time, for example {0}.', example(reader)) };
  const today = startOfDay(localTime(reader.now, reader.timeZone));
  const day = dayText === '' ? today : dayIn(dayText.toLowerCase(), today, reader);
  if (day === undefined)
    return { ok: false, reason: l10n.t('Enter a day and a time, for example {0}.', example(reader)) };
  const at = instantOf(day + minutes * 60_000, reader.timeZone);
  // A time alone is the next one.
  const next = dayText === '' && at <= reader.now ? instantOf(day + DAY_MS + minutes * 60_000, reader.timeZone) : at;
  return next > reader.now ? { ok: true, at: next } : { ok: false, reason: l10n.t('This time is in the past.') };
}

/** `2026-11-24 14:00`: tomorrow */
function example(reader: Reader): string {
  const tomorrow = startOfDay(localTime(reader.now, reader.timeZone)) + DAY_MS;
  return `${new Date(tomorrow).toISOString().slice(0, 10)} 14:00`;
}

function startOfDay(local: number): number {
  return local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
}

/** Since midnight. A number alone is no time: `2026-11-24`. */
function minutesIn(text: string): number | undefined {
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))?\s*([ap]m)?$/i.exec(text) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)];
  if (minute > 59) return undefined;
  if (half === undefined) return hour > 23 ? undefined : hour * 60 + minute;
  if (hour < 1 || hour > 12) return undefined;
  return ((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)) * 60 + minute;
}

/** The start of a day as if it were UTC. @param today the same of today */
function dayIn(text: string, today: number, { locale }: Reader): number | undefined {
  if (['today', l10n.t('today').toLowerCase()].includes(text)) return today;
  if (['tomorrow', l10n.t('tomorrow').toLowerCase()].includes(text)) return today + DAY_MS;
  const named = [0, 1, 2, 3, 4, 5, 6].find((it) => weekDayNames(it, locale).includes(text.replace(/\.$/, '')));
  if (named !== undefined) {
    const ahead = (named - new Date(today).getUTCDay() + 7) % 7;
    return today + (ahead === 0 ? 7 : ahead) * DAY_MS;
  }
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return dateOf(Number(year), Number(month), Number(day));
  const [, dayFirst, monthSecond, yearLast] = /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})?$/.exec(text) ?? [];
  if (dayFirst === undefined) return undefined;
  const thisYear = new Date(today).getUTCFullYear();
  const date = dateOf(Number(yearLast ?? thisYear), Number(monthSecond), Number(dayFirst));
  const isPast = yearLast === undefined && date !== undefined && date < today;
  return isPast ? dateOf(thisYear + 1, Number(monthSecond), Number(dayFirst)) : date;
}

/** Undefined for a day that does not exist, such as 31 November. */
function dateOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** 4 January 1970 was a Sunday. */
const SUNDAY = 3 * DAY_MS;

/** `tuesday`, `tue` and those of the language. */
function weekDayNames(day: number, locale: string | undefined): readonly string[] {
  const names = (language: string): string[] =>
    (['long', 'short'] as const).map((weekday) =>
      new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(SUNDAY + day * DAY_MS).toLowerCase(),
    );
  const own = locale !== undefined && Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0 ? names(locale) : [];
  return [...names('en'), ...own];
}
