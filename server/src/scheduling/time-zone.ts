import type { WeekDay } from '../model/scheduling/planned.ts';
import { weekDays } from '../model/scheduling/planned.ts';

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
  const format = formatFor(name) ?? formatFor(undefined);
  if (format === undefined) throw new Error('no time zone');

  /** The time on the clocks of the zone, as if it were UTC, in ms. */
  function local(at: number): number {
    const parts = Object.fromEntries(format?.formatToParts(at).map((it) => [it.type, Number(it.value)]) ?? []);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
  const offset = (at: number): number => local(at) - Math.floor(at / 1000) * 1000;

  return {
    name: format.resolvedOptions().timeZone,
    dayOf: (at) => dayIn(local(at)),
    weekDayOf: ({ year, month, day }) => weekDays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? 'sun',
    plus: ({ year, month, day }, days) => dayIn(Date.UTC(year, month - 1, day + days)),
    at({ year, month, day }, minutes) {
      const wanted = Date.UTC(year, month - 1, day, 0, minutes);
      const [before, after] = [offset(wanted - DAY), offset(wanted + DAY)];
      const early = wanted - before;
      // The offset before a change is right for every time until then, and for those that the change skips.
      return local(early) === wanted || local(wanted - after) !== wanted ? early : wanted - after;
    },
  };
}

const DAY = 24 * 3_600_000;

function dayIn(local: number): LocalDay {
  const date = new Date(local);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function formatFor(name: string | undefined): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}
