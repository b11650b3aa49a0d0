import { isRecord, oneLine } from '../../engine/base/text.ts';
import type { CallOptions } from '../../engine/model/connection.ts';
import type { SchedulingSettings } from '../../engine/model/schedule-settings.ts';
import type { FoundSlots, MaintenanceWindow } from '../model/scheduling/planned.ts';
import type { Scheduled } from '../model/scheduling/schedule.ts';
import type { Account } from './account.ts';
import type { Calls } from './calls.ts';
import { readTimes } from './event.ts';
import { chooseSlots, earliestSlots, freeTimes, type Period, workingPeriods } from './slots.ts';

export interface FreeTimeQuery {
  readonly count: number;
  /** For several events, which follow one another: not on different days to choose from. */
  readonly isInRow?: boolean;
  /** In ms since the epoch. */
  readonly from: number;
  readonly settings: SchedulingSettings;
  /** The calendar of updates; undefined while none is chosen. */
  readonly calendar: string | undefined;
  readonly windows: readonly MaintenanceWindow[];
}

export const freeTimeLimits = {
  /** How far ahead times are proposed. */
  days: 35,
  /** How soon they begin, in ms: what begins in a moment cannot be prepared. */
  lead: 15 * 60_000,
  /** Calendars of one request. Source: the documentation of `calendarExpansionMax`. */
  calendars: 50,
} as const;

const DAY = 24 * 3_600_000;

/** Free times: within maintenance windows if there are any, otherwise within working hours. */
export async function findFreeTime(
  { calls, account }: { readonly calls: Calls; readonly account: Account },
  { count, isInRow = false, from, settings, calendar, windows }: FreeTimeQuery,
  options: CallOptions,
): Promise<Scheduled<FoundSlots>> {
  const preferred = await account.preferences(options);
  if (!preferred.ok) return preferred;
  const { zone, weekStart } = preferred.value;
  const range: Period = { start: from, end: from + freeTimeLimits.days * DAY };
  const isWindowed = calendar !== undefined && windows.length > 0;
  // The windows themselves may be busy times of their calendar.
  const asked = [...settings.busyCalendars, ...(calendar === undefined ? [] : [calendar])].filter(
    (it, at, all) => all.indexOf(it) === at && !(isWindowed && it === calendar),
  );
  const found = await busyTimes(calls, asked, range, options);
  if (!found.ok) return found;
  const { busy, unchecked } = found.value;
  let periods = workingPeriods(settings.workingHours, zone, from, freeTimeLimits.days);
  if (isWindowed) {
    const inside = await windowTimes(calls, calendar, windows, range, options);
    if (!inside.ok) return inside;
    periods = inside.value.periods;
    busy.push(...inside.value.busy);
  }
  const free = freeTimes(periods, busy, settings.slotMinutes * 60_000, from);
  return {
    ok: true,
    value: {
      slots: isInRow ? earliestSlots(free, count) : chooseSlots(free, count, zone, from, weekStart),
      timeZone: zone.name,
      ...(isWindowed && { isInWindow: true }),
      unchecked,
    },
  };
}

interface Busy {
  readonly busy: Period[];
  /** Calendars whose times the service did not return. */
  readonly unchecked: readonly string[];
}

async function busyTimes(
  calls: Calls,
  calendars: readonly string[],
  range: Period,
  options: CallOptions,
): Promise<Scheduled<Busy>> {
  const asked = calendars.slice(0, freeTimeLimits.calendars);
  const left = calendars.slice(freeTimeLimits.calendars);
  if (asked.length === 0) return { ok: true, value: { busy: [], unchecked: left } };
  const body = { ...rangeOf(range), items: asked.map((id) => ({ id })) };
  const answer = await calls.call('freebusy.query', { body, about: 'calendar' }, options);
  if (!answer.ok) return { ok: false, trouble: answer.trouble };
  const given = isRecord(answer.value) ? answer.value['calendars'] : undefined;
  const busy: Period[] = [];
  const unchecked: string[] = [...left];
  for (const id of asked) {
    const its = isRecord(given) && Object.hasOwn(given, id) ? given[id] : undefined;
    const times = isRecord(its) ? its['busy'] : undefined;
    const hasErrors = isRecord(its) && Array.isArray(its['errors']) && its['errors'].length > 0;
    const read = Array.isArray(times) ? times.map(periodOf) : [undefined];
    // A time that is not understood may be any time.
    if (hasErrors || (isRecord(its) && times !== undefined && read.includes(undefined)) || !isRecord(its))
      unchecked.push(oneLine(id, 200));
    if (times !== undefined) for (const it of read) if (it) busy.push(it);
  }
  return { ok: true, value: { busy, unchecked } };
}

/** The instances of maintenance windows, and what else is in their calendar. */
async function windowTimes(
  calls: Calls,
  calendarId: string,
  windows: readonly MaintenanceWindow[],
  range: Period,
  options: CallOptions,
): Promise<Scheduled<{ readonly periods: readonly Period[]; readonly busy: readonly Period[] }>> {
  const periods: Period[] = [];
  const busy: Period[] = [];
  for (const { id } of windows) {
    const parameters = { calendarId, eventId: id, ...rangeOf(range) };
    for await (const page of calls.list('events.instances', { parameters, about: 'event' }, options)) {
      if (!page.ok) return { ok: false, trouble: page.trouble };
      for (const it of itemsOf(page.value)) {
        const times = it['status'] === 'cancelled' ? undefined : readTimes(it);
        // A window may end in a thousand years.
        if (times) periods.push({ start: times.start, end: Math.min(times.end, range.end) });
      }
    }
  }
  const ids = new Set(windows.map((it) => it.id));
  const parameters = { calendarId, singleEvents: 'true', ...rangeOf(range) };
  for await (const page of calls.list('events.list', { parameters, about: 'calendar' }, options)) {
    if (!page.ok) return { ok: false, trouble: page.trouble };
    for (const it of itemsOf(page.value)) {
      const isWindow = ids.has(String(it['recurringEventId'])) || ids.has(String(it['id']));
      const times = isWindow || it['transparency'] === 'transparent' ? undefined : readTimes(it);
      if (times && it['status'] !== 'cancelled') busy.push(times);
    }
  }
  return { ok: true, value: { periods, busy } };
}

function rangeOf({ start, end }: Period): { readonly timeMin: string; readonly timeMax: string } {
  return { timeMin: new Date(start).toISOString(), timeMax: new Date(end).toISOString() };
}

function itemsOf(page: unknown): readonly Readonly<Record<string, unknown>>[] {
  const items = isRecord(page) ? page['items'] : undefined;
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

function periodOf(value: unknown): Period | undefined {
  if (!isRecord(value)) return undefined;
  const [start, end] = [Date.parse(String(value['start'])), Date.parse(String(value['end']))];
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : { start, end };
}
