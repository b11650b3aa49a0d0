import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { calendar } from '@googleapis/calendar';
import table from '../../server/src/connected/api/tables/scheduling.json' with { type: 'json' };
import { createCatalog } from '../../server/src/service/catalog/catalog.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { me, other, schedulingHere } from '../harness/scheduling.ts';
import { run } from '../tools/processes.ts';
import { pythonPackage } from '../tools/python-packages.ts';

/* Every method of the calendars that we serve, called by two clients of the vendor. */

const source = catalogSource(createCatalog([], []));
const here = schedulingHere();
// The client replaces the path of an address by this one.
const service = await serveHttp({ source, services: [{ name: 'calendar', ...here.service }] });
const called: string[] = [];
const hook = createServer((request, response) => {
  called.push(`${request.headers['x-goog-channel-id']} ${request.headers['x-goog-resource-state']}`);
  response.end();
});
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
after(async () => {
  hook.closeAllConnections();
  hook.close();
  await service.close();
  here.service.close();
});

// Before the first test: the service ends with the last one that is known.
const python = await pythonPackage(
  'google-api-python-client==2.202.0',
  join('googleapiclient', 'discovery_cache', 'documents'),
  'calendar',
);
const skip = python === undefined ? 'Python or its client is missing: not tested here' : false;

const rootUrl = `${service.url}/`;
const api = calendar({ version: 'v3', rootUrl, headers: { authorization: 'Bearer me' } });
const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
const done = new Set<string>();

/** The data of an answer. Its method counts as answered. */
async function ok<T>(name: string, answer: Promise<{ readonly data: T; readonly status: number }>): Promise<T> {
  const { data, status } = await answer;
  assert.ok(status === 200 || status === 204, name);
  done.add(name);
  return data;
}

const channel = (id: string) => ({ id, type: 'web_hook', address });
const time = (hour: number) => ({ dateTime: `2026-11-24T${hour}:00:00+01:00`, timeZone: 'Europe/Berlin' });
const primary = { calendarId: 'primary' };

test('calendars and the list of calendars', async () => {
  const made = await ok('calendars.insert', api.calendars.insert({ requestBody: { summary: 'Updates' } }));
  assert.ok(made.id && made.etag);
  const calendarId = made.id;
  const name = { calendarId };
  assert.deepEqual(await ok('calendars.get', api.calendars.get(name)), made);
  const changed = await ok('calendars.update', api.calendars.update({ ...name, requestBody: { summary: 'Two' } }));
  assert.equal(changed.summary, 'Two');
  await ok('calendars.patch', api.calendars.patch({ ...name, requestBody: { location: 'here' } }));
  await ok('calendarList.watch', api.calendarList.watch({ requestBody: channel('list') }));
  const { items = [] } = await ok('calendarList.list', api.calendarList.list());
  assert.deepEqual(
    items.map((it) => [it.id, it.primary ?? false, it.location]),
    [
      [me, true, undefined],
      [calendarId, false, 'here'],
    ],
  );
  await ok('calendarList.delete', api.calendarList.delete(name));
  await ok('calendarList.insert', api.calendarList.insert({ requestBody: { id: calendarId } }));
  const colored = {
    ...name,
    colorRgbFormat: true,
    requestBody: { backgroundColor: '#ff0000', foregroundColor: '#000000' },
  };
  await ok('calendarList.update', api.calendarList.update(colored));
  await ok('calendarList.patch', api.calendarList.patch({ ...name, requestBody: { selected: true } }));
  const entry = await ok('calendarList.get', api.calendarList.get(name));
  assert.deepEqual([entry.backgroundColor, entry.selected, entry.accessRole], ['#ff0000', true, 'owner']);
  await ok('calendars.delete', api.calendars.delete(name));
  await assert.rejects(api.calendars.get(name), /Not Found/);
});

test('access rules', async () => {
  await ok('acl.watch', api.acl.watch({ ...primary, requestBody: channel('acl') }));
  const requestBody = { role: 'reader', scope: { type: 'user', value: other } };
  const rule = await ok('acl.insert', api.acl.insert({ ...primary, requestBody }));
  const name = { ...primary, ruleId: rule.id ?? '' };
  await ok('acl.patch', api.acl.patch({ ...name, requestBody: { role: 'writer' } }));
  assert.equal((await ok('acl.get', api.acl.get(name))).role, 'writer');
  await ok('acl.update', api.acl.update({ ...name, requestBody: { ...requestBody, role: 'owner' } }));
  const { items = [] } = await ok('acl.list', api.acl.list(primary));
  assert.deepEqual(
    items.map((it) => `${it.id} ${it.role}`),
    [`user:${me} owner`, `user:${other} owner`],
  );
  await ok('acl.delete', api.acl.delete(name));
});

