import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type CallResult,
  callMethod,
  hasPages,
  joinPages,
  pages,
  type Send,
} from '../../../server/src/connected/api/pages.ts';
import { allMethods } from '../../../server/src/connected/api/service-method.ts';
import { createConnections } from '../../../server/src/connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../../../server/src/connected/connections/memory.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { type Act, type ScriptedServer, scriptedServer } from '../../harness/scripted-server.ts';
import { methodNamed } from './calls.ts';

/* Calls over a real connection to a service on the loopback. */

const http = createHttp({ clock: systemClock, userAgent: 'test' });
let server: ScriptedServer;
let send: Send;
before(async () => {
  server = await scriptedServer();
  const settings = readSettings({
    connections: {
      scheduling: { baseUrl: `${server.url}/v3` },
      deployments: { baseUrl: `${server.url}/v2beta/projects` },
    },
  });
  const { client } = createConnections({
    settings: () => settings,
    credentials: { read: async () => ({ secret: 'secret-0123' }) },
    http,
    clock: systemClock,
    random: () => 0,
    ledger: createMemoryLedger(),
    holds: createMemoryHolds(),
  });
  send = (request, signal) =>
    client(request.connection).send(request, { priority: 'asked', ...(signal && { signal }) });
});
after(async () => {
  await http.close();
  await server.close();
});

function json(status: number, value: unknown): Act {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(value === undefined ? '' : JSON.stringify(value));
  };
}

const primary = { calendarId: 'primary' };

async function listed(acts: readonly Act[], signal?: AbortSignal): Promise<CallResult[]> {
  server.script(...acts);
  const all: CallResult[] = [];
  for await (const it of pages(send, await methodNamed('scheduling.events.list'), primary, undefined, signal))
    all.push(it);
  return all;
}

const page = (items: readonly string[], nextPageToken?: string): unknown => ({
  etag: '"1"',
  items,
  ...(nextPageToken !== undefined && { nextPageToken }),
});

test('pages follow each other until one names no next page', async () => {
  const from = server.arrived.length;
  const last = { items: ['d'], nextSyncToken: 'sync' };
  const all = await listed([json(200, page(['a', 'b'], 'p/2')), json(200, page([], 'p 3')), json(200, last)]);
  assert.deepEqual(
    server.arrived.slice(from).map((it) => it.path),
    [
      '/v3/calendars/primary/events',
      '/v3/calendars/primary/events?pageToken=p%2F2',
      '/v3/calendars/primary/events?pageToken=p%203',
    ],
  );
  const values = all.map((it) => (it.kind === 'done' ? it.value : undefined));
  assert.deepEqual(joinPages(values), { etag: '"1"', items: ['a', 'b', 'd'], nextSyncToken: 'sync' });
});

test('the first page that fails ends the list', async () => {
  const all = await listed([
    json(200, page(['a'], '2')),
    json(410, {
      error: { code: 410, message: 'Sync token is no longer valid', errors: [{ reason: 'fullSyncRequired' }] },
    }),
  ]);
  assert.deepEqual(
    all.map((it) => (it.kind === 'error' ? it.error.kind : it.kind)),
    ['done', 'gone'],
  );
});

test('a service that names the same page again and again is not followed', async () => {
  const all = await listed([json(200, page(['a'], '2')), json(200, page(['b'], '2'))]);
  const last = all.at(-1);
  assert.ok(last?.kind === 'failed');
  assert.equal(last.reason, 'the service repeats pages without end');
});

test('a list that is canceled sends nothing more, and closes its connection', async () => {
  const aborting = new AbortController();
  const from = server.arrived.length;
  const all = await listed(
    [
      json(200, page(['a'], '2')),
      () => {
        aborting.abort();
      },
    ],
    aborting.signal,
  );
  assert.deepEqual(
    all.map((it) => it.kind),
    ['done', 'aborted'],
  );
  assert.equal(server.arrived.length, from + 2);
  await server.arrived[from + 1]?.gone;
  assert.deepEqual(
    (await listed([], aborting.signal)).map((it) => it.kind),
    ['aborted'],
  );
  assert.equal(server.arrived.length, from + 2);
});

test('pages of every list can be followed', async () => {
  const paged = (await allMethods()).filter(hasPages).map((it) => it.id);
  assert.deepEqual(paged, [
    'scheduling.acl.list',
    'scheduling.calendarList.list',
    'scheduling.events.instances',
    'scheduling.events.list',
    'scheduling.settings.list',
    'deployments.compositeTypes.list',
    'deployments.deployments.list',
    'deployments.manifests.list',
    'deployments.operations.list',
    'deployments.resources.list',
    'deployments.typeProviders.list',
    'deployments.typeProviders.listTypes',
    'deployments.types.list',
    'token-audit.activities.list',
  ]);
});

test('joined pages keep members of any name', () => {
  const hostile = JSON.parse('[{"__proto__": ["a"], "items": [1]}, {"__proto__": ["b"], "items": [2]}]');
  assert.equal(JSON.stringify(joinPages(hostile)), '{"__proto__":["a","b"],"items":[1,2]}');
  assert.deepEqual(joinPages([{ items: [1] }, 'no page', { items: 'no list' }]), { items: 'no list' });
});

test('an answer that nests without end is not read', async () => {
  server.script((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('['.repeat(100_000) + ']'.repeat(100_000));
  });
  const result = await callMethod(send, await methodNamed('scheduling.colors.get'), {});
  assert.deepEqual(result, { kind: 'failed', reason: 'the answer is nested too deeply' });
});

test('a change is sent once, even if its answer is lost', async () => {
  const from = server.arrived.length;
  server.script((_, response) => void response.destroy());
  const added = await callMethod(send, await methodNamed('scheduling.events.quickAdd'), { ...primary, text: 'a' });
  assert.equal(added.kind, 'failed');
  assert.equal(server.arrived.length, from + 1);
  server.script(json(503, {}), json(200, { permissions: [] }));
  const body = { permissions: ['deployments.get'] };
  const method = await methodNamed('deployments.deployments.testIamPermissions');
  const asked = await callMethod(send, method, { project: 'shop', resource: 'web' }, body);
  assert.equal(asked.kind, 'done');
  assert.equal(server.arrived.length, from + 3);
});
