import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { hourAt, me, other, schedulingHere, third } from '../harness/scheduling.ts';

const events = `calendars/${encodeURIComponent(me)}/events`;
const rules = `calendars/${encodeURIComponent(me)}/acl`;

/** What each role may do: the status of each request. */
const matrix = {
  none: [404, 404, 404, 404, 404, 404],
  freeBusyReader: [200, 'busy', 403, 403, 403, 403],
  reader: [200, 'details', 403, 403, 403, 403],
  writer: [200, 'details', 200, 200, 403, 403],
  owner: [200, 'details', 200, 200, 200, 200],
} as const;

for (const [role, expected] of Object.entries(matrix)) {
  test(`${role}: what a user with this role may do`, () => {
    const { ask, as } = schedulingHere();
    ask(`POST ${events}`, hourAt('2026-11-24T09:00:00Z', { id: 'abc12' }));
    if (role !== 'none') ask(`POST ${rules}`, { role, scope: { type: 'user', value: other } });
    const they = as('other');
    const list = they(`GET ${events}`);
    const [first] = list.body.items ?? [];
    const seen = list.status !== 200 ? list.status : first.summary === undefined ? 'busy' : 'details';
    const statuses = [
      they(`GET calendars/${encodeURIComponent(me)}`).status,
      seen,
      they(`PATCH ${events}/abc12`, { summary: 'theirs' }).status,
      they(`GET ${rules}`).status,
      they(`POST ${rules}`, { role: 'reader', scope: { type: 'user', value: third } }).status,
      they(`PATCH calendars/${encodeURIComponent(me)}`, { summary: 'theirs' }).status,
    ];
    assert.deepEqual(statuses, expected);
  });
}

test('rules for a domain and for everyone count; a private event hides its details from readers', () => {
  const { ask, as } = schedulingHere();
  ask(`POST ${events}`, hourAt('2026-11-24T09:00:00Z', { visibility: 'private' }));
  ask(`POST ${rules}`, { role: 'reader', scope: { type: 'domain', value: 'a.example' } });
  assert.equal(as('other')(`GET ${events}`).body.items[0].summary, undefined);
  assert.equal(as('third')(`GET ${events}`).status, 404);
  const rule = ask(`POST ${rules}`, { role: 'freeBusyReader', scope: { type: 'default' } });
  assert.equal(rule.body.id, 'default');
  assert.equal(as('third')(`GET ${events}`).status, 200);
  assert.equal(ask(`DELETE ${rules}/default`).status, 204);
  assert.equal(as('third')(`GET ${events}`).status, 404);
  assert.equal(ask(`DELETE ${rules}/user:${me}`).status, 403);
  for (const body of [
    { role: 'king', scope: { type: 'default' } },
    { role: 'reader' },
    { role: 'reader', scope: { type: 'user' } },
  ])
    assert.equal(ask(`POST ${rules}`, body).status, 400);
});

test('a calendar that is shared is added to a list, and leaves it with the access', () => {
  const { ask, as } = schedulingHere();
  const they = as('other');
  assert.equal(they('POST users/me/calendarList', { id: me }).status, 404);
  ask(`POST ${rules}`, { role: 'reader', scope: { type: 'user', value: other } });
  assert.equal(they('POST users/me/calendarList', { id: me }).body.accessRole, 'reader');
  assert.equal(they('POST users/me/calendarList', { id: me }).status, 409);
  const { nextSyncToken } = they('GET users/me/calendarList').body;
  ask(`DELETE ${rules}/user:${other}`);
  const { items } = they(`GET users/me/calendarList?syncToken=${nextSyncToken}`).body;
  assert.deepEqual(
    items.map((it: { id: string; deleted: boolean }) => [it.id, it.deleted]),
    [[me, true]],
  );
  assert.equal(they('GET users/me/calendarList').body.items.length, 1);
});

