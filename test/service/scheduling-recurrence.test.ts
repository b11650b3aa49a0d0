import assert from 'node:assert/strict';
import { test } from 'node:test';
import ICAL from 'ical.js';
import { hourAt, schedulingHere } from '../harness/scheduling.ts';

const events = 'calendars/primary/events';
const zone = 'Europe/Berlin';

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly start: { readonly dateTime?: string; readonly date?: string };
}

/** A service with one recurring event, `abc12`. */
function setUp(start: string, end: string, recurrence: readonly string[], more: object = {}) {
  const here = schedulingHere();
  const isDay = start.length === 10;
  const time = (it: string): object => (isDay ? { date: it } : { dateTime: it, timeZone: zone });
  const body = { id: 'abc12', summary: 'window', start: time(start), end: time(end), recurrence, ...more };
  const made = here.ask(`POST ${events}`, body);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const shown = (query: string): readonly string[] =>
    here.ask(`GET ${query}`).body.items.map((it: Shown) => it.start.dateTime ?? it.start.date);
  const items = (query: string): readonly Shown[] => here.ask(`GET ${query}`).body.items;
  return { ...here, made, shown, items };
}

test('instances keep the time of the clock when summer time begins and ends', () => {
  const { shown } = setUp('2026-03-27T10:00:00', '2026-03-27T11:00:00', ['RRULE:FREQ=DAILY;COUNT=4']);
  assert.deepEqual(shown(`${events}/abc12/instances`), [
    '2026-03-27T10:00:00+01:00',
    '2026-03-28T10:00:00+01:00',
    '2026-03-29T10:00:00+02:00',
    '2026-03-30T10:00:00+02:00',
  ]);
  const autumn = setUp('2026-10-18T10:00:00', '2026-10-18T11:00:00', ['RRULE:FREQ=WEEKLY;COUNT=2']);
  assert.deepEqual(autumn.shown(`${events}?singleEvents=true&orderBy=startTime`), [
    '2026-10-18T10:00:00+02:00',
    '2026-10-25T10:00:00+01:00',
  ]);
});

