import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readEvent, readTimes } from '../../../server/src/connected/scheduling/event.ts';
import { calendarId } from './calendar-service.ts';
import { addOne, draftOf, ends, folder, hour, lodash, monday, resultOf, setUp, troubleOf } from './setup.ts';

after(async () => {
  for (const it of ends.reverse()) await it();
});

const used = (is: boolean) => [{ purl: lodash.purl, reaches: () => is }];
const path = 'app/package.json';

describe('an update as an event', () => {
  test('it names what, why, where and how, in the color of its severity', async () => {
    const { service, schedule } = await setUp();
    const { event, isNew } = await addOne(schedule);
    assert.equal(isNew, true);
    const made = service.events.get(event.id) ?? {};
    assert.equal(made['summary'], 'Update lodash 4.17.15 → 4.17.21');
    assert.equal(
      made['description'],
      [
        'lodash 4.17.15 → 4.17.21',
        'pkg:npm/lodash',
        'Why: 2 vulnerabilities, worst high 7.4; GHSA-35jh-r3h4-6jhm',
        'Where: app/package.json:3',
        'How: change the version there to 4.17.21, and update the lockfile',
        '',
        'Scheduled with Package Insights.',
      ].join('\n'),
    );
    assert.match(event.id, /^[0-9a-v]{52}$/);
    assert.deepEqual(made['start'], { dateTime: '2026-11-23T09:00:00.000Z', timeZone: 'Europe/Berlin' });
    assert.equal(made['colorId'], '11');
    assert.equal(event.isChanged, false);
    assert.equal(event.link, `https://calendar.example/event?eid=${event.id}`);
    assert.deepEqual(schedule.planned(folder, lodash.purl, lodash.target), [event]);
    assert.deepEqual(schedule.planned(folder, lodash.purl, '5.0.0'), []);
    assert.deepEqual(schedule.planned('1'.repeat(52), lodash.purl), []);
  });

  test('what people and packages write is plain text of one line', async () => {
    const { service, schedule } = await setUp();
    const hostile = { ...lodash, name: 'a\u202eb\n<img src=x>', why: ['<script>\r\nX-Header: 1'] };
    const { event } = await addOne(schedule, [hostile]);
    const text = `${service.events.get(event.id)?.['description']}`;
    assert.doesNotMatch(text, /[<>\u202e\r]/);
    assert.match(text, /^Why: ‹script› X-Header: 1$/m);
  });

  test('one that is planned in a group is not planned again', async () => {
    const { service, schedule } = await setUp();
    const axios = { ...lodash, purl: 'pkg:npm/axios', name: 'axios' };
    const group = await addOne(schedule, [lodash, axios]);
    assert.equal(service.events.get(group.event.id)?.['summary'], 'Update 2 packages: lodash, axios');
    const again = await addOne(schedule, [axios]);
    assert.deepEqual(again, { event: group.event, isNew: false });
    const rest = await addOne(schedule, [axios, { ...lodash, purl: 'pkg:npm/ms', name: 'ms' }]);
    assert.deepEqual(
      rest.event.updates.map((it) => it.purl),
      ['pkg:npm/ms'],
    );
    assert.equal(service.events.size, 2);
  });

  test('the description of many updates keeps within what calendars show', async () => {
    const { service, schedule } = await setUp();
    const many = Array.from({ length: 50 }, (_, at) => ({
      ...lodash,
      purl: `pkg:npm/p${at}`,
      name: `p${at}`,
      why: ['x'.repeat(900)],
    }));
    const { event } = await addOne(schedule, many);
    const text = `${service.events.get(event.id)?.['description']}`;
    assert.ok(text.length < 8192, `${text.length}`);
    assert.match(text, /^Also: .*p40 4\.17\.15 → 4\.17\.21/m);
    assert.equal(event.updates.length, 50);
    const more = draftOf([...many, { ...lodash, purl: 'pkg:npm/more' }]);
    assert.match(troubleOf(await schedule.preview([more])).reason, /at most 50/);
  });

  test('what would be sent is shown without a request', async () => {
    const { service, schedule } = await setUp();
    const [request] = resultOf(await schedule.preview([draftOf()]));
    assert.equal(request?.method, 'scheduling.events.insert');
    assert.equal(request?.path, `calendars/${encodeURIComponent(calendarId)}/events`);
    assert.deepEqual(service.calls(), []);
  });

  test('a draft that no event can hold is refused before a request', async () => {
    const { service, schedule } = await setUp();
    const long = { ...lodash, target: '1'.repeat(2000) };
    assert.match(troubleOf(await schedule.add([draftOf([long])])).reason, /too long for an event/);
    assert.match(troubleOf(await schedule.preview([draftOf([])])).reason, /nothing to plan/);
    assert.ok(!service.calls().some((it) => it.startsWith('POST')));
  });
});