test('events', async () => {
  const watched = await ok('events.watch', api.events.watch({ ...primary, requestBody: channel('events') }));
  const recurrence = ['RRULE:FREQ=WEEKLY;COUNT=3'];
  const requestBody = { id: 'update0', summary: 'Update', start: time(10), end: time(11), recurrence };
  const made = await ok('events.insert', api.events.insert({ ...primary, requestBody }));
  await assert.rejects(
    api.events.insert({ ...primary, requestBody }),
    (error: { status?: number }) => error.status === 409,
  );
  const name = { ...primary, eventId: 'update0' };
  assert.deepEqual(await ok('events.get', api.events.get(name)), made);
  const { data } = await api.events.get({ ...name, timeZone: 'Asia/Tokyo' });
  assert.equal(data.start?.dateTime, '2026-11-24T18:00:00+09:00');
  const instances = await ok('events.instances', api.events.instances(name));
  assert.equal(instances.items?.length, 3);
  const patched = await ok('events.patch', api.events.patch({ ...name, requestBody: { location: 'here' } }));
  const whole = { ...patched, summary: 'Updated' };
  await ok(
    'events.update',
    api.events.update({ ...name, requestBody: whole }, { headers: { 'If-Match': patched.etag ?? '' } }),
  );
  await assert.rejects(
    api.events.update({ ...name, requestBody: whole }, { headers: { 'If-Match': patched.etag ?? '' } }),
    (error: { status?: number }) => error.status === 412,
  );
  const single = { ...primary, singleEvents: true, orderBy: 'startTime', timeMin: '2026-11-25T00:00:00Z' };
  const list = await ok('events.list', api.events.list(single));
  assert.deepEqual(
    list.items?.map((it) => it.start?.dateTime),
    ['2026-12-01T10:00:00+01:00', '2026-12-08T10:00:00+01:00'],
  );
  const copy = { iCalUID: 'x@elsewhere', start: time(12), end: time(13) };
  await ok('events.import', api.events.import({ ...primary, requestBody: copy }));
  const quick = await ok('events.quickAdd', api.events.quickAdd({ ...primary, text: 'Lunch tomorrow 12:30' }));
  assert.equal(quick.summary, 'Lunch');
  const busy = { timeMin: '2026-11-24T00:00:00Z', timeMax: '2026-11-25T00:00:00Z', items: [{ id: me }] };
  const found = await ok('freebusy.query', api.freebusy.query({ requestBody: busy }));
  assert.deepEqual(found.calendars?.[me]?.busy, [
    { start: '2026-11-24T09:00:00Z', end: '2026-11-24T10:00:00Z' },
    { start: '2026-11-24T11:00:00Z', end: '2026-11-24T12:30:00Z' },
  ]);
  const second = (await api.calendars.insert({ requestBody: { summary: 'Other' } })).data.id ?? '';
  await ok('events.move', api.events.move({ ...name, destination: second }));
  await ok('events.delete', api.events.delete({ calendarId: second, eventId: 'update0' }));
  await ok('calendars.clear', api.calendars.clear(primary));
  const stopped = { id: 'events', resourceId: watched.resourceId ?? '' };
  await ok('channels.stop', api.channels.stop({ requestBody: stopped }));
});

test('settings and colors', async () => {
  await ok('settings.watch', api.settings.watch({ requestBody: channel('settings') }));
  const { items = [] } = await ok('settings.list', api.settings.list());
  assert.ok(items.some((it) => it.id === 'weekStart'));
  assert.equal((await ok('settings.get', api.settings.get({ setting: 'timezone' }))).value, 'Europe/Berlin');
  assert.equal(Object.keys((await ok('colors.get', api.colors.get())).calendar ?? {}).length, 24);
});

test('every method of the contract was called', () => {
  assert.deepEqual([...done].sort(), table.methods.map((it) => it.name).sort());
  for (const id of ['acl', 'events', 'list', 'settings']) assert.ok(called.includes(`${id} sync`), called.join(', '));
  assert.ok(called.includes('events exists'));
});

test('the client of another language calls every method, too', { skip }, async () => {
  const script = join(import.meta.dirname, 'scheduling.py');
  // This user has calendars of their own.
  const args = [script, `${service.url}/calendar/v3/`, 'third', address, other];
  const env = { ...process.env, PYTHONPATH: python, PYTHONDONTWRITEBYTECODE: '1' };
  const { ok: isDone, output } = await run({ name: 'python', command: 'python3', args, cwd: import.meta.dirname, env });
  assert.ok(isDone, output);
  const names = table.methods.map((it) => it.name).sort();
  assert.deepEqual(
    output
      .split('\n')
      .filter((it) => names.includes(it))
      .sort(),
    names,
  );
});
