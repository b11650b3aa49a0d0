import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMethods, type Parameter } from '../../../server/src/connected/api/service-method.ts';
import { build, problemsOf, request } from './calls.ts';

const start = { dateTime: '2026-11-24T14:00:00Z' };
const event = { start, end: start };

test('a request has the verb, the encoded path, the query and the units of its method', async () => {
  assert.deepEqual(
    await request('scheduling.events.list', {
      calendarId: 'team@example.org',
      timeMin: '2026-11-24T00:00:00+01:00',
      eventTypes: ['default', 'fromMail'],
      q: "lodash & 'co' (100 %)",
    }),
    {
      connection: 'scheduling',
      method: 'scheduling.events.list',
      verb: 'GET',
      path: 'calendars/team%40example.org/events?eventTypes=default&eventTypes=fromMail&q=lodash%20%26%20%27co%27%20%28100%20%25%29&timeMin=2026-11-24T00%3A00%3A00%2B01%3A00',
      units: 1,
    },
  );
  assert.deepEqual(
    await request('scheduling.events.patch', { calendarId: 'primary', eventId: 'ab12' }, { summary: 'x' }),
    {
      connection: 'scheduling',
      method: 'scheduling.events.patch',
      verb: 'PATCH',
      path: 'calendars/primary/events/ab12',
      body: '{"summary":"x"}',
      units: 3,
    },
  );
  const typed = await request('deployments.typeProviders.getType', {
    project: 'example.org:shop',
    typeProvider: 'own',
    type: 'a/b c',
  });
  assert.equal(typed.path, 'example.org%3Ashop/global/typeProviders/own/types/a%2Fb%20c');
  const found = await request('link-safety.threatMatches.find', {}, { threatInfo: {} });
  assert.deepEqual([found.verb, found.path], ['POST', 'v4/threatMatches:find']);
  assert.equal((await request('code-host.rateLimit.get')).path, 'rate_limit');
});

/** A value that a parameter accepts. */
const samples: Readonly<Record<string, string>> = {
  string: 'a1',
  boolean: 'true',
  int32: '1',
  uint32: '1',
  'date-time': '2026-11-24T14:00:00Z',
};

const own: Readonly<Record<string, string>> = {
  customerId: 'my_customer',
  filters: 'api_name==calendar',
  groupIdFilter: 'id:a1',
  orgUnitID: 'id:a1',
};

function sampleOf({ name, type }: Parameter, enumOf: (name: string) => readonly string[] | undefined): string {
  return own[name] ?? enumOf(type)?.[0] ?? samples[type] ?? '';
}

const bodies: Readonly<Record<string, unknown>> = {
  AclRule: { role: 'reader', scope: { type: 'user', value: 'a@example.org' }, etag: '"1"' },
  Calendar: { summary: 'Updates', etag: '"1"' },
  CalendarListEntry: { id: 'a@example.org', etag: '"1"' },
  Channel: { id: '1', type: 'web_hook', address: 'https://hook.example/', resourceId: '1' },
  Event: { ...event, iCalUID: '1@example.org', etag: '"1"' },
  FreeBusyRequest: { timeMin: start.dateTime, timeMax: start.dateTime },
  CompositeType: { name: 'a' },
  Deployment: { name: 'a', fingerprint: 'YQ==' },
  DeploymentsCancelPreviewRequest: { fingerprint: 'YQ==' },
  DeploymentsStopRequest: { fingerprint: 'YQ==' },
  GlobalSetPolicyRequest: { policy: { etag: 'YQ==' } },
  TestPermissionsRequest: { permissions: ['deployments.get'] },
  TypeProvider: { name: 'a' },
  FetchThreatListUpdatesRequest: { listUpdateRequests: [{ threatType: 'MALWARE', state: '' }] },
  FindFullHashesRequest: { threatInfo: { threatEntries: [{ hash: 'YWJjZA==' }] } },
  FindThreatMatchesRequest: { threatInfo: { threatEntries: [{ url: 'https://a.example/' }] } },
};