describe('several processes', () => {
  test('make one event, and show the same', async () => {
    const first = await setUp();
    const { service, directory } = first;
    const others = await Promise.all([1, 2, 3].map(() => setUp({ service, directory })));
    const all = [first, ...others];
    const added = await Promise.all(all.map((it) => addOne(it.schedule)));
    assert.equal(service.events.size, 1);
    assert.equal(added.filter((it) => it.isNew).length, 1);
    assert.equal(new Set(added.map((it) => it.event.id)).size, 1);
  });

  test('what one has learned the next one knows without a request', async () => {
    const { service, directory, schedule } = await setUp();
    const { event } = await addOne(schedule);
    const before = service.calls().length;
    const next = await setUp({ service, directory });
    next.schedule.touch();
    await next.schedule.whenIdle();
    assert.deepEqual(next.schedule.planned(folder, lodash.purl), [event]);
    assert.equal(service.calls().length, before);
  });

  test('another credential sees nothing of it', async () => {
    const { service, directory, schedule } = await setUp();
    await addOne(schedule);
    const next = await setUp({ service, directory, secret: 'other' });
    next.schedule.touch();
    await next.schedule.whenIdle();
    assert.deepEqual(next.schedule.planned(folder, lodash.purl), []);
    assert.equal(next.schedule.state().trouble?.kind, 'unauthorized');
  });
});

describe('changes of people', () => {
  test('a moved event is shown at its new time, and stays there', async () => {
    const { service, schedule, pass } = await setUp();
    const { event } = await addOne(schedule);
    schedule.touch();
    service.edit(event.id, {
      start: { dateTime: '2026-11-25T14:00:00+01:00' },
      end: { dateTime: '2026-11-25T15:00:00+01:00' },
    });
    await pass(16 * 60_000);
    const [moved] = schedule.planned(folder, lodash.purl);
    assert.equal(moved?.start, Date.parse('2026-11-25T13:00:00Z'));
    assert.equal(moved?.isChanged, true);
    assert.deepEqual(await addOne(schedule), { event: moved, isNew: false });
  });

  test('an event of days is shown as such', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    service.edit(event.id, { start: { date: '2026-11-25' }, end: { date: '2026-11-26' } });
    const [all] = resultOf(await schedule.list(folder));
    assert.deepEqual([all?.isAllDay, all?.isChanged], [true, true]);
  });

  test('a canceled event is not made again, unless a person asks for it', async () => {
    const { service, schedule, pass } = await setUp();
    const { event } = await addOne(schedule);
    service.edit(event.id, { status: 'cancelled' });
    schedule.touch();
    await pass(16 * 60_000);
    assert.equal(schedule.planned(folder, lodash.purl)[0]?.status, 'canceled');
    schedule.observe(folder, path, used(true));
    await pass(16 * 60_000);
    assert.equal(service.events.get(event.id)?.['status'], 'cancelled');
    const again = await addOne(schedule, [lodash], monday + 30 * hour);
    assert.equal(again.event.id, event.id);
    assert.equal(again.event.status, 'planned');
    assert.equal(again.event.start, monday + 30 * hour);
    assert.equal(service.events.size, 1);
  });

  test('a title of a person stays when the event is completed', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    service.edit(event.id, {
      summary: 'Lodash, with Ada',
      attendees: [{ email: 'ada@host.example' }],
      location: 'Room 1',
    });
    const done = resultOf(await schedule.complete(event.id));
    const { summary, attendees, location, transparency } = service.events.get(event.id) ?? {};
    assert.equal(done.status, 'done');
    assert.deepEqual(
      { summary, attendees, location, transparency },
      {
        summary: 'Lodash, with Ada',
        attendees: [{ email: 'ada@host.example' }],
        location: 'Room 1',
        transparency: 'transparent',
      },
    );
  });

  test('an event that is not ours is neither moved, completed nor canceled', async () => {
    const { service, schedule } = await setUp();
    const dentist = {
      summary: 'Dentist',
      start: { dateTime: '2026-11-25T14:00:00Z' },
      end: { dateTime: '2026-11-25T15:00:00Z' },
    };
    service.edit('dentist', dentist);
    for (const it of [schedule.complete('dentist'), schedule.move('dentist', monday), schedule.cancel('dentist')])
      assert.ok(['invalid', 'event-gone'].includes(troubleOf(await it).kind));
    const { etag: _, id: __, seq: ___, ...now } = service.events.get('dentist') ?? {};
    assert.deepEqual(now, dentist);
    assert.deepEqual(resultOf(await schedule.list()), []);
  });
});

