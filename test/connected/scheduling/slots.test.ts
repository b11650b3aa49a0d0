import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseSlots,
  earliestSlots,
  freeTimes,
  workingPeriods,
} from '../../../server/src/connected/scheduling/slots.ts';
import { timeZone } from '../../../server/src/connected/scheduling/time-zone.ts';

const hour = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString().slice(0, 16);
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;

test('times of a day are right on both sides of a change of the clocks, and on the day itself', () => {
  const berlin = timeZone('Europe/Berlin');
  const at = (year: number, month: number, day: number, hours: number) =>
    iso(berlin.at({ year, month, day }, hours * 60));
  assert.equal(at(2026, 3, 28, 9), '2026-03-28T08:00');
  // On 29 March 2026, 02:00 becomes 03:00.
  assert.equal(at(2026, 3, 29, 1), '2026-03-29T00:00');
  assert.equal(at(2026, 3, 29, 2.5), '2026-03-29T01:30');
  assert.equal(at(2026, 3, 29, 9), '2026-03-29T07:00');
  // On 25 October 2026, 03:00 becomes 02:00.
  assert.equal(at(2026, 10, 25, 2.5), '2026-10-25T00:30');
  assert.equal(at(2026, 10, 25, 9), '2026-10-25T08:00');
  assert.equal(iso(timeZone('Pacific/Kiritimati').at({ year: 2026, month: 1, day: 1 }, 540)), '2025-12-31T19:00');
  assert.equal(iso(timeZone('Asia/Kathmandu').at({ year: 2026, month: 1, day: 1 }, 540)), '2026-01-01T03:15');
  assert.equal(timeZone('No/Where').name, new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('every hour of two years is on the day that the clocks of its zone show', () => {
  for (const name of ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC']) {
    const zone = timeZone(name);
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2028, 0, 1); at += 7 * hour) {
      const day = zone.dayOf(at);
      const start = zone.at(day, 0);
      const next = zone.at(zone.plus(day, 1), 0);
      assert.ok(start <= at && at < next, `${name} ${iso(at)}`);
    }
  }
});

test('working hours are those of the days that are set', () => {
  const hours = { from: 540, to: 600, days: weekdays };
  const friday = Date.parse('2026-11-27T12:00:00Z');
  const found = workingPeriods(hours, timeZone('UTC'), friday, 4);
  assert.deepEqual(
    found.map((it) => iso(it.start)),
    ['2026-11-27T09:00', '2026-11-30T09:00'],
  );
  assert.deepEqual(workingPeriods({ ...hours, days: [] }, timeZone('UTC'), friday, 30), []);
});

test('free times neither overlap busy ones nor begin before now; a meeting that ends as one begins does not matter', () => {
  const start = Date.parse('2026-11-23T09:00:00Z');
  const period = { start, end: start + 4 * hour };
  const busy = [
    { start: start + 2 * hour, end: start + 2.5 * hour },
    { start: start - hour, end: start + 0.5 * hour },
  ];
  const free = [...freeTimes([period, period], busy, hour / 2, start + hour / 4)];
  assert.deepEqual(
    free.map((it) => iso(it.start).slice(11)),
    ['09:30', '10:00', '10:30', '11:30', '12:00', '12:30'],
  );
  assert.deepEqual([...freeTimes([period], [{ start: 0, end: Number.MAX_SAFE_INTEGER }], hour, 0)], []);
});

test('the next week begins on the day that the person has set', () => {
  const zone = timeZone('UTC');
  const saturday = Date.parse('2026-11-28T08:00:00Z');
  const hours = { from: 540, to: 600, days: ['sun', ...weekdays, 'sat'] as const };
  const free = [...freeTimes(workingPeriods(hours, zone, saturday, 20), [], hour, saturday)];
  const last = (weekStart: 'sun' | 'mon' | 'sat') =>
    iso(chooseSlots(free, 3, zone, saturday, weekStart)[2]?.start ?? 0).slice(0, 10);
  // The second of three is the Sunday, so the third is the first after it in the next week.
  assert.deepEqual([last('sun'), last('mon'), last('sat')], ['2026-11-30', '2026-11-30', '2026-12-05']);
  assert.deepEqual(chooseSlots([], 3, zone, saturday, 'sun'), []);
  assert.equal(chooseSlots(free, 7, zone, saturday, 'mon').length, 7);
  // Those of several events follow one another.
  const row = earliestSlots(freeTimes([{ start: 0, end: 5 * hour }], [], hour, 0), 3);
  assert.deepEqual(
    row.map((it) => it.start / hour),
    [0, 1, 2],
  );
});