test('every method can be called, with each of its parameters', async () => {
  for (const method of await allMethods()) {
    const { id, parameters, types, body, verb } = method;
    const given = Object.fromEntries(parameters.map((it) => [it.name, sampleOf(it, types.enumOf)]));
    if (/clear$/.test(id)) given['calendarId'] = 'primary';
    const resource = parameters.findLast((it) => it.in === 'path')?.name ?? '';
    for (const query of parameters.filter((it) => it.in === 'query').map((it) => it.name)) {
      const few = Object.fromEntries(
        parameters.filter((it) => it.isRequired || it.name === query).map((it) => [it.name, given[it.name] ?? '']),
      );
      const content = body && bodies[body.type];
      const sent = await request(id, few, content, { confirm: few[resource] ?? '' });
      assert.ok(sent.path.includes(encodeURIComponent(query)), sent.path);
      assert.doesNotMatch(sent.path, /[{}\s]/);
    }
    const needed = Object.fromEntries(
      parameters.filter((it) => it.isRequired).map((it) => [it.name, given[it.name] ?? '']),
    );
    const sent = await request(id, needed, body && bodies[body.type], { confirm: needed[resource] ?? '' });
    assert.equal(sent.verb, verb);
    for (const name of Object.keys(needed)) {
      const { [name]: _, ...others } = needed;
      const problems = await problemsOf(id, others, body && bodies[body.type], { confirm: needed[resource] ?? '' });
      assert.equal(problems.length, 1, `${id} without ${name}`);
    }
  }
});

const calendarId = 'primary';

test('a parameter is checked, and the error names it', async () => {
  const list = (given: Readonly<Record<string, string | string[]>>) =>
    problemsOf('scheduling.events.list', { calendarId, ...given });
  assert.deepEqual(await list({ maxResults: '0' }), ['maxResults']);
  assert.deepEqual(await list({ maxResults: '-1' }), ['maxResults']);
  assert.deepEqual(await list({ maxResults: '1.5' }), ['maxResults']);
  assert.deepEqual(await list({ maxResults: '2147483648' }), ['maxResults']);
  assert.deepEqual(await list({ maxResults: '2147483647' }), []);
  assert.deepEqual(await list({ showDeleted: 'yes' }), ['showDeleted']);
  assert.deepEqual(await list({ orderBy: 'StartTime' }), ['orderBy']);
  assert.deepEqual(await list({ eventTypes: ['default', 'fromMale'] }), ['eventTypes']);
  assert.deepEqual(await list({ q: ['a', 'b'] }), ['q']);
  assert.deepEqual(await list({ timeMin: 'tomorrow' }), ['timeMin']);
  assert.deepEqual(await list({ timeMin: '2026-13-01T00:00:00Z' }), ['timeMin']);
  assert.deepEqual(await list({ timeMin: '2026-11-24T14:00:00' }), ['timeMin']);
  assert.deepEqual(await list({ calendarId: '' }), ['calendarId']);
  const deployment = (project: string, name = 'shop') =>
    problemsOf('deployments.deployments.get', { project, deployment: name });
  assert.deepEqual(await deployment('my-project'), []);
  assert.deepEqual(await deployment('example.org:my-project'), []);
  assert.deepEqual(await deployment('123456'), []);
  assert.deepEqual(await deployment('My_Project'), ['project']);
  assert.deepEqual(await deployment('my-project', 'Shop'), ['deployment']);
  assert.deepEqual(await problemsOf('token-audit.activities.list', { eventName: 'login' }), ['eventName']);
  assert.deepEqual(await problemsOf('token-audit.activities.list', { maxResults: '1001' }), ['maxResults']);
  assert.deepEqual(await problemsOf('token-audit.activities.list', { filters: 'client_id' }), ['filters']);
});

test('an unknown parameter is an error with the nearest name', async () => {
  const built = await build('scheduling.events.list', { calendarId, timemin: '2026-11-24T00:00:00Z', x: '1' });
  assert.ok(!built.ok);
  assert.deepEqual(
    built.problems.map((it) => it.message),
    [
      'scheduling.events.list has no parameter “timemin”; did you mean timeMin?',
      'scheduling.events.list has no parameter “x”',
    ],
  );
  const inherited = JSON.parse('{"__proto__": "1", "constructor": "2"}');
  assert.deepEqual(await problemsOf('code-host.rateLimit.get', inherited), ['__proto__', 'constructor']);
});