describe('completion', () => {
  test('the target is reached: the event is closed once, with its etag', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    schedule.observe(folder, path, used(false));
    await schedule.whenIdle();
    assert.equal(service.events.get(event.id)?.['transparency'], 'opaque');
    schedule.observe(folder, path, used(true));
    await schedule.whenIdle();
    const closed = service.events.get(event.id);
    assert.equal(closed?.['summary'], '✓ Update lodash 4.17.15 → 4.17.21');
    assert.equal(closed?.['transparency'], 'transparent');
    assert.equal(service.arrived.filter((it) => it.method === 'PUT').length, 1);
    assert.ok(service.arrived.find((it) => it.method === 'PUT')?.headers['if-match']);
    assert.equal(service.arrived.filter((it) => it.method === 'PATCH').length, 0);
    const [done] = schedule.planned(folder, lodash.purl);
    assert.deepEqual([done?.status, done?.isChanged], ['done', false]);
  });

  test('every manifest has to reach it, over restarts, and an absent dependency does not count', async () => {
    const { service, directory, schedule } = await setUp();
    const places = [{ path }, { path: 'web/package.json', line: 9 }];
    const { event } = await addOne(schedule, [{ ...lodash, places }]);
    schedule.observe(folder, path, used(true));
    schedule.observe(folder, 'web/package.json', []);
    await schedule.whenIdle();
    assert.equal(schedule.planned(folder, lodash.purl)[0]?.status, 'planned');
    const next = await setUp({ service, directory });
    next.schedule.touch();
    await next.schedule.whenIdle();
    next.schedule.observe(folder, 'web/package.json', used(true));
    await next.schedule.whenIdle();
    assert.equal(readEvent(service.events.get(event.id), calendarId)?.status, 'done');
  });

  test('a manifest that was seen before the event became known counts', async () => {
    const { service, directory, schedule } = await setUp();
    const { event } = await addOne(schedule);
    const next = await setUp({ service, directory });
    next.schedule.observe(folder, path, used(true));
    next.schedule.touch();
    await next.schedule.whenIdle();
    assert.equal(readEvent(service.events.get(event.id), calendarId)?.status, 'done');
  });

  test('a person moves, completes and cancels', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    const moved = resultOf(await schedule.move(event.id, monday + 50 * hour));
    assert.deepEqual([moved.start, moved.end, moved.isChanged], [monday + 50 * hour, monday + 51 * hour, false]);
    assert.equal(resultOf(await schedule.complete(event.id)).status, 'done');
    assert.equal(resultOf(await schedule.cancel(event.id)).status, 'canceled');
    assert.equal(service.events.get(event.id)?.['status'], 'cancelled');
    assert.equal(troubleOf(await schedule.move(event.id, monday)).kind, 'event-gone');
    assert.equal(resultOf(await schedule.cancel(event.id)).status, 'canceled');
  });
});

