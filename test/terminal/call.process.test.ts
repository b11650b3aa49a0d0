import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, beforeEach, test } from 'node:test';
import type { WholeTerminal } from '../../server/src/bin/commands.ts';
import { createConnections } from '../../server/src/connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../../server/src/connected/connections/memory.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { environmentConnections } from '../../server/src/platform/connections.ts';
import { type Arrived, type ScriptedServer, scriptedServer } from '../harness/scripted-server.ts';
import { type Ended, type Folder, folderWith, runProgram } from './program.ts';
import { runHere } from './terminal.ts';

/* `package-insights call` against a service on the loopback, whose credential must not show in any output. */

const secret = 'planted-Secret/0123+456=';
const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];

const event = { start: { dateTime: '2026-11-24T14:00:00Z' }, end: { dateTime: '2026-11-24T15:00:00Z' } };

const http = createHttp({ clock: systemClock, userAgent: 'test' });
let server: ScriptedServer;
let folder: Folder;
before(async () => {
  server = await scriptedServer();
  folder = folderWith({
    'event.json': JSON.stringify({ ...event, summary: 'it\'s "$HOME" `x` \\ !\n### 依赖' }),
    'read.json': JSON.stringify({ ...event, etag: '"3181"', kind: 'event' }),
    'find.json': JSON.stringify({ threatInfo: { threatEntries: [{ url: 'https://a.example/' }] } }),
  });
});
after(async () => {
  await http.close();
  await server.close();
  folder.remove();
});
beforeEach(() => {
  server.answer(json(200, {}));
});

