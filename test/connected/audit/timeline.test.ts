import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventText, readEvents } from '../../../server/src/connected/audit/activity.ts';
import { listAudit } from '../../../server/src/connected/audit/listing.ts';
import { type SentRequests, timelineOf } from '../../../server/src/connected/audit/timeline.ts';
import type { AuditEvent } from '../../../server/src/connected/model/audit.ts';
import type { Connections } from '../../../server/src/engine/model/connection.ts';
import { createServedCalls, openServedCalls } from '../../../server/src/stand-ins/token-audit/served-calls.ts';
import { createTokenAuditService, type ServedCalls } from '../../../server/src/stand-ins/token-audit/service.ts';
import { folderWith } from '../../terminal/program.ts';

const record = {
  id: { time: '2026-11-23T10:00:00.000Z', uniqueQualifier: '-4611686018427387904' },
  actor: { email: 'ana@corp.example' },
  ipAddress: '192.0.2.7',
  events: [
    {
      type: 'auth',
      name: 'activity',
      parameters: [
        { name: 'api_name', value: 'calendar' },
        { name: 'app_name', value: 'Package Insights' },
        { name: 'client_id', value: 'ours' },
        { name: 'client_type', value: 'NATIVE_DESKTOP' },
        { name: 'method_name', value: 'events.list' },
        { name: 'num_response_bytes', intValue: '9007199254740993' },
        { name: 'product_bucket', value: 'CALENDAR' },
        { name: 'new_field', multiValue: ['a', 'b'] },
      ],
    },
    { type: 'auth', name: 'revoke', parameters: [{ name: 'scope', multiValue: ['read', 'write'] }] },
    { type: 'auth', name: 'renamed', parameters: [{ name: 'client_type', value: 'TOASTER' }] },
  ],
};

test('an activity record is read with all it tells, and unknown values stay as they are', () => {
  const [first, second, third] = readEvents(record);
  assert.equal(first?.at, Date.UTC(2026, 10, 23, 10));
  assert.equal(first?.responseBytes, 9007199254740993n);
  assert.deepEqual(first?.others, { new_field: 'a, b' });
  assert.deepEqual(second?.scopes, ['read', 'write']);
  assert.deepEqual([third?.name, third?.clientType], ['renamed', 'TOASTER']);
});

for (const [name, text] of [
  ['activity', 'Tool called events.list on behalf of ana'],
  ['authorize', 'ana authorized access to Tool for read scopes'],
  ['request', 'ana requested access to Tool for read scopes'],
  ['revoke', 'ana revoked access to Tool for read scopes'],
  ['renamed', 'renamed: Tool by ana'],
] as const) {
  test(`the template of ${name}`, () => {
    const event = { name, actor: 'ana', app: 'Tool', method: 'events.list', scopes: ['read'], others: {} };
    assert.equal(eventText(event), text);
  });
}

test('garbage is read as no events, or as events without these fields', () => {
  for (const it of [null, [], 'x', { events: 'x' }, { events: [null, 1] }]) assert.deepEqual(readEvents(it), []);
  const [event] = readEvents({ id: { time: 'soon' }, events: [{ parameters: [null, { name: 1 }] }] });
  assert.deepEqual([event?.at, event?.name], [undefined, '']);
});

const at = (hour: number, minute = 0): AuditEvent => ({
  name: 'activity',
  at: Date.UTC(2026, 10, 23, hour, minute),
  clientId: 'ours',
  productBucket: 'CALENDAR',
  scopes: [],
  others: {},
});

/** @param hours the requests of an hour; older versions counted those of the day alone */
function sent(day: number, hours: Readonly<Record<number, number>> = {}): SentRequests {
  const byHour = new Map(Object.entries(hours).map(([hour, count]) => [Number(hour), count]));
  const isToday = (time: number): boolean => Math.floor(time / DAY) === Math.floor((at(0).at ?? 0) / DAY);
  return {
    requestsOn: (_, time) => (isToday(time) ? day : 0),
    requestsByHour: (_, time) => (isToday(time) ? byHour : new Map()),
  };
}

const DAY = 24 * 3_600_000;

function marked(events: readonly AuditEvent[], requests: SentRequests): string[] {
  return timelineOf(events, 'ours', requests)
    .filter((it) => it.isFromElsewhere)
    .map(({ event }) => new Date(event.at ?? 0).toISOString().slice(11, 16));
}

test('activities in an hour in which this machine sent nothing are marked, however many it sent in others', () => {
  const requests = sent(50, { 9: 49, 10: 1 });
  assert.deepEqual(marked([at(3, 30), at(9, 30), at(10, 30), at(10, 40)], requests), ['10:40', '03:30']);
});

test('an activity near the end of an hour may have been counted in the next one, or before', () => {
  assert.deepEqual(marked([at(9, 58), at(10, 30)], sent(2, { 10: 2 })), []);
  assert.deepEqual(marked([at(9, 30), at(10, 2)], sent(2, { 9: 2 })), []);
  assert.deepEqual(marked([at(9, 50), at(10, 30)], sent(2, { 10: 2 })), ['09:50']);
});

