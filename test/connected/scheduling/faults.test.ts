import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createMemoryHolds } from '../../../server/src/connected/connections/memory.ts';
import { type Act, type Arrived, reset, stall, status } from '../../harness/scripted-server.ts';
import { type CalendarService, calendarId, token } from './calendar-service.ts';
import { addOne, draftOf, ends, folder, hour, lodash, monday, resultOf, setUp, troubleOf } from './setup.ts';

after(async () => {
  for (const it of ends.reverse()) await it();
});

const used = (is: boolean) => [{ purl: lodash.purl, reaches: () => is }];
const path = 'app/package.json';

/** So many requests of a kind get an answer of their own. */
function failing(service: CalendarService, count: number, act: Act, isMeant: (request: Arrived) => boolean): void {
  let left = count;
  service.fault = (request) => (isMeant(request) && left-- > 0 ? act : undefined);
}

const refusal =
  (code: number, headers = {}): Act =>
  (_, response) =>
    void response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { code, message: `no ${token}`, errors: [{ reason: 'because' }] } }));
const page: Act = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
const garbage: Act = (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ite');
const isInsert = (it: Arrived): boolean => it.method === 'POST' && it.path.endsWith('/events');
const isUpdate = (it: Arrived): boolean => it.method === 'PUT';
const isAny = (): boolean => true;

describe('a request that fails', () => {
  for (const [name, act, kind, reason] of [
    ['401', refusal(401), 'unauthorized', /does not accept the credential/],
    ['403', refusal(403), 'forbidden', /does not permit this/],
    ['404', refusal(404), 'calendar-gone', /the calendar does not exist any more/],
    ['429', refusal(429, { 'retry-after': '120' }), 'held', /requested a wait/],
    ['400', refusal(400), 'invalid', /does not accept this/],
    ['500', refusal(500), 'failed', /status 500/],
    ['a page', page, 'failed', /not JSON/],
    ['garbage', garbage, 'failed', /not JSON/],
    ['a broken connection', reset, 'failed', /connection/],
    ['a text', status(200, 'ok'), 'failed', /not JSON/],
  ] as const) {
    test(`${name}: a reason, no credential, and nothing is lost`, async () => {
      const { service, schedule } = await setUp();
      const { event } = await addOne(schedule);
      service.fault = () => act;
      const trouble = troubleOf(await schedule.list());
      assert.equal(trouble.kind, kind);
      assert.match(trouble.reason, reason);
      assert.ok(!JSON.stringify([trouble, schedule.state()]).includes(token));
      assert.deepEqual(schedule.planned(folder, lodash.purl), [event]);
      assert.equal(schedule.state().trouble?.kind, kind);
      for (const it of [schedule.add([draftOf()]), schedule.slots(), schedule.windows(), schedule.calendars()])
        assert.equal((await it).ok, false);
    });
  }

  test('offline, nothing is sent', async () => {
    const { service, schedule } = await setUp({ offline: true });
    assert.deepEqual(troubleOf(await schedule.add([draftOf()])), { kind: 'not-connected', reason: 'working offline' });
    assert.deepEqual(service.calls(), []);
  });

  test('a stalled one ends when a person cancels it', async () => {
    const { service, schedule } = await setUp();
    service.fault = () => stall;
    const aborting = new AbortController();
    const listing = schedule.list(undefined, aborting.signal);
    await service.reached(1);
    aborting.abort();
    assert.equal(troubleOf(await listing).kind, 'aborted');
  });
});

describe('adding', () => {
  for (const [name, act] of [
    ['the connection breaks', reset],
    ['the service fails', refusal(503)],
    ['the answer is garbage', garbage],
  ] as const) {
    test(`${name} before the event is made: it is made`, async () => {
      const { service, schedule } = await setUp();
      failing(service, 1, act, isInsert);
      assert.equal((await addOne(schedule)).isNew, true);
      assert.equal(service.events.size, 1);
    });
  }

  test('the answer is lost after the event was made: there is one event', async () => {
    const { service, schedule } = await setUp();
    const lost: Act = (request, response) => {
      const body = JSON.parse(request.body);
      service.edit(body.id, body);
      return reset(request, response);
    };
    failing(service, 1, lost, isInsert);
    const { event } = await addOne(schedule);
    assert.deepEqual([...service.events.keys()], [event.id]);
  });

  test('some of several are added: they are returned, with the reason for the rest', async () => {
    const { service, schedule } = await setUp();
    const drafts = ['a', 'b', 'c'].map((it) => draftOf([{ ...lodash, purl: `pkg:npm/${it}`, name: it }]));
    let inserts = 0;
    service.fault = (it) => (isInsert(it) && ++inserts > 2 ? refusal(403) : undefined);
    const { events, trouble } = resultOf(await schedule.add(drafts));
    assert.deepEqual([events.length, trouble?.kind, service.events.size], [2, 'forbidden', 2]);
  });

  test('an id that the service neither shows nor frees gets a successor', async () => {
    const { service, schedule } = await setUp();
    failing(service, 1, refusal(409), isInsert);
    const { event } = await addOne(schedule);
    const [again] = resultOf(await schedule.list(folder));
    assert.equal(again?.id, event.id);
    assert.equal(service.events.size, 1);
  });
});

describe('changing', () => {
  test('another change comes first: it stays, and both are there', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    let others = 0;
    service.fault = (it) => {
      if (isUpdate(it) && others++ < 3) service.edit(event.id, { location: `Room ${others}` });
      return undefined;
    };
    resultOf(await schedule.complete(event.id));
    const { location, transparency } = service.events.get(event.id) ?? {};
    assert.deepEqual({ location, transparency }, { location: 'Room 3', transparency: 'transparent' });
  });

  test('a storm of changes ends with a reason, after five attempts', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    service.fault = (it) => (isUpdate(it) ? refusal(412) : undefined);
    assert.equal(troubleOf(await schedule.move(event.id, monday + 9 * hour)).kind, 'changed');
    assert.equal(service.calls().filter((it) => it.startsWith('fault PUT')).length, 5);
    assert.equal(schedule.planned(folder, lodash.purl)[0]?.start, event.start);
  });

  test('the answer of an update is lost: it counts, and is not repeated', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    const lost: Act = (request, response) => {
      service.edit(event.id, JSON.parse(request.body));
      return reset(request, response);
    };
    failing(service, 1, lost, isUpdate);
    assert.equal(resultOf(await schedule.complete(event.id)).status, 'done');
    assert.equal(service.calls().filter((it) => it.includes('PUT')).length, 1);
  });

  test('an event that was deleted is canceled', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    service.fault = (it) => (it.path.includes(event.id) ? refusal(410) : undefined);
    assert.equal(troubleOf(await schedule.complete(event.id)).kind, 'event-gone');
    assert.equal(schedule.planned(folder, lodash.purl)[0]?.status, 'canceled');
  });
});