test('a sync token returns what has changed since, deleted events as cancelled', () => {
  const { ask, clock } = schedulingHere();
  for (const day of [24, 25, 26]) ask(`POST ${events}`, hourAt(`2026-11-${day}T09:00:00Z`, { id: `abc${day}` }));
  const first = ask(`GET ${events}?maxResults=2`).body;
  assert.deepEqual([first.items.length, first.nextSyncToken], [2, undefined]);
  // What changes between two pages is not lost.
  ask(`PATCH ${events}/abc24`, { summary: 'changed' });
  const last = ask(`GET ${events}?maxResults=2&pageToken=${first.nextPageToken}`).body;
  assert.deepEqual(
    last.items.map((it: { id: string }) => it.id),
    ['abc26'],
  );
  ask(`DELETE ${events}/abc25`);
  const changes = ask(`GET ${events}?syncToken=${last.nextSyncToken}`).body;
  const shown = changes.items.map((it: { id: string; status: string }) => `${it.id} ${it.status}`);
  assert.deepEqual(shown, ['abc24 confirmed', 'abc25 cancelled']);
  assert.deepEqual(ask(`GET ${events}?syncToken=${changes.nextSyncToken}`).body.items, []);
  for (const it of [
    'q=x',
    'timeMin=2026-11-24T00:00:00Z',
    'orderBy=updated',
    'iCalUID=x',
    'privateExtendedProperty=a%3Db',
    'updatedMin=2026-11-24T00:00:00Z',
    'showDeleted=false',
  ])
    assert.equal(ask(`GET ${events}?syncToken=${last.nextSyncToken}&${it}`).status, 400, it);
  assert.equal(ask(`GET ${events}?pageToken=${first.nextPageToken}&q=x`).status, 400);
  assert.equal(ask(`POST ${events}/watch?syncToken=${last.nextSyncToken}&q=x`, {}).status, 400);
  const foreign = schedulingHere().ask(`GET ${events}?syncToken=${last.nextSyncToken}`);
  assert.deepEqual([foreign.status, foreign.reason], [410, 'fullSyncRequired']);
  assert.equal(ask(`GET ${rules}?syncToken=${last.nextSyncToken}`).status, 410);
  assert.equal(ask(`GET ${events}?syncToken=nonsense`).status, 410);
  void clock.advance(31 * 86_400_000);
  return clock.advance(0).then(() => assert.equal(ask(`GET ${events}?syncToken=${last.nextSyncToken}`).status, 410));
});

test('single events have to be read anew when a repetition has changed', () => {
  const { ask } = schedulingHere();
  const time = { dateTime: '2026-11-24T10:00:00', timeZone: 'Europe/Berlin' };
  ask(`POST ${events}`, { id: 'abc12', start: time, end: time, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] });
  const { nextSyncToken } = ask(`GET ${events}?singleEvents=true`).body;
  const since = `GET ${events}?singleEvents=true&syncToken=${nextSyncToken}`;
  ask(`PATCH ${events}/abc12`, { summary: 'renamed' });
  assert.equal(ask(since).body.items.length, 3);
  ask(`PATCH ${events}/abc12`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] });
  assert.equal(ask(since).status, 410);
});

test('a client that lists only changes has what a full list has, whatever happened between', () => {
  const { ask } = schedulingHere();
  const weekly = (start: string) => ({
    ...hourAt(start),
    start: { dateTime: start, timeZone: 'UTC' },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
  });
  const items = (query: string) => ask(`GET ${events}?${query}`).body.items as { id: string; status: string }[];
  for (const [single, change] of [
    // The exception ends with the repetition that it was made of, and both change again.
    [false, ['pair', { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=1'] }, { recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2'] }]],
    // A single event becomes a recurring one, which is deleted.
    [true, ['lone', { start: { timeZone: 'UTC' }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }, undefined]],
  ] as const) {
    const [lone, pair] = [single ? 'lone1' : 'lone2', single ? 'pair1' : 'pair2'];
    ask(`POST ${events}`, hourAt('2026-11-24T09:00:00Z', { id: lone }));
    ask(`POST ${events}`, { ...weekly('2026-11-25T09:00:00Z'), id: pair });
    ask(`PATCH ${events}/${pair}_20261202T090000Z`, { summary: 'other' });
    const query = `singleEvents=${single}`;
    const { items: before, nextSyncToken } = ask(`GET ${events}?${query}`).body;
    const id = change[0] === 'pair' ? pair : lone;
    assert.equal(ask(`PATCH ${events}/${id}`, change[1]).status, 200);
    const last = change[2] ? ask(`PATCH ${events}/${id}`, change[2]) : ask(`DELETE ${events}/${id}`);
    assert.ok(last.status < 300);
    const { status, body } = ask(`GET ${events}?${query}&syncToken=${nextSyncToken}`);
    if (status === 410) continue;
    const followed = new Map<string, string>(before.map((it: { id: string; status: string }) => [it.id, it.status]));
    for (const it of body.items) followed.set(it.id, it.status);
    const alive = [...followed].filter(([, it]) => it !== 'cancelled').map(([it]) => it);
    assert.deepEqual(
      alive.sort(),
      items(query)
        .filter((it) => it.status !== 'cancelled')
        .map((it) => it.id)
        .sort(),
    );
  }
  // What has ended hides no instance that comes back.
  const back = { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] };
  assert.equal(ask(`PATCH ${events}/pair2`, back).status, 200);
  assert.equal(ask(`GET ${events}/pair2_20261202T090000Z`).body.status, 'confirmed');
  assert.equal(items('singleEvents=true').filter((it) => it.id === 'pair2_20261202T090000Z').length, 1);
});