test('requests whose hour was not counted explain any activity of their day', () => {
  assert.deepEqual(marked([at(3), at(9, 30), at(10, 30)], sent(3, { 9: 1 })), []);
  assert.deepEqual(marked([at(3, 30), at(4, 30), at(9, 30)], sent(2, { 9: 1 })), ['04:30']);
});

test('a list that is cut marks as many as the whole one, and reports how many events were read', async () => {
  const pages = [0, 1, 2].map((page) => ({
    items: Array.from({ length: 10 }, (_, nth) => ({
      id: { time: new Date(Date.UTC(2026, 10, 23, 12, 59 - page * 10 - nth)).toISOString() },
      events: [
        {
          name: 'activity',
          parameters: [
            { name: 'client_id', value: 'ours' },
            { name: 'product_bucket', value: 'CALENDAR' },
          ],
        },
      ],
    })),
    ...(page < 2 && { nextPageToken: `${page + 1}` }),
  }));
  const client: Pick<Connections, 'client'> = {
    client: () => ({
      identity: async () => '',
      async send({ path }) {
        const page = Number(/pageToken=(\d)/.exec(path)?.[1] ?? 0);
        return { kind: 'answer', status: 200, headers: {}, text: JSON.stringify(pages[page]) };
      },
    }),
  };
  const query = { limit: 5, clientId: 'ours' };
  const read: number[] = [];
  const { entries, isCut } = await listAudit(client, sent(27, { 12: 27 }), query, undefined, (it) => read.push(it));
  assert.deepEqual(read, [10, 20, 30]);
  assert.deepEqual([entries.length, entries.filter((it) => it.isFromElsewhere).length, isCut], [5, 3, true]);
});

test('activities beyond the count of this machine are marked, the latest of the day first', () => {
  const events = [at(9), at(11), at(10), { ...at(12), clientId: 'other' }, { ...at(13), name: 'revoke' }];
  const marks = timelineOf(events, 'ours', sent(2)).map(({ event, isFromElsewhere = false }) => [
    new Date(event.at ?? 0).getUTCHours(),
    isFromElsewhere,
  ]);
  assert.deepEqual(marks, [
    [13, false],
    [11, true],
    [10, false],
    [9, false],
  ]);
});

const folder = folderWith({});
for (const [kind, open] of [
  ['memory', createServedCalls],
  ['a file', () => openServedCalls(`${folder.path}/calls.sqlite`)],
] as const) {
  test(`served calls are listed in pages, filtered, newest first: ${kind}`, () => {
    const calls: ServedCalls = open();
    for (let at = 1; at <= 5; at++) {
      const client = at % 2 === 0 ? 'other' : 'package-insights';
      calls.add({ at: at * 1000, api: 'code-host', method: 'GET x', responseBytes: at, client, address: '127.0.0.1' });
    }
    const service = createTokenAuditService({ calls, token: 'secret' });
    const list = (query: string) => {
      const path = '/admin/reports/v1/activity/users/all/applications/token';
      const reply = service.answer({ method: 'GET', target: `${path}?access_token=secret&${query}`, body: '' });
      assert.equal(reply?.kind, 'json');
      return reply?.kind === 'json' ? (reply.body as { items?: object[]; nextPageToken?: string }) : {};
    };
    const first = list('maxResults=3');
    const second = list(`maxResults=3&pageToken=${first.nextPageToken}`);
    const bytes = [...(first.items ?? []), ...(second.items ?? [])].flatMap(readEvents).map((it) => it.responseBytes);
    assert.deepEqual(bytes, [5n, 4n, 3n, 2n, 1n]);
    assert.equal(second.nextPageToken, undefined);
    assert.equal(list('filters=client_id==other,num_response_bytes>2').items?.length, 1);
    assert.equal(list('eventName=revoke').items, undefined);
    assert.equal(list('startTime=1970-01-01T00:00:04Z').items?.length, 2);
    calls.close();
  });
}

test('calls in a file outlast the service', () => {
  const again = openServedCalls(`${folder.path}/calls.sqlite`);
  assert.equal(again.list({ count: 10, filters: [] }).length, 5);
  again.close();
  folder.remove();
});

for (const [query, status] of [
  ['', 401],
  ['access_token=wrong', 401],
  ['access_token=secret&maxResults=0', 400],
  ['access_token=secret&eventName=login', 400],
  ['access_token=secret&startTime=yesterday', 400],
  ['access_token=secret&filters=x', 400],
] as const) {
  test(`the audit listing refuses “${query}” with ${status}`, () => {
    const service = createTokenAuditService({ calls: createServedCalls(), token: 'secret' });
    const path = '/admin/reports/v1/activity/users/all/applications/token';
    const reply = service.answer({ method: 'GET', target: `${path}?${query}`, body: '' });
    assert.equal(reply?.kind === 'json' && reply.status, status);
  });
}