test('a body is checked against its schema, and the error names the place', async () => {
  const insert = (body: unknown) => problemsOf('scheduling.events.insert', { calendarId }, body);
  assert.deepEqual(await insert(event), []);
  assert.deepEqual(await insert(undefined), ['body']);
  assert.deepEqual(await insert([]), ['body']);
  assert.deepEqual(await insert({}), ['body', 'body']);
  assert.deepEqual(await insert({ ...event, sumary: 'x' }), ['body.sumary']);
  assert.deepEqual(await insert({ ...event, summary: 1 }), ['body.summary']);
  assert.deepEqual(await insert({ ...event, sequence: '1' }), ['body.sequence']);
  assert.deepEqual(await insert({ ...event, sequence: 1.5 }), ['body.sequence']);
  assert.deepEqual(await insert({ ...event, attendees: {} }), ['body.attendees']);
  assert.deepEqual(await insert({ ...event, attendees: [{ emial: 'a' }] }), ['body.attendees.0.emial']);
  assert.deepEqual(await insert({ ...event, end: { dateTime: 'soon' } }), ['body.end.dateTime']);
  assert.deepEqual(await insert({ ...event, end: { date: '2026-02-30x' } }), ['body.end.date']);
  assert.deepEqual(await insert({ ...event, extendedProperties: { private: { purl: 1 } } }), [
    'body.extendedProperties.private.purl',
  ]);
  assert.deepEqual(await insert({ ...event, extendedProperties: { private: { purl: 'pkg:npm/lodash' } } }), []);
  assert.deepEqual(await problemsOf('scheduling.events.list', { calendarId }, {}), ['body']);
  const find = (threatInfo: unknown) => problemsOf('link-safety.threatMatches.find', {}, { threatInfo });
  assert.deepEqual(await find({ threatTypes: ['MALWAER'] }), ['body.threatInfo.threatTypes.0']);
  assert.deepEqual(await find({ threatEntries: [{ hash: 'not base64' }] }), ['body.threatInfo.threatEntries.0.hash']);
});

test('numbers of 64 bits are strings', async () => {
  const channel = { id: '1', type: 'web_hook', address: 'https://hook.example/' };
  const watch = (expiration: unknown) => problemsOf('scheduling.settings.watch', {}, { ...channel, expiration });
  assert.deepEqual(await watch('9223372036854775807'), []);
  assert.deepEqual(await watch('9223372036854775808'), ['body.expiration']);
  assert.deepEqual(await watch(1_800_000_000_000), ['body.expiration']);
  const built = await build('scheduling.settings.watch', {}, { ...channel, expiration: 1_800_000_000_000 });
  assert.ok(!built.ok);
  assert.equal(
    built.problems[0]?.message,
    'expiration requires a whole number as text, such as "42", not “1800000000000”',
  );
});

test('what a newer service returned can be sent back, with a note', async () => {
  assert.deepEqual(await problemsOf('scheduling.events.insert', { calendarId }, { ...event, quantum: 1 }), [
    'body.quantum',
  ]);
  const read = { ...event, kind: 'event', quantum: { a: 1 } };
  const built = await build('scheduling.events.insert', { calendarId }, read);
  assert.ok(built.ok);
  assert.deepEqual(
    built.notes.map((it) => it.message),
    ['unknown member quantum'],
  );
  assert.match(built.request.body ?? '', /"quantum":\{"a":1\}/);
  const entry = { threatTypes: ['ENTIRELY_NEW'] };
  assert.deepEqual(await problemsOf('link-safety.threatMatches.find', {}, { threatInfo: entry }), []);
});

test('no value of a parameter leaves its place in the address', async () => {
  const refused = ['.', '..', '../acl', 'a/../b', 'a\\..\\b', '..\\', '\ud800'];
  for (const it of refused)
    assert.deepEqual(await problemsOf('scheduling.calendars.get', { calendarId: it }), ['calendarId']);
  const accepted = [
    'a/b',
    'a?b',
    'a#b',
    'a%2Fb',
    'a\r\nHost: b.example',
    'späti 依赖 \u202e',
    'a&key=b',
    'a;b',
    '"',
    '`',
    '$(x)',
    '{eventId}',
    '...',
  ];
  for (const it of accepted) {
    const { path } = await request('scheduling.calendars.get', { calendarId: it });
    assert.match(path, /^calendars\/[\w.%~-]+$/);
    const { pathname, search, host } = new URL(path, 'https://calendar.example/v3/');
    assert.deepEqual([host, search], ['calendar.example', '']);
    assert.equal(decodeURIComponent(pathname), `/v3/calendars/${it}`);
    const listed = await request('scheduling.events.list', { calendarId, q: it });
    assert.equal(new URL(listed.path, 'https://calendar.example').searchParams.get('q'), it);
    assert.match(listed.path, /^calendars\/primary\/events\?q=[\w.%~-]+$/);
  }
});
