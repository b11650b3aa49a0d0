import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { admin } from '@googleapis/admin';
import { readEvents } from '../../server/src/connected/audit/activity.ts';
import { createServedCalls } from '../../server/src/stand-ins/token-audit/served-calls.ts';
import { createTokenAuditService } from '../../server/src/stand-ins/token-audit/service.ts';

/* The audit listing that we serve, read by the client of the vendor. */

const calls = createServedCalls();
for (let at = 1; at <= 25; at++) {
  const client = at % 5 === 0 ? 'other' : 'package-insights';
  const api = at % 2 === 0 ? 'code-host' : 'link-safety';
  calls.add({ at: at * 1000, api, method: `GET ${at}`, responseBytes: at * 100, client, address: '127.0.0.1' });
}
const service = createTokenAuditService({ calls, token: 'secret' });
// The client replaces the path of an address, so the service has a server of its own here.
const server = createServer(({ method = '', url = '' }, response) => {
  const reply = service.answer({ method, target: url, body: '' });
  assert.equal(reply?.kind, 'json');
  const { status = 200, body } = reply;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});

const reports = admin({
  version: 'reports_v1',
  rootUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
});
const base = { userKey: 'all', applicationName: 'token', access_token: 'secret' };

test('its pages are followed to the end, newest first', async () => {
  const methods: string[] = [];
  let pageToken: string | undefined;
  do {
    const { data } = await reports.activities.list({ ...base, maxResults: 10, ...(pageToken && { pageToken }) });
    for (const it of data.items ?? []) methods.push(...readEvents(it).map((event) => event.method ?? ''));
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken);
  assert.deepEqual(
    methods,
    Array.from({ length: 25 }, (_, at) => `GET ${25 - at}`),
  );
});

test('its filters, names and times select events', async () => {
  const count = async (more: object): Promise<number> =>
    (await reports.activities.list({ ...base, ...more })).data.items?.length ?? 0;
  assert.equal(await count({ filters: 'client_id==other' }), 5);
  assert.equal(await count({ filters: 'api_name==code-host,num_response_bytes>=2000' }), 3);
  assert.equal(await count({ startTime: '1970-01-01T00:00:21.000Z', endTime: '1970-01-01T00:00:23.000Z' }), 3);
  assert.equal(await count({ eventName: 'revoke' }), 0);
  assert.equal(await count({ eventName: 'activity' }), 25);
});

test('its errors say what is wrong', async () => {
  const refused = (more: object): Promise<unknown> => reports.activities.list({ ...base, ...more });
  await assert.rejects(refused({ access_token: 'wrong' }), /access token is missing or invalid/);
  await assert.rejects(refused({ maxResults: 5000 }), /maxResults must be from 1 to 1000/);
});
