import * as l10n from '@vscode/l10n';

/** For whom a moment is written. */
export interface Reader {
  /** The language of the texts as editors name it: `de`, `en-us`; undefined for English. */
  readonly locale?: string | undefined;
  /** Default: the time zone of this machine. */
  readonly timeZone?: string | undefined;
  /** In ms since the epoch: what is today needs no day. */
  readonly now: number;
}

/** A moment, or a day: `at` is then 00:00 of it in UTC. In ms since the epoch. */
export interface Moment {
  readonly at: number;
  readonly isAllDay?: boolean | undefined;
}

/** As short as it is clear: `Tue 24 Nov 14:00`, `today 14:00`, `Tue 24 Nov`; with the year if it is another one. */
export function momentText(moment: Moment, reader: Reader): string {
  const time = moment.isAllDay ? '' : timeIn(moment.at, reader);
  return `${dayText(moment, reader, { weekday: 'short' })} ${time}`.trim();
}

/** Shorter, without the time of a later day: `24 Nov`, `today 14:00`. */
export function shortMomentText(moment: Moment, reader: Reader): string {
  return isToday(moment, reader) ? momentText(moment, reader) : dayText(moment, reader, {});
}

/** In full: `Tuesday 24 November 2026 14:00`. */
export function longMomentText({ at, isAllDay }: Moment, reader: Reader): string {
  const day = formatted(at, zoneOf({ at, isAllDay }, reader), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return isAllDay ? day : `${day} ${timeIn(at, reader)}`;
}

/** A moment with its end: `Tue 24 Nov 14:00–14:30`. */
export function periodText(start: number, end: number, reader: Reader): string {
  return `${momentText({ at: start }, reader)}–${timeIn(end, reader)}`;
}

function dayText(moment: Moment, reader: Reader, given: Intl.DateTimeFormatOptions): string {
  const { at } = moment;
  if (isToday(moment, reader)) return l10n.t('today');
  const zone = zoneOf(moment, reader);
  const year = (it: number): string => formatted(it, zone, { year: 'numeric' });
  const isOtherYear = year(at) !== year(reader.now);
  return formatted(at, zone, { ...given, day: 'numeric', month: 'short', ...(isOtherYear && { year: 'numeric' }) });
}

function isToday(moment: Moment, reader: Reader): boolean {
  const day = (at: number, zone: Reader): string =>
    formatted(at, zone, { year: 'numeric', month: 'numeric', day: 'numeric' });
  return day(moment.at, zoneOf(moment, reader)) === day(reader.now, reader);
}

/** A whole day is the same day everywhere. */
function zoneOf({ isAllDay }: Moment, reader: Reader): Reader {
  return isAllDay ? { ...reader, timeZone: 'UTC' } : reader;
}

function timeIn(at: number, reader: Reader): string {
  return formatted(at, reader, { hour: 'numeric', minute: '2-digit' });
}

/** Without commas: there is little room. */
function formatted(at: number, { locale, timeZone }: Reader, options: Intl.DateTimeFormatOptions): string {
  return keptFormat(locale, timeZone, options).format(at).replaceAll(',', '');
}

/** Formats are slow to make: some for each language, and for each time zone. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 100;

function keptFormat(
  locale: string | undefined,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, options]);
  let format = formats.get(key);
  if (format === undefined) {
    if (formats.size >= MAX_FORMATS) formats.clear();
    format = formatFor(locale, { ...options, ...(timeZone !== undefined && { timeZone }) });
    formats.set(key, format);
  }
  return format;
}

/** English without a region is international: day before month, 24 hours. */
function formatFor(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // Environments name an encoding, too: `de_AT.UTF-8`.
  const named = locale?.replace(/[.@].*/, '').replaceAll('_', '-') ?? '';
  const known = named === '' || /^en$/i.test(named) ? international : named;
  return (
    formatIn(known, options) ??
    formatIn(international, options) ??
    new Intl.DateTimeFormat(international, { ...options, timeZone: undefined })
  );
}

const international = 'en-GB';

/** Undefined where the locale or the time zone is unknown. */
function formatIn(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return undefined;
  }
}

/**
 * The instant of a time on the clocks of a time zone. One that a change of the clocks skips counts from before the change.
 * @param local that time as if it were UTC, in ms since the epoch
 */
export function instantOf(local: number, timeZone: string | undefined): number {
  const before = offsetAt(local - DAY_MS, timeZone);
  const after = offsetAt(local + DAY_MS, timeZone);
  const [early, late] = [local - before, local - after];
  const isRight = (at: number): boolean => at + offsetAt(at, timeZone) === local;
  return isRight(early) || !isRight(late) ? early : late;
}

/** The time on the clocks of a time zone, as if it were UTC, in ms since the epoch. */
export function localTime(at: number, timeZone: string | undefined): number {
  return at + offsetAt(at, timeZone);
}

const DAY_MS = 24 * 3_600_000;

function offsetAt(at: number, timeZone: string | undefined): number {
  const numbers = keptFormat('en-US', timeZone, numeric).formatToParts(at);
  const parts = Object.fromEntries(numbers.map((it) => [it.type, Number(it.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

const numeric = {
  calendar: 'gregory',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const satisfies Intl.DateTimeFormatOptions;