describe('synchronization', () => {
  test('only changes are requested, and everything anew after a 410', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    resultOf(await schedule.list());
    const last = (): string => service.arrived.filter((it) => it.path.includes('/events?')).at(-1)?.path ?? '';
    assert.match(last(), /syncToken=/);
    service.expireTokens();
    service.edit('other', { summary: 'Dentist' });
    assert.deepEqual(
      resultOf(await schedule.list()).map((it) => it.id),
      [event.id],
    );
    assert.doesNotMatch(last(), /syncToken=/);
  });

  test('a page that fails leaves everything as it was', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    service.expireTokens();
    for (const it of ['a', 'b', 'c']) service.edit(it, { summary: it });
    service.fault = (it) => (it.path.includes('pageToken') ? refusal(400) : undefined);
    assert.equal((await schedule.list()).ok, false);
    assert.deepEqual(schedule.planned(folder, lodash.purl), [event]);
    service.fault = undefined;
    assert.deepEqual(
      resultOf(await schedule.list()).map((it) => it.id),
      [event.id],
    );
  });

  test('a list that began before a change does not hide it', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    resultOf(await schedule.list());
    service.edit(event.id, { location: 'Room 1' });
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const before = JSON.stringify({ items: [service.events.get(event.id)], nextSyncToken: '3' });
    const late: Act = async (_, response) => {
      await gate;
      response.writeHead(200, { 'content-type': 'application/json' }).end(before);
    };
    failing(service, 1, late, (it) => it.path.includes('syncToken'));
    const arrived = service.reached(service.arrived.length + 1);
    const listing = schedule.list();
    await arrived;
    const moved = resultOf(await schedule.move(event.id, monday + 9 * hour));
    release();
    await listing;
    assert.deepEqual(schedule.planned(folder, lodash.purl), [moved]);
  });

  test('what is in the calendar is not trusted', async () => {
    const { service, schedule } = await setUp();
    const { event } = await addOne(schedule);
    const made = service.events.get(event.id) as { extendedProperties: { private: object } } | undefined;
    const marks = made?.extendedProperties.private;
    const times = { start: { dateTime: '2026-11-25T14:00:00Z' }, end: { dateTime: '2026-11-25T15:00:00Z' } };
    const hostile = (id: string, more: object, others: object = times) =>
      service.edit(id, { ...others, summary: 'x', extendedProperties: { private: { ...marks, ...more } } });
    hostile('a', { packageInsightsUpdate0: 'null' });
    hostile('b', { packageInsightsUpdate0: '{"purl": 1, "target": {}}' });
    hostile('c', { packageInsightsPlaces0: '"x"' });
    hostile('d', { packageInsightsFolder: 7 });
    hostile('e', {}, { start: 'x', end: null });
    service.edit('f', { extendedProperties: { private: [] } });
    service.edit('g', { ...times, summary: 'Maintenance window', recurrence: [] });
    service.edit('c', { htmlLink: 'javascript:alert(1)' });
    assert.deepEqual(
      resultOf(await schedule.list(folder))
        .map((it) => it.id)
        .sort(),
      [event.id, 'c'].sort(),
    );
    assert.deepEqual(resultOf(await schedule.windows()), []);
  });
});

