import { isRecord } from '../../engine/base/text.ts';
import { type Answer, bodyOf, type Call } from './call.ts';
import { invalid, Refused, required } from './errors.ts';
import { endOfEvent, isDeclined, startOf } from './event-body.ts';
import { singles } from './event-list.ts';
import { calendarId, openCalendar } from './roles.ts';
import type { Fields, Item } from './store.ts';
import { DAY, instantOf, isTimeZone, readInstant, textOf } from './times.ts';

/** Source: documentation of the request. The longest time is a choice of ours. */
const limits = { calendars: 50, groups: 100, range: 366 * DAY } as const;

interface Period {
  readonly start: number;
  readonly end: number;
}

/** When calendars are busy. Access to the details of their events is not required. */
export function queryFreeBusy(call: Call): Answer {
  const body = bodyOf(call);
  const [from, to] = [timeIn(body, 'timeMin'), timeIn(body, 'timeMax')];
  if (from >= to)
    throw new Refused(400, 'timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
  if (to - from > limits.range)
    throw new Refused(400, 'timeRangeTooLong', 'The requested time range is too long.', { domain: 'calendar' });
  const { timeZone = 'UTC', items = [] } = body;
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone)) throw invalid('Invalid time zone.', 'timeZone');
  if (!Array.isArray(items) || !items.every((it) => isRecord(it) && typeof it['id'] === 'string'))
    throw invalid('Invalid value for items', 'items');
  const most = maximum(body, 'calendarExpansionMax', limits.calendars);
  maximum(body, 'groupExpansionMax', limits.groups);
  const ids: string[] = [...new Set(items.map((it: Fields) => String(it['id'])))];
  const calendars = ids.map((id, at) => [id, at < most ? busyIn(call, id, from, to, timeZone) : tooMany] as const);
  return {
    body: {
      kind: 'calendar#freeBusy',
      timeMin: textOf(from, timeZone),
      timeMax: textOf(to, timeZone),
      calendars: Object.fromEntries(calendars),
    },
  };
}

const tooMany = { errors: [{ domain: 'calendar', reason: 'tooManyCalendarsRequested' }], busy: [] };

function busyIn(call: Call, id: string, from: number, to: number, zone: string): object {
  let calendar: ReturnType<typeof openCalendar>;
  try {
    calendar = openCalendar(call, calendarId(call, id), 'freeBusyReader');
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] };
  }
  const { timeZone } = calendar;
  const stored = call.store.list(`events/${calendar.id}`, { from, to });
  let found: readonly Item[];
  try {
    found = singles(call, calendar, stored, { from, to });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { errors: [{ domain: 'calendar', reason: error.reason }], busy: [] };
  }
  const periods = found
    .filter((it) => it.body['transparency'] !== 'transparent' && !isDeclined(it.body, calendar.id))
    // Where a person works does not take their time.
    .filter((it) => it.body['eventType'] !== 'workingLocation' && it.body['eventType'] !== 'birthday')
    .map((it) => ({
      start: Math.max(instantOf(startOf(it.body), timeZone), from),
      end: Math.min(instantOf(endOfEvent(it.body), timeZone), to),
    }))
    .filter((it) => it.end > it.start);
  return { busy: merged(periods).map((it) => ({ start: textOf(it.start, zone), end: textOf(it.end, zone) })) };
}

/** Periods that overlap or touch are one. */
function merged(periods: readonly Period[]): readonly Period[] {
  const result: Period[] = [];
  for (const it of periods.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && it.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, it.end) };
    else result.push(it);
  }
  return result;
}

function timeIn(body: Fields, name: string): number {
  const value = body[name];
  if (value === undefined || value === null) throw required(name);
  if (typeof value !== 'string') throw invalid(`Invalid value for ${name}`, name);
  return readInstant(value, name);
}

function maximum(body: Fields, name: string, most: number): number {
  const value = body[name];
  if (value === undefined || value === null) return most;
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > most)
    throw invalid(`Invalid value for ${name}`, name);
  return Number(value);
}
