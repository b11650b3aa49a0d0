import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createConnections } from '../../../server/src/connected/connections/connections.ts';
import { gateLimits } from '../../../server/src/connected/connections/gate.ts';
import { createMemoryHolds, createMemoryLedger } from '../../../server/src/connected/connections/memory.ts';
import { openLedger } from '../../../server/src/connected/ledger/ledger.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type {
  ApiRequest,
  CallOptions,
  ConnectionName,
  Credential,
  Ledger,
} from '../../../server/src/engine/model/connection.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';

const secret = 'opensesame-0123456789';

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Given {
  readonly dailyBudget?: number;
  readonly baseUrl?: string;
  readonly beforeCredential?: () => Promise<void>;
  readonly offline?: true;
  readonly ledger?: Ledger;
  readonly now?: () => number;
}

/** A service on the loopback, and the connections to it. */
async function setUp(answer: Answer, given: Given = {}) {
  const seen: { readonly method: string; readonly url: string; readonly authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, authorization: headers.authorization });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  const http = createHttp({ clock: systemClock, userAgent: 'test' });
  ends.push(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { dailyBudget } = given;
  const one = { baseUrl: given.baseUrl ?? address, ...(dailyBudget !== undefined && { dailyBudget }) };
  let settings = readSettings({
    offline: given.offline === true,
    connections: { codeHost: one, linkSafety: one, scheduling: one, tokenAudit: one },
  });
  const ledger = given.ledger ?? createMemoryLedger();
  const asked: string[] = [];
  const connections = createConnections({
    settings: () => settings,
    http,
    clock: { ...systemClock, ...(given.now && { now: given.now }) },
    random: () => 0,
    credentials: {
      async read(_: ConnectionName, baseUrl: string): Promise<Credential | undefined> {
        asked.push(baseUrl);
        await given.beforeCredential?.();
        return baseUrl === address ? { secret } : undefined;
      },
    },
    ledger,
    holds: createMemoryHolds(),
  });
  const disconnect = () => {
    settings = readSettings({});
  };
  return { connections, seen, ledger, asked, address, disconnect };
}

function requestOf(connection: ConnectionName, more: Partial<ApiRequest> = {}): ApiRequest {
  return { connection, method: `${connection}.test`, verb: 'GET', path: 'things?q=1', units: 1, ...more };
}