/** Answers with JSON. */
function json(status: number, value: unknown) {
  return (_: Arrived, response: import('node:http').ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

/** What a person sets. */
function environment(): Record<string, string> {
  return {
    PACKAGE_INSIGHTS_SCHEDULING_URL: `${server.url}/v3`,
    PACKAGE_INSIGHTS_SCHEDULING_TOKEN: secret,
    PACKAGE_INSIGHTS_LINK_SAFETY_URL: server.url,
    PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN: secret,
    PACKAGE_INSIGHTS_TOKEN_AUDIT_URL: server.url,
    PACKAGE_INSIGHTS_TOKEN_AUDIT_TOKEN: secret,
  };
}

/** Calls in a process of its own. */
async function callApart(line: readonly string[], given: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return checked(line, await runProgram(['call', ...line], folder.path, { ...environment(), ...given }));
}

/** Calls in this process, over the same connections. */
async function call(line: readonly string[]): Promise<Ended> {
  const { settings: given, credentials } = environmentConnections(environment());
  const settings = readSettings(given);
  const [ledger, holds] = [createMemoryLedger(), createMemoryHolds()];
  const parts = { settings: () => settings, credentials, http, clock: systemClock, random: () => 0, ledger, holds };
  const { client } = createConnections(parts);
  const service: WholeTerminal['service'] = async (name) => ({
    send: (request, signal) => client(name).send(request, { priority: 'asked', ...(signal && { signal }) }),
    close: () => {},
  });
  return checked(line, await runHere(['call', ...line], folder.path, { service }));
}

function checked(line: readonly string[], ended: Ended): Ended {
  for (const it of forms)
    assert.ok(!`${ended.out}${ended.error}`.includes(it), `${line.join(' ')} shows the credential`);
  return ended;
}

const primary = ['--calendarId', 'primary'];

test('a call sends its request with the credential in its place, and prints the answer', async () => {
  server.script(json(200, { items: [{ id: 'ab12' }] }));
  const from = server.arrived.length;
  const listed = await callApart([
    'scheduling.events.list',
    ...primary,
    '--q',
    'a b',
    '--singleEvents',
    '--eventTypes',
    'default',
  ]);
  assert.deepEqual([listed.code, JSON.parse(listed.out), listed.error], [0, { items: [{ id: 'ab12' }] }, '']);
  const inserted = await callApart(['scheduling.events.insert', ...primary, '--body', 'event.json']);
  assert.equal(inserted.code, 0, inserted.error);
  const updated = await callApart(['scheduling.events.update', ...primary, '--eventId', 'ab12', '--body', 'read.json']);
  assert.equal(updated.code, 0, updated.error);
  const found = await callApart(['link-safety.threatMatches.find', '--body', 'find.json']);
  assert.equal(found.code, 0, found.error);
  const audited = await callApart(['token-audit.activities.list', '--eventName=authorize']);
  assert.equal(audited.code, 0, audited.error);
  const sent = server.arrived.slice(from);
  assert.deepEqual(
    sent.map((it) => `${it.method} ${it.path}`),
    [
      'GET /v3/calendars/primary/events?eventTypes=default&q=a%20b&singleEvents=true',
      'POST /v3/calendars/primary/events',
      'PUT /v3/calendars/primary/events/ab12',
      `POST /v4/threatMatches:find?key=${encodeURIComponent(secret)}`,
      `GET /admin/reports/v1/activity/users/all/applications/token?eventName=authorize&access_token=${encodeURIComponent(secret)}`,
    ],
  );
  assert.deepEqual(
    sent.map((it) => it.headers.authorization),
    [`Bearer ${secret}`, `Bearer ${secret}`, `Bearer ${secret}`, undefined, undefined],
  );
  assert.equal(sent[2]?.headers['if-match'], '"3181"');
  assert.match(sent[1]?.body ?? '', /依赖/);
});

test('an event that is not of the default type is read, and not moved', async () => {
  const from = server.arrived.length;
  server.script(json(200, { id: 'ab12', eventType: 'focusTime' }));
  const line = ['scheduling.events.move', ...primary, '--eventId', 'ab12', '--destination', 'a@example.org'];
  const refused = await call(line);
  assert.deepEqual([refused.code, refused.out], [2, '']);
  assert.match(refused.error, /\(rule move-default\)/);
  server.script(json(200, { id: 'ab12' }), json(200, { id: 'ab12', organizer: {} }));
  const moved = await call(line);
  assert.equal(moved.code, 0, moved.error);
  assert.deepEqual(
    server.arrived.slice(from).map((it) => `${it.method} ${it.path}`),
    [
      'GET /v3/calendars/primary/events/ab12',
      'GET /v3/calendars/primary/events/ab12',
      'POST /v3/calendars/primary/events/ab12/move?destination=a%40example.org',
    ],
  );
});

test('an error of the service is explained, and a credential in it is not shown', async () => {
  const line = ['scheduling.events.update', ...primary, '--eventId', 'ab12', '--body', 'read.json'];
  server.script(
    json(412, { error: { code: 412, message: 'Precondition Failed', errors: [{ reason: 'conditionNotMet' }] } }),
  );
  const changed = await call(line);
  assert.deepEqual([changed.code, changed.out], [2, '']);
  assert.equal(
    changed.error,
    'package-insights call: Precondition Failed (conditionNotMet), status 412\n' +
      'package-insights call: It has changed since it was read: read it again, and repeat the change with the new etag\n',
  );
  for (const it of [secret, encodeURIComponent(secret)]) {
    server.script(json(401, { error: { message: `wrong token ${it}`, errors: [{ reason: it, location: it }] } }));
    const refused = await call(line);
    assert.match(refused.error, /wrong token \[credential\]/);
    server.script(json(200, { echo: it }));
    assert.match((await call(line)).out, /\[credential\]/);
  }
});

test('all pages are one answer, and an incomplete list is none', async () => {
  const from = server.arrived.length;
  const line = ['scheduling.events.list', ...primary, '--maxResults', '2', '--all'];
  server.script(
    json(200, { items: [1, 2], nextPageToken: 'b&c' }),
    json(200, { items: [3], nextSyncToken: 'next' }),
    json(200, { items: [1, 2], nextPageToken: 'x' }),
    json(404, { error: { message: 'Not Found' } }),
  );
  const whole = await call(line);
  assert.deepEqual(JSON.parse(whole.out), { items: [1, 2, 3], nextSyncToken: 'next' });
  const broken = await call(line);
  assert.deepEqual([broken.code, broken.out], [2, '']);
  assert.deepEqual(
    server.arrived.slice(from, from + 2).map((it) => it.path),
    ['/v3/calendars/primary/events?maxResults=2', '/v3/calendars/primary/events?maxResults=2&pageToken=b%26c'],
  );
});

test('a credential goes to the address that it was given for alone, over TLS or on this machine', async () => {
  const from = server.arrived.length;
  const line = ['scheduling.colors.get'];
  const other = await callApart([...line, '--base-url', server.url], {
    PACKAGE_INSIGHTS_SCHEDULING_URL: 'https://calendar.example/v3',
  });
  assert.equal(other.code, 0, other.error);
  const only = await runProgram(['call', ...line, '--base-url', `${server.url}/`], folder.path, {
    PACKAGE_INSIGHTS_SCHEDULING_TOKEN: secret,
  });
  assert.equal(only.code, 0, only.error);
  assert.deepEqual(
    server.arrived.slice(from).map((it) => it.headers.authorization),
    [undefined, `Bearer ${secret}`],
  );
  for (const it of [
    'http://calendar.example/v3',
    `https://user:${secret}@calendar.example`,
    `https://a.example/?key=${secret}`,
    'ftp://a.example',
    '',
  ]) {
    const refused = await call([...line, `--base-url=${it}`]);
    assert.equal(refused.code, 2);
    assert.match(refused.error, /invalid address in --base-url: |--base-url requires a value/);
  }
  const inQuery = { PACKAGE_INSIGHTS_SCHEDULING_URL: `https://a.example/?key=${secret}` };
  assert.equal((await callApart(line, inQuery)).code, 2);
  const none = await runProgram(['call', ...line], folder.path, {});
  assert.match(none.error, /scheduling: not connected; give --base-url URL, or set PACKAGE_INSIGHTS_SCHEDULING_URL/);
});

test('a credential that is no header is not sent, and not shown', async () => {
  const from = server.arrived.length;
  for (const it of [`${secret}\nx-evil: 1`, 'späti-credential']) {
    const ended = await callApart(['scheduling.colors.get'], { PACKAGE_INSIGHTS_SCHEDULING_TOKEN: it });
    assert.equal(ended.code, 2);
  }
  assert.deepEqual(
    server.arrived.slice(from).map((it) => [it.headers.authorization, it.headers['x-evil']]),
    [],
  );
});

test('a dry run sends nothing; pasted into a shell, it sends what the call would send', async () => {
  const lines = [
    ['scheduling.events.insert', ...primary, '--body', 'event.json'],
    ['scheduling.events.update', ...primary, '--eventId', 'ab12', '--body', 'read.json'],
    ['scheduling.events.list', '--calendarId', "a'b@example.org", '--q', '$(touch x) [1-3] {a,b} "späti"'],
    ['scheduling.events.quickAdd', ...primary, '--text', 'Update\nlodash'],
    ['scheduling.events.delete', ...primary, '--eventId', 'ab12', '--confirm', 'ab12'],
    ['link-safety.threatMatches.find', '--body', 'find.json'],
    ['token-audit.activities.list', '--maxResults', '5'],
  ];
  const seen = (from: number) =>
    server.arrived.slice(from).map(({ method, path, body, headers }) => {
      const { authorization, 'if-match': ifMatch, 'content-type': type } = headers;
      // curl writes %2f for %2F.
      const query = path.replace(/%[\da-f]{2}/gi, (it) => it.toUpperCase());
      return { method, path: query, body, authorization, ifMatch, type };
    });
  for (const line of lines) {
    const start = server.arrived.length;
    const dry = await call([...line, '--dry-run=curl']);
    assert.equal(dry.code, 0, dry.error);
    assert.deepEqual(seen(start), []);
    await shell(dry.out);
    const pasted = seen(start);
    const real = await call(line);
    assert.equal(real.code, 0, real.error);
    assert.deepEqual(pasted, seen(start + 1), line.join(' '));
    assert.equal(pasted.length, 1);
    const http = await call([...line, '--dry-run']);
    const [request = '', ...rest] = http.out.split('\n').filter((it) => !it.startsWith('#'));
    const path = pasted[0]?.path.split(encodeURIComponent(secret))[0]?.replace(/^\/v3/, '') ?? '';
    assert.ok(request.startsWith(`${pasted[0]?.method} {{$processEnv PACKAGE_INSIGHTS_`), request);
    assert.ok(request.includes(path), request);
    if (pasted[0]?.body)
      assert.equal(
        rest
          .slice(rest.indexOf('') + 1)
          .join('\n')
          .trim(),
        pasted[0].body,
      );
  }
});

function shell(command: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    PACKAGE_INSIGHTS_SCHEDULING_URL: `${server.url}/v3`,
    PACKAGE_INSIGHTS_SCHEDULING_TOKEN: secret,
    PACKAGE_INSIGHTS_LINK_SAFETY_URL: server.url,
    PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN: secret,
    PACKAGE_INSIGHTS_TOKEN_AUDIT_URL: server.url,
    PACKAGE_INSIGHTS_TOKEN_AUDIT_TOKEN: secret,
  };
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', command], { env, cwd: folder.path }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
}