describe('calendars', () => {
  test('nothing is sent in the background until one is chosen, and the choice is remembered', async () => {
    const { service, directory, schedule } = await setUp({ settings: { calendar: '' } });
    schedule.touch();
    await schedule.whenIdle();
    assert.deepEqual(service.calls(), []);
    assert.equal(troubleOf(await schedule.add([draftOf()])).kind, 'no-calendar');
    assert.deepEqual(
      resultOf(await schedule.calendars()).map((it) => it.name),
      ['Me', 'Updates'],
    );
    assert.equal(troubleOf(await schedule.chooseCalendar('holidays')).kind, 'calendar-gone');
    const made = resultOf(await schedule.makeCalendar());
    assert.equal(made.name, 'Dependency updates');
    const next = await setUp({ service, directory, settings: { calendar: '' } });
    assert.deepEqual(resultOf(await next.schedule.makeCalendar()), made);
    assert.equal(service.calendars.filter((it) => it['summary'] === made.name).length, 1);
    assert.equal(next.schedule.state().calendar, made.id);
    resultOf(await next.schedule.share('ada@host.example', 'writer'));
    assert.deepEqual(service.rules, [{ role: 'writer', scope: { type: 'user', value: 'ada@host.example' } }]);
  });
});

describe('free times', () => {
  test('the first, one on a later day and one of the next week, within working hours', async () => {
    const { service, schedule } = await setUp();
    service.busy.push({ start: '2026-11-23T08:00:00Z', end: '2026-11-23T09:15:00Z' });
    const { slots, timeZone, unchecked } = resultOf(await schedule.slots());
    assert.equal(timeZone, 'Europe/Berlin');
    assert.deepEqual(unchecked, []);
    assert.deepEqual(
      slots.map((it) => new Date(it.start).toISOString()),
      ['2026-11-23T09:30:00.000Z', '2026-11-24T08:00:00.000Z', '2026-11-30T08:00:00.000Z'],
    );
  });

  test('calendars that the service does not show are named', async () => {
    const { schedule } = await setUp({ settings: { busyCalendars: ['primary', 'gone'] } });
    assert.deepEqual(resultOf(await schedule.slots()).unchecked, ['gone']);
  });

  test('they are within maintenance windows if there are any', async () => {
    const { service, schedule } = await setUp();
    const start = Date.parse('2026-11-24T20:00:00Z');
    const window = resultOf(await schedule.addWindow({ start, end: start + 2 * hour, rule: 'FREQ=WEEKLY;BYDAY=TU' }));
    assert.deepEqual(window.recurrence, ['RRULE:FREQ=WEEKLY;BYDAY=TU']);
    await addOne(schedule, [lodash], start);
    // People show such windows as busy.
    const until = new Date(start + 2 * hour).toISOString();
    service.busyBy.set(calendarId, [{ start: new Date(start).toISOString(), end: until }]);
    const found = resultOf(await schedule.slots({ count: 2 }));
    assert.equal(found.isInWindow, true);
    assert.deepEqual(
      found.slots.map((it) => new Date(it.start).toISOString()),
      ['2026-11-24T21:00:00.000Z', '2026-12-01T20:00:00.000Z'],
    );
    assert.deepEqual(resultOf(await schedule.windows()), [window]);
    // Times are looked for within the next weeks alone.
    service.edit(window.id, { end: { dateTime: '9999-12-30T00:00:00Z' } });
    assert.equal(resultOf(await schedule.slots({ count: 2 })).slots.length, 2);
    service.edit(window.id, { status: 'cancelled' });
    assert.deepEqual(resultOf(await schedule.windows()), []);
  });
});

test('an event at a time that cannot be shown in every time zone is left out', () => {
  const at = (dateTime: string) => readTimes({ start: { dateTime }, end: { dateTime } });
  assert.deepEqual(at('9999-12-30T00:00:00Z'), { start: 253402128000000, end: 253402128000000 });
  for (const it of ['+275760-09-13T00:00:00Z', '+010000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', 'tomorrow'])
    assert.equal(at(it), undefined, it);
});
