import type { WeekDay, WorkingHours } from '../../engine/model/schedule-settings.ts';
import { weekDays } from '../../engine/model/schedule-settings.ts';
import type { Slot } from '../model/scheduling/planned.ts';
import type { TimeZone } from './time-zone.ts';

/** A time with an end, in ms since the epoch. */
export type Period = Slot;

/** The working hours of the days from an instant on. */
export function workingPeriods(hours: WorkingHours, zone: TimeZone, from: number, days: number): readonly Period[] {
  const first = zone.dayOf(from);
  return Array.from({ length: days }, (_, at) => zone.plus(first, at))
    .filter((it) => hours.days.includes(zone.weekDayOf(it)))
    .map((it) => ({ start: zone.at(it, hours.from), end: zone.at(it, hours.to) }))
    .filter((it) => it.end > it.start);
}

/**
 * Every free time of a length within some periods. They begin at multiples of the length after the period begins, which
 * are the times that people choose.
 * @param length in ms
 */
export function* freeTimes(
  periods: readonly Period[],
  busy: readonly Period[],
  length: number,
  from: number,
): Generator<Slot> {
  const taken = busy.toSorted((a, b) => a.start - b.start);
  let last = Number.NEGATIVE_INFINITY;
  for (const period of periods.toSorted((a, b) => a.start - b.start)) {
    // A period may have begun long ago.
    const passed = Math.max(0, Math.ceil((from - period.start) / length));
    for (let start = period.start + passed * length; start + length <= period.end; start += length) {
      // Windows may overlap.
      if (start < last) continue;
      const end = start + length;
      if (taken.some((it) => it.start < end && it.end > start)) continue;
      last = end;
      yield { start, end };
    }
  }
}

/** The first time, the first on a later day, and the first of the next week; then the first ones of further days. */
export function chooseSlots(
  free: Iterable<Slot>,
  count: number,
  zone: TimeZone,
  from: number,
  weekStart: WeekDay,
): readonly Slot[] {
  const dayId = (at: number): string => Object.values(zone.dayOf(at)).join('-');
  const firstOfDays = new Map<string, Slot>();
  const others: Slot[] = [];
  for (const it of free) {
    const day = dayId(it.start);
    if (!firstOfDays.has(day)) firstOfDays.set(day, it);
    else if (others.length < count) others.push(it);
  }
  const days = [...firstOfDays.values()];
  const nextWeek = startOfNextWeek(zone, from, weekStart);
  const chosen = new Set<Slot>(days.slice(0, Math.min(2, count)));
  const later = days.find((it) => it.start >= nextWeek);
  if (later && chosen.size < count) chosen.add(later);
  for (const it of [...days, ...others]) if (chosen.size < count) chosen.add(it);
  return [...chosen].sort((a, b) => a.start - b.start);
}

/** The first times, one after another. */
export function earliestSlots(free: Iterable<Slot>, count: number): readonly Slot[] {
  const slots: Slot[] = [];
  for (const it of free) {
    if (slots.length >= count) break;
    slots.push(it);
  }
  return slots;
}

function startOfNextWeek(zone: TimeZone, from: number, weekStart: WeekDay): number {
  const today = zone.dayOf(from);
  const days = (weekDays.indexOf(weekStart) - weekDays.indexOf(zone.weekDayOf(today)) + 7) % 7;
  return zone.at(zone.plus(today, days === 0 ? 7 : days), 0);
}
