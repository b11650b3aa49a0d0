import { instantOf, localTime } from '../../engine/base/moments.ts';
import type { WeekDay } from '../../engine/model/schedule-settings.ts';
import { weekDays } from '../../engine/model/schedule-settings.ts';

/** A day of the calendar of a time zone. */
export interface LocalDay {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** The calendar of a time zone. */
export interface TimeZone {
  /** `Europe/Berlin` */
  readonly name: string;
  dayOf(at: number): LocalDay;
  weekDayOf(day: LocalDay): WeekDay;
  /** The day so many days later. */
  plus(day: LocalDay, days: number): LocalDay;
  /**
   * The instant of a time of a day. A time that a change of the clocks skips counts from before the change; of one that
   * comes twice it is the first.
   * @param minutes since midnight
   */
  at(day: LocalDay, minutes: number): number;
}

/** @param name of an unknown zone: the zone of this machine is used in its place */
export function timeZone(name: string): TimeZone {
  const known = knownZone(name);
  return {
    name: known,
    dayOf: (at) => dayIn(localTime(at, known)),
    weekDayOf: ({ year, month, day }) => weekDays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? 'sun',
    plus: ({ year, month, day }, days) => dayIn(Date.UTC(year, month - 1, day + days)),
    at: ({ year, month, day }, minutes) => instantOf(Date.UTC(year, month - 1, day, 0, minutes), known),
  };
}

function dayIn(local: number): LocalDay {
  const date = new Date(local);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function knownZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
  }
}
