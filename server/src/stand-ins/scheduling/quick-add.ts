import * as chrono from 'chrono-node/en';
import type { Fields } from './store.ts';
import { addDays, instantOf, textOf, zoned } from './times.ts';

const MINUTE = 60_000;

/**
 * The event of a short text: `Update lodash tomorrow 10am-11am`. Without a date it begins now; a date without a time is a
 * whole day.
 */
export function quickEvent(text: string, now: number, zone: string, minutes: number): Fields {
  const local = zoned(now, zone);
  const reference = { instant: new Date(now), timezone: local.offsetNanoseconds / 1e9 / 60 };
  const [found] = chrono.casual.parse(text, reference, { forwardDate: true });
  const summary = found
    ? `${text.slice(0, found.index)} ${text.slice(found.index + found.text.length)}`
        .replace(/\s+/g, ' ')
        .replace(/\s+(?:on|at|from)\s*$/i, '')
        .trim()
    : text;
  const title = { summary: summary === '' ? text : summary };
  if (!found) return { ...title, ...timesOf(Math.floor(now / MINUTE) * MINUTE, minutes * MINUTE, zone) };
  const { start, end } = found;
  if (!start.isCertain('hour')) {
    const first = dateOf(start);
    const last = end ? dateOf(end) : first;
    // biome-ignore lint/complexity/useMathMinMax: the dates are texts
    return { ...title, start: { date: first }, end: { date: addDays(last < first ? first : last, 1) } };
  }
  const from = instantIn(start, zone);
  const to = end ? instantIn(end, zone) : from + minutes * MINUTE;
  return { ...title, ...timesOf(from, Math.max(to - from, 0), zone) };
}

type Components = { get(component: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'): number | null };

function dateOf(it: Components): string {
  return `${digits(it.get('year'), 4)}-${digits(it.get('month'), 2)}-${digits(it.get('day'), 2)}`;
}

/** The words name a time of the clock in the zone of the calendar. */
function instantIn(it: Components, zone: string): number {
  const time = [it.get('hour'), it.get('minute'), it.get('second')].map((part) => digits(part ?? 0, 2)).join(':');
  return instantOf({ dateTime: `${dateOf(it)}T${time}`, timeZone: zone }, zone);
}

function digits(value: number | null, count: number): string {
  return String(value ?? 1).padStart(count, '0');
}

function timesOf(at: number, duration: number, zone: string): Fields {
  return {
    start: { dateTime: textOf(at, zone), timeZone: zone },
    end: { dateTime: textOf(at + duration, zone), timeZone: zone },
  };
}