test('import, move and clear', () => {
  const { ask } = schedulingHere();
  const copy = hourAt('2026-11-24T09:00:00Z', {
    iCalUID: 'one@elsewhere',
    organizer: { email: 'them@elsewhere.example' },
  });
  const made = ask(`POST ${events}/import`, copy).body;
  assert.deepEqual([made.iCalUID, made.organizer.email], ['one@elsewhere', 'them@elsewhere.example']);
  assert.equal(ask(`POST ${events}/import`, { ...copy, summary: 'newer' }).body.id, made.id);
  assert.equal(ask(`GET ${events}?iCalUID=one%40elsewhere`).body.items[0].summary, 'newer');
  assert.equal(ask(`POST ${events}/import`, { ...copy, eventType: 'focusTime' }).reason, 'eventTypeRestriction');
  assert.equal(ask(`POST ${events}/import`, hourAt('2026-11-24T09:00:00Z')).reason, 'required');
  const { id } = ask('POST calendars', { summary: 'second' }).body;
  const there = `calendars/${encodeURIComponent(id)}/events`;
  assert.equal(ask(`POST ${events}/${made.id}/move`).reason, 'required');
  const moved = ask(`POST ${events}/${made.id}/move?destination=${encodeURIComponent(id)}`).body;
  assert.equal(moved.organizer.email, id);
  assert.equal(ask(`GET ${there}/${made.id}`).body.status, 'confirmed');
  assert.equal(ask(`GET ${events}/${made.id}`).body.status, 'cancelled');
  const focus = ask(`POST ${events}`, hourAt('2026-11-24T09:00:00Z', { eventType: 'focusTime' })).body;
  assert.equal(
    ask(`POST ${events}/${focus.id}/move?destination=${encodeURIComponent(id)}`).reason,
    'eventTypeRestriction',
  );
  assert.equal(ask(`POST calendars/primary/clear`).status, 204);
  assert.deepEqual(ask(`GET ${events}`).body.items, []);
});

test('channels are called back about every change until they are stopped or expire', async (t) => {
  const received: Record<string, unknown>[] = [];
  let arrived = (): void => {};
  let failures = 1;
  const server = createServer((request, response) => {
    // The first message is lost once, and sent again.
    if (failures-- > 0) {
      response.writeHead(503).end();
      arrived();
      return;
    }
    received.push(request.headers);
    response.end();
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { ask, as, clock, service } = schedulingHere();
  t.after(() => {
    service.close();
    server.closeAllConnections();
    server.close();
  });
  const next = () => new Promise<void>((resolve) => (arrived = resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const channel = { id: 'one', type: 'web_hook', address, token: 'secret', params: { ttl: '3600' } };
  const refused = next();
  const { body } = ask(`POST ${events}/watch`, channel);
  await refused;
  const sync = next();
  while (clock.next() === undefined) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1000);
  await sync;
  assert.equal(ask(`POST ${events}/watch`, channel).reason, 'channelIdNotUnique');
  const exists = next();
  ask(`POST ${events}`, hourAt('2026-11-24T09:00:00Z'));
  await exists;
  const shown = received.map((it) => [
    it['x-goog-resource-state'],
    it['x-goog-message-number'],
    it['x-goog-channel-token'],
  ]);
  assert.deepEqual(shown, [
    ['sync', '1', 'secret'],
    ['exists', '2', 'secret'],
  ]);
  assert.equal(received[1]?.['x-goog-resource-id'], body.resourceId);
  assert.equal(received[1]?.['x-goog-channel-expiration'], new Date(Number(body.expiration)).toUTCString());
  // Another calendar, a failed request and a stopped channel send nothing.
  assert.equal(as('other')(`POST channels/stop`, { id: 'one', resourceId: body.resourceId }).status, 404);
  ask(`POST ${events}`, {});
  as('other')('POST calendars/primary/events', hourAt('2026-11-24T09:00:00Z'));
  assert.equal(ask('POST channels/stop', { id: 'one', resourceId: body.resourceId }).status, 204);
  ask(`POST ${events}`, hourAt('2026-11-25T09:00:00Z'));
  const settings = next();
  ask('POST users/me/settings/watch', { ...channel, id: 'two' });
  await settings;
  const changed = next();
  ask('PATCH calendars/primary', { timeZone: 'Asia/Tokyo' });
  await changed;
  await clock.advance(3_600_001);
  ask('PATCH calendars/primary', { timeZone: 'Asia/Seoul' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(
    received.map((it) => it['x-goog-channel-id']),
    ['one', 'one', 'two', 'two'],
  );
});

test('only this machine is called back', () => {
  const { ask } = schedulingHere();
  for (const address of [
    'http://example.org/',
    'http://169.254.169.254/',
    'ftp://127.0.0.1/',
    'http://127.0.0.1.example/',
    'http://a@127.0.0.1/',
    'x',
  ])
    assert.equal(
      ask(`POST ${events}/watch`, { id: 'one', type: 'web_hook', address }).reason,
      'push.webhookUrlNotHttps',
      address,
    );
  assert.equal(ask(`POST ${events}/watch`, { id: 'one', type: 'mail', address: 'http://127.0.0.1/' }).status, 400);
});