function json(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

const asked = { priority: 'asked' } as const;
const background = { priority: 'background' } as const;

test('each service gets its credential where its contract wants it', async () => {
  const { connections, seen } = await setUp((_, response) => json(response, 200, {}));
  for (const name of ['scheduling', 'link-safety', 'token-audit'] as const)
    await connections.client(name).send(requestOf(name), asked);
  assert.deepEqual(seen, [
    { method: 'GET', url: '/base/things?q=1', authorization: `Bearer ${secret}` },
    { method: 'GET', url: `/base/things?q=1&key=${secret}`, authorization: undefined },
    { method: 'GET', url: `/base/things?q=1&access_token=${secret}`, authorization: undefined },
  ]);
});

test('an address that is not encrypted is refused before the credential is read, except on this machine', async () => {
  const { connections, seen, asked: read } = await setUp(() => {}, { baseUrl: 'http://service.example' });
  const answer = await connections.client('scheduling').send(requestOf('scheduling'), asked);
  assert.equal(answer.kind, 'not-connected');
  assert.deepEqual([seen, read], [[], []]);
});

test('during a requested wait nothing is sent, and the view shows its end', async () => {
  const { connections, seen } = await setUp((_, response) => json(response, 429, {}, { 'retry-after': '120' }));
  const client = connections.client('scheduling');
  const first = await client.send(requestOf('scheduling'), asked);
  const second = await client.send(requestOf('scheduling'), asked);
  assert.deepEqual([first.kind, second.kind, seen.length], ['answer', 'held', 1]);
  const status = (await connections.list()).find((it) => it.name === 'scheduling');
  assert.equal(status?.holds.length, 1);
  assert.match(String(status?.lastError?.reason), /requested a wait/);
});

test('a requested wait neither vanishes nor lasts for ever where the clock is wrong', async () => {
  const there = Date.UTC(2026, 0, 1);
  let now = there;
  const dates = { date: new Date(there).toUTCString(), 'retry-after': new Date(there + 120_000).toUTCString() };
  const { connections, seen } = await setUp((_, response) => json(response, 429, {}, dates), { now: () => now });
  const client = connections.client('scheduling');
  const year = 365 * 24 * 3_600_000;
  const sent: number[] = [];
  // Each time, the clock is a year from the true time; then it is put right, before the wait began.
  for (const wrong of [year, year, 0, -year]) {
    now = there + wrong;
    await client.send(requestOf('scheduling'), asked);
    await client.send(requestOf('scheduling'), asked);
    sent.push(seen.length);
    const [hold] = (await connections.list()).flatMap((it) => it.holds);
    assert.equal(hold?.until, now + 120_000);
  }
  assert.deepEqual(sent, [1, 1, 2, 3]);
});

test('an address is not connected where its answer is no JSON', async () => {
  const { connections, address } = await setUp((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind": cut'),
  );
  const trial = await connections.try('token-audit', address, { secret });
  assert.equal(trial.ok, false);
});

test('a service that does not know a resource is connected as it should be', async () => {
  const { connections } = await setUp((_, response) => json(response, 404, {}));
  await connections.client('code-host').send(requestOf('code-host'), asked);
  assert.equal((await connections.list()).find((it) => it.name === 'code-host')?.lastError, undefined);
});

test('a spent budget stops the background, and never what a person asks for', async () => {
  const { connections, seen } = await setUp((_, response) => json(response, 200, {}), { dailyBudget: 2 });
  const client = connections.client('scheduling');
  const kinds: string[] = [];
  for (let at = 0; at < 3; at++) kinds.push((await client.send(requestOf('scheduling'), background)).kind);
  kinds.push((await client.send(requestOf('scheduling'), asked)).kind);
  assert.deepEqual([kinds, seen.length], [['answer', 'answer', 'over-budget', 'answer'], 3]);
});

test('requests at the same time spend no more than the budget', async () => {
  const { connections, seen } = await setUp((_, response) => json(response, 200, {}), { dailyBudget: 2 });
  const client = connections.client('scheduling');
  const sent = await Promise.all([1, 2, 3, 4].map(() => client.send(requestOf('scheduling'), background)));
  assert.deepEqual([sent.filter((it) => it.kind === 'answer').length, seen.length], [2, 2]);
  // An answer makes no room for another one on the same day.
  assert.equal((await client.send(requestOf('scheduling'), background)).kind, 'over-budget');
});

test('a request that changes something is sent once, others again after a failure of the service', async () => {
  const { connections, seen, ledger } = await setUp((_, response) => json(response, 500, {}));
  const client = connections.client('scheduling');
  await client.send(requestOf('scheduling', { verb: 'POST', body: '{}' }), asked);
  assert.equal(seen.length, 1);
  await client.send(requestOf('scheduling'), asked);
  assert.deepEqual(
    seen.map((it) => it.method),
    ['POST', 'GET', 'GET', 'GET'],
  );
  assert.equal(ledger.requestsOn('scheduling', Date.now()), 4);
});

test('a request that was cut off is not sent again if it changes something', async () => {
  const { connections, seen } = await setUp((request) => request.socket.destroy());
  const answer = await connections
    .client('scheduling')
    .send(requestOf('scheduling', { verb: 'POST', body: '{}' }), asked);
  assert.deepEqual([answer.kind, seen.length], ['failure', 1]);
});

test('the page of a proxy, or a redirect, is no answer of the service', async () => {
  const page = await setUp((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
  const redirect = await setUp((_, response) => response.writeHead(302, { location: 'https://other.example/' }).end());
  for (const { connections, seen } of [page, redirect]) {
    const answer = await connections.client('scheduling').send(requestOf('scheduling'), asked);
    assert.deepEqual([answer.kind, seen.length], ['failure', 1]);
  }
});

test('a credential that the service repeats is not shown', async () => {
  const { connections } = await setUp((request, response) => {
    json(response, 403, { error: `no access for ${secret} at ${request.url}` }, { 'x-echo': secret });
  });
  const answers = [
    await connections.client('scheduling').send(requestOf('scheduling'), asked),
    await connections.client('token-audit').send(requestOf('token-audit'), asked),
  ];
  assert.doesNotMatch(JSON.stringify([answers, await connections.list()]), /opensesame/);
});

test('nothing is sent without an address, or while working offline', async () => {
  const { connections, seen } = await setUp((_, response) => json(response, 200, {}), { baseUrl: '' });
  assert.equal((await connections.client('scheduling').send(requestOf('scheduling'), asked)).kind, 'not-connected');
  assert.equal(seen.length, 0);
});

test('a client identifier with its secret is refused for the code host, and not sent', async () => {
  const { connections, seen, address } = await setUp((_, response) => json(response, 200, {}));
  const trial = await connections.try('code-host', address, { secret: 'Iv1.0123456789abcdef:0123456789abcdef' });
  assert.deepEqual(trial, { ok: false, reason: 'an OAuth client secret is not accepted; use a token' });
  assert.equal(seen.length, 0);
});

test('a redirect within the service is an answer of it', async () => {
  const { connections, address } = await setUp((_, response) =>
    response.writeHead(301, { location: `${address}/repositories/1` }).end(),
  );
  const answer = await connections.client('code-host').send(requestOf('code-host'), asked);
  assert.ok(answer.kind === 'answer');
  assert.deepEqual([answer.status, answer.headers['location']], [301, `${address}/repositories/1`]);
});

test('a 503 that requests a wait is not sent again before its end', async () => {
  for (const wait of ['120', new Date(Date.now() + 120_000).toUTCString(), '99999999999']) {
    const { connections, seen } = await setUp((_, response) => json(response, 503, {}, { 'retry-after': wait }));
    for (const name of ['scheduling', 'code-host'] as const) {
      seen.length = 0;
      const client = connections.client(name);
      const kinds = [
        (await client.send(requestOf(name), asked)).kind,
        (await client.send(requestOf(name), asked)).kind,
      ];
      assert.deepEqual([name, wait, kinds, seen.length], [name, wait, ['answer', 'held'], 1]);
    }
  }
});

test('further attempts of the background count against the budget', async () => {
  const { connections, seen } = await setUp((_, response) => json(response, 500, {}), { dailyBudget: 1 });
  await connections.client('scheduling').send(requestOf('scheduling'), background);
  assert.equal(seen.length, 1);
});

test('nothing is sent to a service that was disconnected meanwhile', async () => {
  let release = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await setUp((_, response) => json(response, 200, {}), { beforeCredential: () => waiting });
  const sent = slow.connections.client('scheduling').send(requestOf('scheduling'), asked);
  slow.disconnect();
  release();
  assert.deepEqual([(await sent).kind, slow.seen.length], ['not-connected', 0]);

  const failing = await setUp((_, response) => {
    failing.disconnect();
    json(response, 500, {});
  });
  await failing.connections.client('scheduling').send(requestOf('scheduling'), asked);
  assert.equal(failing.seen.length, 1);
});

test('a call that is canceled does not wait for its credential', async () => {
  const { connections, seen } = await setUp(() => {}, { beforeCredential: () => new Promise<void>(() => {}) });
  const aborting = new AbortController();
  const sent = connections.client('scheduling').send(requestOf('scheduling'), { ...asked, signal: aborting.signal });
  aborting.abort();
  assert.deepEqual([(await sent).kind, seen.length], ['aborted', 0]);
});

test('no address is tried while working offline', async () => {
  const { connections, seen, address } = await setUp((_, response) => json(response, 200, {}), { offline: true });
  const trial = await connections.try('scheduling', address, { secret });
  assert.deepEqual([trial.ok, seen.length], [false, 0]);
});

test('after a request to wait, nothing is sent but what is under way, however many calls wait', async () => {
  const all = 200;
  for (const options of [asked, background]) {
    const { connections, seen } = await setUp((_, response) => json(response, 429, {}, { 'retry-after': '120' }));
    const client = connections.client('scheduling');
    const sent = await Promise.all(Array.from({ length: all }, () => client.send(requestOf('scheduling'), options)));
    const places = options === asked ? gateLimits.places : gateLimits.background;
    assert.equal(seen.length, places);
    assert.equal(sent.filter((it) => it.kind === 'held').length, all - places);
  }
});

test('a person waits neither for slow answers to the background nor behind it', async () => {
  const slow: ServerResponse[] = [];
  const { connections, seen } = await setUp(({ url }, response) => {
    if (url?.includes('slow')) slow.push(response);
    else json(response, 200, {});
  });
  const client = connections.client('scheduling');
  const send = (path: string, options: CallOptions) => client.send(requestOf('scheduling', { path }), options);
  const waiting = Array.from({ length: 20 }, () => send('slow', background));
  while (slow.length < gateLimits.background) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await send('quick', asked)).kind, 'answer');
  // All places are taken; who is asked for gets the first that becomes free, and a canceled call none.
  const last = send('slow-asked', asked);
  const aborting = new AbortController();
  const canceled = send('canceled', { ...asked, signal: aborting.signal });
  const next = send('next', asked);
  aborting.abort();
  assert.equal((await canceled).kind, 'aborted');
  while (slow.length <= gateLimits.background) await new Promise((resolve) => setTimeout(resolve, 5));
  const [first] = slow.splice(0, 1);
  if (first) json(first, 200, {});
  assert.equal((await next).kind, 'answer');
  assert.equal(seen.filter((it) => it.url.includes('canceled')).length, 0);
  const answering = setInterval(() => {
    for (const it of slow.splice(0)) json(it, 200, {});
  }, 5);
  await Promise.all([...waiting, last]);
  clearInterval(answering);
});

test('two programs that share a ledger spend no more than the budget', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-budget-'));
  // Each program reads the file with its own eyes.
  const ledgers = [1, 2].map(() => openLedger({ directory, clock: systemClock }).ledger);
  ends.push(async () => {
    for (const it of ledgers) it.close();
    rmSync(directory, { recursive: true });
  });
  const given = { dailyBudget: 30 };
  const programs = await Promise.all(
    ledgers.map((ledger) => setUp((_, response) => json(response, 200, {}), { ...given, ledger })),
  );
  for (let at = 0; at < 40; at++)
    for (const { connections } of programs)
      await connections.client('scheduling').send(requestOf('scheduling'), background);
  assert.equal(
    programs.reduce((sum, it) => sum + it.seen.length, 0),
    30,
  );
});