describe('the background', () => {
  test('a spent budget pauses it, and not a person; nothing is lost', async () => {
    const { service, schedule, pass } = await setUp({ dailyBudget: 0 });
    schedule.touch();
    await schedule.whenIdle();
    assert.deepEqual(service.calls(), []);
    assert.equal(schedule.state().trouble?.kind, 'over-budget');
    const { event } = await addOne(schedule);
    schedule.observe(folder, path, used(true));
    await schedule.whenIdle();
    assert.equal(service.events.get(event.id)?.['transparency'], 'opaque');
    await pass(hour);
    assert.equal(service.events.get(event.id)?.['transparency'], 'opaque');
    assert.equal(resultOf(await schedule.complete(event.id)).status, 'done');
  });

  test('a completion that failed is repeated later', async () => {
    const { service, schedule, pass } = await setUp();
    const { event } = await addOne(schedule);
    schedule.touch();
    await schedule.whenIdle();
    service.fault = (it) => (isUpdate(it) ? refusal(403) : undefined);
    schedule.observe(folder, path, used(true));
    await schedule.whenIdle();
    assert.equal(schedule.state().trouble?.kind, 'forbidden');
    service.fault = undefined;
    await pass(61_000);
    assert.equal(service.events.get(event.id)?.['transparency'], 'transparent');
    assert.equal(schedule.state().trouble, undefined);
  });

  test('a hold lasts over a restart, and for every process', async () => {
    const holds = createMemoryHolds();
    const { service, directory, schedule } = await setUp({ holds });
    failing(service, 1, refusal(429, { 'retry-after': '120' }), isAny);
    assert.equal(troubleOf(await schedule.list()).kind, 'held');
    const before = service.calls().length;
    const next = await setUp({ service, directory, holds });
    const trouble = troubleOf(await next.schedule.add([draftOf()]));
    assert.deepEqual([trouble.kind, trouble.until], ['held', monday + 120_000]);
    assert.equal(service.calls().length, before);
    await next.pass(121_000);
    assert.equal((await addOne(next.schedule)).isNew, true);
  });

  test('a clock that was set back does not stop it', async () => {
    const { service, directory, schedule } = await setUp({ offset: 30 * 24 * hour });
    await addOne(schedule);
    const next = await setUp({ service, directory });
    const before = service.calls().length;
    next.schedule.touch();
    await next.schedule.whenIdle();
    assert.ok(service.calls().length > before);
    assert.equal(next.schedule.state().at, monday);
  });

  test('a deleted calendar is reported, and what was planned in it stays', async () => {
    const { service, schedule, pass } = await setUp();
    await addOne(schedule);
    schedule.touch();
    await schedule.whenIdle();
    service.calendars.splice(0, service.calendars.length, ...service.calendars.filter((it) => it['id'] !== calendarId));
    await pass(16 * 60_000);
    assert.equal(schedule.state().trouble?.kind, 'calendar-gone');
    assert.equal(schedule.planned(folder, lodash.purl).length, 1);
  });

  test('another address or none: nothing of the former calendar is shown', async () => {
    const { schedule, set } = await setUp();
    await addOne(schedule);
    set({ baseUrl: '' });
    schedule.touch();
    await schedule.whenIdle();
    assert.deepEqual(schedule.planned(folder, lodash.purl), []);
    assert.equal(schedule.state().calendar, undefined);
  });
});
