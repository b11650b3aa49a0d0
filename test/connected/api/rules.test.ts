import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleText } from '../../../server/src/connected/api/rules.ts';
import { allMethods, methodsOf } from '../../../server/src/connected/api/service-method.ts';
import { build, methodNamed, problemsOf, request } from './calls.ts';

const calendarId = 'primary';
const eventId = 'ab12';
const start = { dateTime: '2026-11-24T14:00:00Z' };
const event = { start, end: start };

test('a patch of the scheduling service says what it costs, and what it replaces', async () => {
  for (const it of (await methodsOf('scheduling')).filter(({ verb }) => verb === 'PATCH')) {
    assert.deepEqual(it.rules.slice(0, 2), ['patch-units', 'patch-semantics'], it.id);
  }
  assert.match(ruleText('patch-units'), /costs 3 quota units; get followed by update costs 2/);
});

test('an update requires the etag that was read, and sends it as If-Match', async () => {
  const update = 'scheduling.events.update';
  const given = { calendarId, eventId };
  assert.deepEqual(await problemsOf(update, given, event), ['rule update-replaces']);
  assert.deepEqual(await problemsOf(update, given, { ...event, etag: '' }), ['rule update-replaces']);
  const read = await request(update, given, { ...event, etag: '"3181"' });
  assert.deepEqual(read.headers, { 'if-match': '"3181"' });
  const asked = await request(update, given, { ...event, etag: '"3181"' }, { etag: '"3182"' });
  assert.deepEqual(asked.headers, { 'if-match': '"3182"' });
  const replacing = await request(update, given, event, { replace: true });
  assert.equal(replacing.headers, undefined);
  for (const it of (await methodsOf('scheduling')).filter(({ verb }) => verb === 'PUT'))
    assert.ok(it.rules.includes('update-replaces'), it.id);
});

test('an etag cannot begin another header, and is for changes alone', async () => {
  const given = { calendarId, eventId };
  const options = { etag: '"1"\r\nx-evil: 1' };
  assert.deepEqual(await problemsOf('scheduling.events.update', given, event, options), ['body']);
  assert.deepEqual(await problemsOf('scheduling.events.update', given, { ...event, etag: '"1"\n' }), ['body.etag']);
  assert.deepEqual(await problemsOf('scheduling.events.get', given, undefined, { etag: '"1"' }), ['body']);
  assert.deepEqual((await request('scheduling.events.patch', given, {}, { etag: '"1"' })).headers, {
    'if-match': '"1"',
  });
});

test('an import accepts only events of the default type', async () => {
  const own = { ...event, iCalUID: 'a@example.org' };
  const imported = (body: unknown) => problemsOf('scheduling.events.import', { calendarId }, body);
  assert.deepEqual(await imported(own), []);
  assert.deepEqual(await imported({ ...own, eventType: 'default' }), []);
  for (const eventType of ['outOfOffice', 'focusTime', 'workingLocation', 'fromMail'])
    assert.deepEqual(await imported({ ...own, eventType }), ['rule import-default']);
});

test('a move requires its destination, and an event of the default type', async () => {
  assert.deepEqual(await problemsOf('scheduling.events.move', { calendarId, eventId }), ['rule move-destination']);
  const built = await build('scheduling.events.move', { calendarId, eventId, destination: 'a@example.org' });
  assert.ok(built.ok && built.before);
  assert.equal(built.request.path, 'calendars/primary/events/ab12/move?destination=a%40example.org');
  assert.equal(built.before.method, 'scheduling.events.get');
  assert.equal(built.before.check({ id: eventId }), undefined);
  assert.equal(built.before.check({ eventType: 'default' }), undefined);
  for (const eventType of ['outOfOffice', 'focusTime', 'workingLocation', 'fromMail', 'birthday'])
    assert.equal(built.before.check({ eventType })?.rule, 'move-default');
  assert.equal(built.before.check('what is this')?.rule, 'move-default');
});

test('a quick add requires its text', async () => {
  assert.deepEqual(await problemsOf('scheduling.events.quickAdd', { calendarId }), ['rule quick-add-text']);
  assert.equal(
    (await request('scheduling.events.quickAdd', { calendarId, text: 'Update lodash at 2pm' })).path,
    'calendars/primary/events/quickAdd?text=Update%20lodash%20at%202pm',
  );
});

