import { Temporal } from 'temporal-polyfill';
import { invalid } from './errors.ts';

/** A start or an end as requests and answers have it: a day, or an instant with the time zone of its repetitions. */
export interface EventTime {
  readonly date?: string;
  readonly dateTime?: string;
  readonly timeZone?: string;
}

export const DAY = 86_400_000;

const dateForm = /^\d{4}-\d\d-\d\d$/;
const timeForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|z|[-+]\d\d:?\d\d)?$/;

/** @throws `Refused` for an instant that is not one of RFC 3339 with its offset */
export function readInstant(text: string, name: string): number {
  const match = timeForm.exec(text);
  const at = match?.[1] && isDate(text.slice(0, 10)) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at)) throw invalid(`Invalid value for ${name}: ${text.slice(0, 60)}`, name);
  return at;
}

export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return /[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** In ms since the epoch. A day begins in the time zone of its calendar. */
export function instantOf({ date, dateTime, timeZone }: EventTime, calendarZone: string): number {
  if (date !== undefined) return startOfDay(date, calendarZone);
  return instantOfText(dateTime ?? '', timeZone ?? calendarZone);
}

function instantOfText(text: string, zone: string): number {
  const offset = timeForm.exec(text)?.[1];
  if (offset !== undefined) return Date.parse(text.replace(' ', 'T'));
  return Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(zone).epochMilliseconds;
}

export function startOfDay(date: string, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

/** The date in a time zone: `2026-11-24`. */
export function dateAt(at: number, zone: string): string {
  return zoned(at, zone).toPlainDate().toString();
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** How many days one date is after another. */
export function daysBetween(first: string, second: string): number {
  return Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(second)).days;
}

/** `2026-11-24T14:00:00+01:00`, and `Z` for UTC. */
export function textOf(at: number, zone: string): string {
  const text = zoned(at, zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
  return text.replace(/\+00:00$/, 'Z');
}

export function zoned(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

/** `20261124T130000Z`, as in the ids of instances. */
export function compact(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
}

/**
 * Checks a start or an end.
 * @throws `Refused`
 */
export function readEventTime(value: unknown, name: string): EventTime {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`Missing ${name} time.`);
  const { date, dateTime, timeZone } = value as Readonly<Record<string, unknown>>;
  const isZone = timeZone === undefined || timeZone === null || (typeof timeZone === 'string' && isTimeZone(timeZone));
  if (!isZone) throw invalid(`Invalid time zone definition for ${name} time.`);
  const zone = typeof timeZone === 'string' ? { timeZone } : {};
  const hasDate = date !== undefined && date !== null;
  const hasTime = dateTime !== undefined && dateTime !== null;
  if (hasDate === hasTime) throw invalid(`Invalid ${name} time.`);
  if (hasDate) {
    if (typeof date !== 'string' || !dateForm.test(date) || !isDate(date)) throw invalid(`Invalid ${name} time.`);
    return { date, ...zone };
  }
  const match = typeof dateTime === 'string' ? timeForm.exec(dateTime) : null;
  if (match === null || typeof dateTime !== 'string' || !isDate(dateTime.slice(0, 10)))
    throw invalid(`Invalid ${name} time.`);
  if (match[1] === undefined && zone.timeZone === undefined)
    throw invalid(`Missing time zone definition for ${name} time.`);
  let at: number;
  try {
    at = instantOfText(dateTime, zone.timeZone ?? 'UTC');
  } catch {
    at = Number.NaN;
  }
  if (Number.isNaN(at)) throw invalid(`Invalid ${name} time.`);
  // Seconds are the finest unit of a calendar.
  return { dateTime: textOf(Math.floor(at / 1000) * 1000, zone.timeZone ?? 'UTC'), ...zone };
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}