for (const [what, rules, expected] of [
  ['EXDATE in local time', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20261125T100000'], [24, 26]],
  ['EXDATE in UTC', ['EXDATE:20261125T090000Z', 'RRULE:FREQ=DAILY;COUNT=3'], [24, 26]],
  ['RDATE', ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE;TZID=Europe/Berlin:20261129T100000'], [24, 25, 29]],
  ['RDATE alone', ['RDATE:20261129T090000Z'], [24, 29]],
  ['UNTIL in UTC, included', ['RRULE:FREQ=DAILY;UNTIL=20261126T090000Z'], [24, 25, 26]],
  ['UNTIL as a day', ['RRULE:FREQ=DAILY;UNTIL=20261126'], [24, 25, 26]],
  ['days of the week', ['RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3'], [24, 26, 1]],
  ['the last working day of a month', ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2'], [30, 31]],
  ['EXRULE', ['RRULE:FREQ=DAILY;COUNT=4', 'EXRULE:FREQ=DAILY;INTERVAL=2'], [25, 27]],
] as const) {
  test(`recurrence: ${what}`, () => {
    const { shown } = setUp('2026-11-24T10:00:00', '2026-11-24T11:00:00', rules);
    const days = shown(`${events}/abc12/instances`).map((it) => Number(it.slice(8, 10)));
    assert.deepEqual(days, expected);
  });
}

for (const rule of [
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=MINUTELY;COUNT=2',
  'RRULE:FREQ=HOURLY',
  'RRULE:FREQ=DAILY;COUNT=10001',
  'RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5',
  'RRULE:FREQ=OFTEN',
  'RRULE:COUNT=2',
  'RRULE:FREQ=DAILY;COUNT=-1',
  'RRULE:FREQ=DAILY;UNTIL=soon',
  'DTSTART:20261124T100000Z',
  'EXDATE:tomorrow',
]) {
  test(`${rule} is refused`, () => {
    const { ask } = schedulingHere();
    const time = { dateTime: '2026-11-24T10:00:00', timeZone: zone };
    assert.equal(ask(`POST ${events}`, { start: time, end: time, recurrence: [rule] }).status, 400);
  });
}

test('an instance is changed or cancelled alone', () => {
  const { ask, items, shown } = setUp('2026-11-24T10:00:00', '2026-11-24T11:00:00', ['RRULE:FREQ=DAILY;COUNT=3']);
  const moved = ask(`PATCH ${events}/abc12_20261125T090000Z`, hourAt('2026-11-25T15:00:00Z', { summary: 'later' }));
  assert.deepEqual([moved.body.recurringEventId, moved.body.summary], ['abc12', 'later']);
  assert.equal(moved.body.originalStartTime.dateTime, '2026-11-25T10:00:00+01:00');
  assert.equal(ask(`DELETE ${events}/abc12_20261126T090000Z`).status, 204);
  const single = `${events}?singleEvents=true&orderBy=startTime`;
  assert.deepEqual(shown(single), ['2026-11-24T10:00:00+01:00', '2026-11-25T16:00:00+01:00']);
  assert.equal(items(`${single}&showDeleted=true`).length, 3);
  // Exceptions are listed beside their event, cancelled ones as well.
  assert.deepEqual(
    items(events).map((it) => `${it.id} ${it.status}`),
    ['abc12 confirmed', 'abc12_20261125T090000Z confirmed', 'abc12_20261126T090000Z cancelled'],
  );
  assert.equal(ask(`GET ${events}/abc12_20261127T090000Z`).status, 404);
  assert.equal(ask(`GET ${events}/abc12_20261124T090000Z`).body.status, 'confirmed');
  assert.equal(items(`${events}/abc12/instances?originalStart=2026-11-25T10:00:00%2B01:00`).length, 1);
  ask(`DELETE ${events}/abc12`);
  assert.deepEqual(items(single), []);
});

test('a changed repetition ends the exceptions that it does not contain', () => {
  const { ask, items } = setUp('2026-11-24T10:00:00', '2026-11-24T11:00:00', ['RRULE:FREQ=DAILY;COUNT=3']);
  ask(`PATCH ${events}/abc12_20261125T090000Z`, { summary: 'a' });
  ask(`PATCH ${events}/abc12_20261126T090000Z`, { summary: 'b' });
  ask(`PATCH ${events}/abc12`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] });
  assert.deepEqual(
    items(`${events}?singleEvents=true`).map((it) => it.id),
    ['abc12_20261124T090000Z', 'abc12_20261125T090000Z'],
  );
});

test('days repeat as days, and take their days in free/busy', () => {
  const { ask, shown } = setUp('2026-11-24', '2026-11-25', ['RRULE:FREQ=WEEKLY;UNTIL=20261201']);
  assert.deepEqual(shown(`${events}?singleEvents=true&orderBy=startTime`), ['2026-11-24', '2026-12-01']);
  const query = { timeMin: '2026-11-30T00:00:00Z', timeMax: '2026-12-05T00:00:00Z', items: [{ id: 'primary' }] };
  assert.deepEqual(ask('POST freeBusy', query).body.calendars.primary.busy, [
    { start: '2026-11-30T23:00:00Z', end: '2026-12-01T23:00:00Z' },
  ]);
});

test('an event without an end is found at any time, and its list ends', () => {
  const { shown, items } = setUp('2020-01-01T10:00:00', '2020-01-01T11:00:00', ['RRULE:FREQ=DAILY']);
  const week = `timeMin=2040-06-01T00:00:00Z&timeMax=2040-06-03T00:00:00Z`;
  assert.deepEqual(shown(`${events}?singleEvents=true&orderBy=startTime&${week}`), [
    '2040-06-01T10:00:00+02:00',
    '2040-06-02T10:00:00+02:00',
  ]);
  assert.equal(items(`${events}?${week}`).length, 1);
  assert.ok(items(`${events}?singleEvents=true&maxResults=2500`).length > 2000);
});

test('a file of a calendar is read back by a program of others', () => {
  const summary = 'a;b,c\\d \u{1f600}'.repeat(12);
  const { ask } = setUp(
    '2026-03-27T10:00:00',
    '2026-03-27T11:00:00',
    ['RRULE:FREQ=DAILY;UNTIL=20260401', 'EXDATE;TZID=Europe/Berlin:20260328T100000'],
    { summary, description: 'one\ntwo' },
  );
  ask(`PATCH ${events}/abc12_20260330T080000Z`, hourAt('2026-03-30T15:00:00Z'));
  ask(`DELETE ${events}/abc12_20260331T080000Z`);
  ask(`POST ${events}`, { summary: 'day', start: { date: '2026-05-01' }, end: { date: '2026-05-03' } });
  const { body, status } = ask('GET calendars/primary/ical');
  assert.equal(status, 200);
  for (const line of body.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
  const calendar = new ICAL.Component(ICAL.parse(body));
  for (const it of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(it);
  const all = calendar.getAllSubcomponents('vevent').map((it) => new ICAL.Event(it));
  const master = all.find((it) => it.isRecurring());
  assert.ok(master);
  assert.deepEqual([master.summary, master.description], [summary, 'one\ntwo']);
  for (const it of all) if (it.isRecurrenceException()) master.relateException(it);
  const starts: string[] = [];
  const iterator = master.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) {
    starts.push(master.getOccurrenceDetails(next).startDate.toJSDate().toISOString());
  }
  const own = ask(`GET ${events}?singleEvents=true&orderBy=startTime&timeMax=2026-04-20T00:00:00Z`).body.items;
  assert.deepEqual(
    starts,
    own.map((it: Shown) => new Date(it.start.dateTime ?? '').toISOString()),
  );
  assert.deepEqual(starts, [
    '2026-03-27T09:00:00.000Z',
    '2026-03-29T08:00:00.000Z',
    '2026-03-30T15:00:00.000Z',
    '2026-04-01T08:00:00.000Z',
  ]);
  const day = all.find((it) => it.summary === 'day');
  assert.deepEqual([day?.startDate.toString(), day?.endDate.toString()], ['2026-05-01', '2026-05-03']);
});

test('an event is made of a short text', () => {
  const { ask } = schedulingHere();
  const add = (text: string) => ask(`POST ${events}/quickAdd?text=${encodeURIComponent(text)}`).body;
  const timed = add('Update lodash tomorrow 10am-11:30am');
  assert.deepEqual(
    [timed.summary, timed.start.dateTime, timed.end.dateTime],
    ['Update lodash', '2026-11-24T10:00:00+01:00', '2026-11-24T11:30:00+01:00'],
  );
  const day = add('Freeze on December 24');
  assert.deepEqual([day.summary, day.start.date, day.end.date], ['Freeze', '2026-12-24', '2026-12-25']);
  assert.equal(add('No date').start.dateTime, '2026-11-23T13:00:00+01:00');
  assert.equal(ask(`POST ${events}/quickAdd`).reason, 'required');
});

test('one request lists a limited number of instances, and what is beyond is said', () => {
  const { ask, items } = setUp('2026-11-24T10:00:00', '2026-11-24T11:00:00', ['RRULE:FREQ=DAILY']);
  const rule = 'RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8';
  const time = { dateTime: '2026-11-24T10:00:00', timeZone: zone };
  for (let at = 0; at < 4; at++) ask(`POST ${events}`, { start: time, end: time, recurrence: [rule] });
  const refused = ask(`GET ${events}?singleEvents=true`);
  assert.deepEqual([refused.status, refused.reason], [400, 'tooManyInstances']);
  const day = 'timeMin=2026-11-30T00:00:00Z&timeMax=2026-12-01T00:00:00Z';
  assert.equal(items(`${events}?singleEvents=true&${day}`).length, 33);
  const many = ask(`POST ${events}`, { start: time, end: time, recurrence: [rule, rule, rule, rule, rule] });
  assert.equal(many.status, 400);
});