test('the primary calendar is cleared, and any other is deleted', async () => {
  const clear = (id: string) =>
    problemsOf('scheduling.calendars.clear', { calendarId: id }, undefined, { confirm: id });
  assert.deepEqual(await clear('primary'), []);
  assert.deepEqual(await clear('team@example.org'), ['rule clear-primary']);
  const remove = (id: string) =>
    problemsOf('scheduling.calendars.delete', { calendarId: id }, undefined, { confirm: id });
  assert.deepEqual(await remove('team@example.org'), []);
  assert.deepEqual(await remove('primary'), ['rule delete-secondary']);
});

test('an iCalendar identifier selects events through their list', async () => {
  const iCalUID = '1@example.org';
  assert.deepEqual(await problemsOf('scheduling.events.get', { calendarId, eventId: iCalUID }), ['rule event-id']);
  assert.match(ruleText('event-id'), /scheduling\.events\.list with iCalUID/);
  assert.match((await request('scheduling.events.list', { calendarId, iCalUID })).path, /\?iCalUID=1%40example.org$/);
});

test('a sync token excludes every parameter that selects', async () => {
  const excluded = {
    iCalUID: 'a',
    orderBy: 'updated',
    privateExtendedProperty: 'a=b',
    q: 'a',
    sharedExtendedProperty: 'a=b',
    timeMin: start.dateTime,
    timeMax: start.dateTime,
    updatedMin: start.dateTime,
  };
  for (const method of ['scheduling.events.list', 'scheduling.events.watch']) {
    const body = method.endsWith('watch') ? { id: '1', type: 'web_hook', address: 'https://hook.example/' } : undefined;
    for (const [name, value] of Object.entries(excluded)) {
      assert.deepEqual(
        await problemsOf(method, { calendarId, syncToken: 'a', [name]: value }, body),
        ['rule sync-token'],
        name,
      );
      assert.deepEqual(await problemsOf(method, { calendarId, [name]: value }, body), []);
    }
    assert.deepEqual(
      await problemsOf(method, { calendarId, syncToken: 'a', pageToken: 'b', maxResults: '5' }, body),
      [],
    );
  }
  const given = { syncToken: 'a', minAccessRole: 'owner' };
  assert.deepEqual(await problemsOf('scheduling.calendarList.list', given), ['rule sync-token']);
});

test('what removes something requires its name', async () => {
  const all = (await allMethods()).filter((it) => it.effect === 'destroy').map((it) => it.id);
  assert.deepEqual(all, [
    'scheduling.acl.delete',
    'scheduling.calendarList.delete',
    'scheduling.calendars.clear',
    'scheduling.calendars.delete',
    'scheduling.events.delete',
    'deployments.compositeTypes.delete',
    'deployments.deployments.delete',
    'deployments.typeProviders.delete',
  ]);
  const remove = (confirm?: string) =>
    build('deployments.deployments.delete', { project: 'shop', deployment: 'web' }, undefined, {
      ...(confirm !== undefined && { confirm }),
    });
  const [without, wrong, right] = [await remove(), await remove('shop'), await remove('web')];
  assert.ok(!without.ok && !wrong.ok && right.ok);
  assert.equal(
    without.problems[0]?.message,
    'deployments.deployments.delete cannot be undone: it requires the name “web” as the option confirm',
  );
  assert.match(wrong.problems[0]?.message ?? '', /the option confirm is “shop”, and the name is “web”/);
});

test('a change of a deployment requires the fingerprint that was read', async () => {
  const given = { project: 'shop', deployment: 'web' };
  for (const name of ['update', 'stop', 'cancelPreview']) {
    const id = `deployments.deployments.${name}`;
    assert.deepEqual(await problemsOf(id, given, {}), ['rule fingerprint']);
    assert.deepEqual(await problemsOf(id, given, { fingerprint: 'YQ==' }), []);
    assert.equal((await request(id, given, {}, { replace: true })).body, '{}');
  }
  assert.equal((await request('deployments.deployments.stop', given, undefined, { replace: true })).body, '{}');
  assert.deepEqual(await problemsOf('deployments.deployments.stop', given), ['rule fingerprint']);
});

test('a policy replaces the one that was read', async () => {
  const given = { project: 'shop', resource: 'web' };
  const set = (body: unknown, replace = false) =>
    problemsOf('deployments.deployments.setIamPolicy', given, body, { replace });
  assert.deepEqual(await set({ policy: { bindings: [] } }), ['rule policy-replaces']);
  assert.deepEqual(await set({ policy: { bindings: [] } }, true), []);
  assert.deepEqual(await set({ policy: { bindings: [], etag: 'YQ==' } }), []);
});

test('the status of rate limits names what it costs', async () => {
  assert.deepEqual((await methodNamed('code-host.rateLimit.get')).rules, ['rate-limit-status']);
});
