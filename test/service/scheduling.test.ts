import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourAt, me, other, schedulingHere } from '../harness/scheduling.ts';

const events = 'calendars/primary/events';

test('an event is made, read, listed, replaced and deleted', () => {
  const { ask } = schedulingHere();
  const made = ask(
    `POST ${events}`,
    hourAt('2026-11-24T09:00:00Z', { id: 'abc12', extendedProperties: { private: { purl: 'x' } } }),
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { start, status, sequence, organizer, creator, iCalUID, kind } = made.body;
  assert.deepEqual(start, { dateTime: '2026-11-24T10:00:00+01:00', timeZone: 'Europe/Berlin' });
  assert.deepEqual([status, sequence, kind], ['confirmed', 0, 'calendar#event']);
  assert.deepEqual([organizer.self, creator.email], [true, me]);
  assert.match(iCalUID, /^abc12@/);
  // There are no pages for people, and a browser sends no credential.
  assert.equal('htmlLink' in made.body, false);
  assert.deepEqual(ask(`GET ${events}/abc12`).body, made.body);
  assert.deepEqual(ask(`GET ${events}?privateExtendedProperty=purl%3Dx`).body.items, [made.body]);
  const updated = ask(`PUT ${events}/abc12`, hourAt('2026-11-25T09:00:00Z'));
  assert.deepEqual([updated.body.sequence, updated.body.extendedProperties], [1, undefined]);
  assert.equal(ask(`DELETE ${events}/abc12`).status, 204);
  assert.equal(ask(`GET ${events}/abc12`).body.status, 'cancelled');
  assert.deepEqual(ask(`GET ${events}`).body.items, []);
  assert.equal(ask(`GET ${events}?showDeleted=true`).body.items.length, 1);
  assert.deepEqual([ask(`DELETE ${events}/abc12`).status, ask(`DELETE ${events}/nowhere`).status], [410, 404]);
});

test('an id is used once, also after its event was deleted', () => {
  const { ask } = schedulingHere();
  const body = hourAt('2026-11-24T09:00:00Z', { id: 'abc12' });
  assert.equal(ask(`POST ${events}`, body).status, 200);
  assert.deepEqual([ask(`POST ${events}`, body).status, ask(`POST ${events}`, body).reason], [409, 'duplicate']);
  ask(`DELETE ${events}/abc12`);
  assert.equal(ask(`POST ${events}`, body).status, 409);
  for (const id of ['abcd', 'abcxyz', 'ABCDE', 'a'.repeat(1025)])
    assert.equal(ask(`POST ${events}`, { ...body, id }).status, 400, id);
  // The client makes it valid again by an update.
  assert.equal(ask(`PUT ${events}/abc12`, body).body.status, 'confirmed');
});

test('a version that has changed is not overwritten, and one that has not is not sent again', () => {
  const { ask } = schedulingHere();
  const { etag } = ask(`POST ${events}`, hourAt('2026-11-24T09:00:00Z', { id: 'abc12' }));
  const changed = ask(`PATCH ${events}/abc12`, { summary: 'two' }, { 'if-match': etag });
  assert.deepEqual([changed.status, changed.body.summary], [200, 'two']);
  for (const method of ['PATCH', 'PUT', 'DELETE']) {
    const refused = ask(`${method} ${events}/abc12`, hourAt('2026-11-24T09:00:00Z'), { 'if-match': etag });
    assert.deepEqual([refused.status, refused.reason], [412, 'conditionNotMet'], method);
  }
  assert.equal(ask(`GET ${events}/abc12`, undefined, { 'if-none-match': changed.etag }).status, 304);
  assert.equal(ask(`GET ${events}/abc12`, undefined, { 'if-none-match': etag }).status, 200);
  const list = ask(`GET ${events}`);
  assert.equal(ask(`GET ${events}`, undefined, { 'if-none-match': list.etag }).status, 304);
});

test('a patch keeps what it does not name, replaces whole lists, and removes what is null', () => {
  const { ask } = schedulingHere();
  const attendees = [{ email: 'a@x.example' }, { email: 'b@x.example' }];
  const extendedProperties = { private: { one: '1', two: '2' } };
  ask(
    `POST ${events}`,
    hourAt('2026-11-24T09:00:00Z', { id: 'abc12', location: 'here', attendees, extendedProperties }),
  );
  const patch = {
    location: null,
    attendees: [{ email: 'c@x.example' }],
    extendedProperties: { private: { two: null, three: '3' } },
  };
  const { body } = ask(`PATCH ${events}/abc12`, patch);
  assert.deepEqual([body.summary, body.location, body.sequence], ['one', undefined, 0]);
  assert.deepEqual(body.attendees, [{ email: 'c@x.example' }]);
  assert.deepEqual(body.extendedProperties.private, { one: '1', three: '3' });
  const moved = ask(`PATCH ${events}/abc12`, { start: { date: '2026-11-24' }, end: { date: '2026-11-25' } });
  assert.deepEqual([moved.body.start, moved.body.sequence], [{ date: '2026-11-24' }, 1]);
});

test('free/busy merges events, and leaves out what does not take time', () => {
  const { ask, as } = schedulingHere();
  const add = (start: string, more: object = {}) =>
    assert.equal(ask(`POST ${events}`, hourAt(start, more)).status, 200);
  add('2026-11-24T09:00:00Z');
  add('2026-11-24T09:30:00Z');
  add('2026-11-24T12:00:00Z', { transparency: 'transparent' });
  add('2026-11-24T13:00:00Z', { attendees: [{ email: me, responseStatus: 'declined' }] });
  add('2026-11-24T14:00:00Z', { status: 'cancelled' });
  add('2026-11-24T23:30:00Z');
  const query = {
    timeMin: '2026-11-24T00:00:00Z',
    timeMax: '2026-11-25T00:00:00Z',
    items: [{ id: me }, { id: 'x@y' }],
  };
  const { body } = ask('POST freeBusy', query);
  assert.deepEqual(body.calendars[me].busy, [
    { start: '2026-11-24T09:00:00Z', end: '2026-11-24T10:30:00Z' },
    { start: '2026-11-24T23:30:00Z', end: '2026-11-25T00:00:00Z' },
  ]);
  assert.deepEqual(body.calendars['x@y'].errors, [{ domain: 'global', reason: 'notFound' }]);
  assert.equal(as('other')('POST freeBusy', query).body.calendars[me].errors[0].reason, 'notFound');
  ask('POST calendars/primary/acl', { role: 'freeBusyReader', scope: { type: 'user', value: other } });
  assert.equal(as('other')('POST freeBusy', query).body.calendars[me].busy.length, 2);
  const limited = ask('POST freeBusy', { ...query, calendarExpansionMax: 1 }).body.calendars;
  assert.equal(limited['x@y'].errors[0].reason, 'tooManyCalendarsRequested');
  assert.equal(ask('POST freeBusy', { ...query, timeMax: query.timeMin }).reason, 'timeRangeEmpty');
});

test('settings, colors, calendars and the list of calendars', () => {
  const { ask } = schedulingHere();
  assert.equal(ask('GET users/me/settings/timezone').body.value, 'Europe/Berlin');
  assert.ok(ask('GET users/me/settings').body.items.some((it: { id: string }) => it.id === 'weekStart'));
  assert.equal(Object.keys(ask('GET colors').body.event).length, 11);
  const { id } = ask('POST calendars', { summary: 'Dependency updates' }).body;
  const path = encodeURIComponent(id);
  assert.equal(ask(`PATCH calendars/${path}`, { description: 'all' }).body.summary, 'Dependency updates');
  const entry = ask(`PATCH users/me/calendarList/${path}`, { summaryOverride: 'Mine', selected: true }).body;
  assert.deepEqual([entry.summary, entry.summaryOverride, entry.accessRole], ['Dependency updates', 'Mine', 'owner']);
  const list = ask('GET users/me/calendarList').body.items;
  assert.deepEqual(
    list.map((it: { primary?: boolean }) => it.primary),
    [true, undefined],
  );
  ask(`PATCH users/me/calendarList/${path}`, { hidden: true });
  assert.equal(ask('GET users/me/calendarList').body.items.length, 1);
  assert.equal(ask('GET users/me/calendarList?showHidden=true').body.items.length, 2);
  assert.equal(ask(`POST calendars/${path}/clear`).status, 400);
  assert.equal(ask('DELETE calendars/primary').status, 400);
  assert.equal(ask(`DELETE calendars/${path}`).status, 204);
  assert.equal(ask(`GET calendars/${path}`).status, 404);
});

test('errors have the documented form', () => {
  const { ask } = schedulingHere();
  const { status, body } = ask('GET calendars/nowhere@x.example');
  assert.equal(status, 404);
  assert.deepEqual(body, {
    error: {
      code: 404,
      message: 'Not Found',
      errors: [{ domain: 'global', reason: 'notFound', message: 'Not Found' }],
    },
  });
  assert.equal(ask('GET colors', undefined, { authorization: 'Bearer wrong' }).status, 401);
  for (const text of ['[1]', '{', '"x"', `${'['.repeat(5000)}`, `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`])
    assert.equal(ask(`POST ${events}`, text).reason, 'parseError', text.slice(0, 20));
});
