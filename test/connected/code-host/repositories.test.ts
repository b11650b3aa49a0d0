import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createGovernor } from '../../../server/src/connected/code-host/governor.ts';
import { createCodeHost, repositoryLifetimes } from '../../../server/src/connected/code-host/repositories.ts';
import { createConnections } from '../../../server/src/connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../../../server/src/connected/connections/memory.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { Clock } from '../../../server/src/engine/model/ports.ts';
import type { Repositories, WantedRepository } from '../../../server/src/engine/model/signals/repository.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import {
  type CodeHostLimits,
  createCodeHostService,
} from '../../../server/src/stand-ins/code-host/code-host-service.ts';
import { type SettableClock, settableClock } from './setup.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const repositories = [
  {
    id: 1,
    fullName: 'request/request',
    formerNames: ['mikeal/request'],
    archived: true,
    pushedAt: '2020-02-11T00:00:00Z',
    openIssues: 128,
    license: 'Apache-2.0',
  },
  { id: 2, fullName: 'lodash/lodash', license: 'NOASSERTION' },
  { id: 3, fullName: 'blocked/by-law', isBlocked: true },
  ...Array.from({ length: 1000 }, (_, at) => ({ id: 10 + at, fullName: `many/m${at}` })),
];

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Given {
  /** Answers in place of the service. */
  readonly answer?: Answer;
  readonly limits?: Partial<CodeHostLimits>;
  readonly clock?: SettableClock;
  /** Absent for a caller without a credential. */
  readonly token?: string;
  readonly dailyBudget?: number;
  readonly parts?: Pick<Windows, 'holds' | 'cache'>;
}

type Windows = ReturnType<typeof sharedParts>;
function sharedParts() {
  return { holds: createMemoryHolds(), cache: createMemoryCache() };
}

/** The code host on the loopback, and the client as the program composes it. Clocks of both are the test's. */
async function setUp(given: Given = {}) {
  const clock = given.clock ?? settableClock();
  const service = createCodeHostService({
    repositories,
    clock,
    host: 'code.example',
    accepts: (it) => it !== 'bad',
    ...(given.limits && { limits: given.limits }),
  });
  const seen: string[] = [];
  let answer = given.answer;
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    if (answer) return answer(request, response);
    const { method = '', url: target = '', headers } = request;
    const plain = headers as Record<string, string>;
    const reply = service.answer({ method, target, headers: plain, address: '127.0.0.1' });
    response.writeHead(reply?.status ?? 404, reply?.headers).end(reply?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/code.example`;
  const http = createHttp({ clock: systemClock, userAgent: 'test', timeout: 1000 } as never);
  let token = given.token;
  let dailyBudget = given.dailyBudget ?? 2000;
  const connections = createConnections({
    settings: () => readSettings({ connections: { codeHost: { baseUrl, dailyBudget } } }),
    http,
    // Waits before a second attempt end at once.
    clock: { now: clock.now, after: (_, call) => systemClock.after(0, call) } satisfies Clock,
    random: () => 0,
    credentials: { read: async () => (token === undefined ? undefined : { secret: token }) },
    ledger: createMemoryLedger(),
    holds: createMemoryHolds(),
  });
  const { holds, cache } = given.parts ?? sharedParts();
  /** The sizes of kept answers that were used. */
  const kept: number[] = [];
  const open = (): Repositories => {
    const governor = createGovernor({
      client: connections.client('code-host'),
      ...{ holds, clock },
      isSignedIn: async () => token !== undefined,
    });
    const host = createCodeHost({ governor, cache, clock, baseUrl: () => baseUrl, onKept: (it) => kept.push(it) });
    ends.unshift(async () => host.close());
    return host;
  };
  ends.push(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const host = open();
  await host.refresh();
  return {
    ...{ clock, seen, host, open, kept },
    play(next: Answer | undefined) {
      answer = next;
    },
    signIn(next: string | undefined) {
      token = next;
    },
    setBudget(next: number) {
      dailyBudget = next;
    },
  };
}

const asked = (id: string): WantedRepository => ({ kind: 'repository', id, isAsked: true });
const ahead = (id: string): WantedRepository => ({ kind: 'repository', id });

/** Waits for so many requests, and until nothing changes any more. */
async function quiet(host: Repositories, seen: readonly string[], least = 0): Promise<void> {
  await until(() => seen.length >= least);
  let before = -1;
  for (let same = 0; same < 4; ) {
    const now = host.revision() + seen.length;
    same = now === before ? same + 1 : 0;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until something holds, for up to 10 s. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function ask(host: Repositories, id: string) {
  host.request('hover', [asked(id)]);
  await new Promise((resolve) => setImmediate(resolve));
  await until(() => {
    const insight = host.repository(id);
    return insight.state !== 'pending' && !('refresh' in insight && insight.refresh === 'pending');
  });
  return host.repository(id);
}

test('the facts of a repository', async () => {
  const { host } = await setUp({ token: 'good' });
  const insight = await ask(host, 'request/request');
  assert.ok(insight.state === 'ready');
  assert.deepEqual(insight.value, {
    name: 'request/request',
    url: 'https://code.example/request/request',
    isArchived: true,
    isDisabled: false,
    pushedAt: Date.UTC(2020, 1, 11),
    openIssues: 128,
    license: 'Apache-2.0',
  });
  const other = await ask(host, 'lodash/lodash');
  assert.ok(other.state === 'ready');
  assert.deepEqual(
    [other.value.license, other.value.pushedAt, other.value.openIssues],
    [undefined, undefined, undefined],
  );
});

test('a spent budget stops the background, and not the hover on the same dependency', async () => {
  const { host, seen } = await setUp({ token: 'good', dailyBudget: 1 });
  host.request('document', [ahead('lodash/lodash'), ahead('request/request')]);
  await quiet(host, seen, 1);
  assert.equal(seen.length, 1);
  assert.equal(host.repository('request/request').state, 'failed');
  const insight = await ask(host, 'request/request');
  assert.equal(insight.state, 'ready');
});

test('a larger budget continues in the background', async () => {
  const { host, seen, setBudget } = await setUp({ token: 'good', dailyBudget: 1 });
  host.request('document', [ahead('lodash/lodash'), ahead('request/request')]);
  await quiet(host, seen, 1);
  setBudget(5);
  await host.refresh();
  await quiet(host, seen, 2);
  assert.equal(host.repository('request/request').state, 'ready');
});

test('a renamed repository is followed once, within the service', async () => {
  const { host, seen } = await setUp({ token: 'good' });
  const insight = await ask(host, 'mikeal/request');
  assert.ok(insight.state === 'ready');
  assert.equal(insight.value.name, 'request/request');
  assert.deepEqual(seen, ['/code.example/repos/mikeal/request', '/code.example/repositories/1']);
});

test('a redirect elsewhere, or a second one, is not followed', async () => {
  const { host, seen, play } = await setUp({ token: 'good' });
  play((_, response) => response.writeHead(301, { location: 'https://other.example/repositories/1' }).end());
  const elsewhere = await ask(host, 'a/b');
  assert.equal(elsewhere.state, 'failed');
  play((request, response) =>
    response.writeHead(301, { location: `http://${request.headers.host}/code.example/repositories/1` }).end(),
  );
  const twice = await ask(host, 'a/c');
  assert.deepEqual([twice.state, seen.length], ['failed', 3]);
  for (const [at, path] of ['/code.example/other/repositories/1', '/repositories/1'].entries()) {
    play((request, response) => response.writeHead(301, { location: `http://${request.headers.host}${path}` }).end());
    const aside = await ask(host, `a/d${at}`);
    assert.deepEqual([aside.state, seen.length], ['failed', 4 + at]);
  }
});

test('a kept answer is requested again after a day, and is free if nothing has changed', async () => {
  const parts = sharedParts();
  const { host, clock, seen, open, kept } = await setUp({ token: 'good', parts });
  await ask(host, 'request/request');
  assert.equal(kept.length, 0);
  await clock.advance(DAY - 1);
  const restarted = open();
  await restarted.refresh();
  assert.equal((await ask(restarted, 'request/request')).state, 'ready');
  assert.deepEqual([seen.length, kept.length], [1, 1]);
  await clock.advance(1);
  await restarted.refresh();
  restarted.request('hover', [asked('request/request')]);
  const stale = restarted.repository('request/request');
  assert.equal(stale.state === 'ready' && stale.refresh, 'pending');
  await quiet(restarted, seen, 2);
  const insight = restarted.repository('request/request');
  assert.ok(insight.state === 'ready');
  assert.deepEqual([insight.at, seen.length, kept.length], [clock.now(), 2, 2]);
  // The one before was an hour's window earlier.
  assert.equal(restarted.windows()[0]?.remaining, 5000);
});

test('an answer for one credential is not shown for another', async () => {
  const { host, seen, signIn } = await setUp({ token: 'good' });
  await ask(host, 'request/request');
  signIn('other');
  await host.refresh();
  assert.equal(host.repository('request/request').state, 'pending');
  assert.equal((await ask(host, 'request/request')).state, 'ready');
  assert.equal(seen.length, 2);
});

test('an answer that arrives after the credential has changed is neither shown nor kept', async () => {
  const parts = sharedParts();
  const open: (() => void)[] = [];
  const {
    host,
    signIn,
    open: restart,
  } = await setUp({
    token: 'good',
    parts,
    answer: (_, response) =>
      open.push(() =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"full_name":"a/private","html_url":"https://code.example/a/private","archived":true}'),
      ),
  });
  host.request('hover', [asked('a/private')]);
  await until(() => open.length === 1);
  signIn('other');
  await host.refresh();
  const before = host.revision();
  open[0]?.();
  await until(() => host.revision() > before);
  const other = restart();
  await other.refresh();
  assert.deepEqual([host.repository('a/private').state, other.repository('a/private').state], ['pending', 'pending']);
});

test('a kept answer from the future comes from a wrong clock, and is requested again', async () => {
  const parts = sharedParts();
  const { host, clock, seen, open } = await setUp({ token: 'good', parts });
  await ask(host, 'request/request');
  clock.set(-12 * HOUR);
  const restarted = open();
  await restarted.refresh();
  await ask(restarted, 'request/request');
  await quiet(restarted, seen, 2);
  assert.equal(seen.length, 2);
});

test('without a credential nothing is requested that a person does not look at', async () => {
  const { host, seen } = await setUp();
  assert.equal(host.codeHost()?.looksAhead, false);
  host.request('file:///package.json', [ahead('request/request'), ahead('lodash/lodash')]);
  await quiet(host, seen);
  assert.equal(seen.length, 0);
  await ask(host, 'lodash/lodash');
  assert.deepEqual(seen, ['/code.example/repos/lodash/lodash']);
});

test('with a credential, the repositories of open manifests are requested once', async () => {
  const { host, seen } = await setUp({ token: 'good' });
  const wanted = Array.from({ length: 100 }, (_, at) => ahead(`many/m${at}`));
  host.request('one', wanted);
  host.request('other', wanted);
  await quiet(host, seen, 100);
  assert.equal(seen.length, 100);
  assert.equal(host.repository('many/m99').state, 'ready');
});

test('what is not sent yet is not sent after its document was closed', async () => {
  const open: (() => void)[] = [];
  const { host, seen } = await setUp({
    token: 'good',
    answer: (_, response) => open.push(() => response.writeHead(404).end()),
  });
  host.request(
    'one',
    Array.from({ length: 100 }, (_, at) => ahead(`many/m${at}`)),
  );
  while (seen.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  host.release('one');
  for (let at = 0; at < 20; at++) {
    for (const it of open.splice(0)) it();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(seen.length, 8);
});

test('a person behind an address without a credential leaves ten requests of the hour', async () => {
  const { host, seen, clock } = await setUp();
  for (let at = 0; at < 55; at++) await ask(host, `many/m${at}`);
  assert.equal(seen.length, 50);
  const insight = host.repository('many/m54');
  assert.ok(insight.state === 'failed');
  assert.match(insight.reason, /^the last 10 requests of this hour are left to other programs, until \d\d:\d\d:\d\d$/);
  await clock.advance(HOUR + 1000);
  assert.equal((await ask(host, 'many/m54')).state, 'ready');
});

test('during the hold of a primary limit nothing is sent, and all is requested after it', async () => {
  const { host, seen, clock } = await setUp({ token: 'good', limits: { user: 30 } });
  host.request(
    'one',
    Array.from({ length: 40 }, (_, at) => ahead(`many/m${at}`)),
  );
  await quiet(host, seen);
  assert.equal(seen.length, 30);
  const states = Array.from({ length: 40 }, (_, at) => host.repository(`many/m${at}`).state);
  assert.deepEqual(
    [states.filter((it) => it === 'ready').length, states.filter((it) => it === 'failed').length],
    [30, 10],
  );
  await clock.advance(HOUR - 2000);
  await quiet(host, seen);
  await ask(host, 'many/m39');
  assert.equal(seen.length, 30);
  await clock.advance(3000);
  await quiet(host, seen, 40);
  assert.equal(seen.length, 40);
});

for (const namesWait of [true, false]) {
  test(`a secondary limit ${namesWait ? 'that names a wait' : 'without a wait'} is met once`, async () => {
    const limits = { pointsPerMinute: 20, namesWait };
    const { host, seen, clock } = await setUp({ token: 'good', limits });
    host.request(
      'one',
      Array.from({ length: 25 }, (_, at) => ahead(`many/m${at}`)),
    );
    await quiet(host, seen);
    const met = seen.length;
    assert.ok(met >= 21 && met <= 24, `${met} requests`);
    await clock.advance(60_000 - 1);
    await quiet(host, seen);
    assert.equal(seen.length, met);
    await clock.advance(1);
    await until(() => host.repository('many/m24').state === 'ready');
    await quiet(host, seen);
    assert.equal(
      Array.from({ length: 25 }, (_, at) => host.repository(`many/m${at}`).state).every((it) => it === 'ready'),
      true,
    );
  });
}

test('two windows send nothing during the hold that one of them has met', async () => {
  const parts = sharedParts();
  const clock = settableClock();
  const { host, seen, open } = await setUp({ token: 'good', clock, parts, limits: { user: 5 } });
  const other = open();
  await other.refresh();
  for (let at = 0; at < 8; at++) await ask(host, `many/m${at}`);
  for (let at = 10; at < 18; at++) await ask(other, `many/m${at}`);
  assert.equal(seen.length, 5);
});

const refusals: readonly (readonly [number, string, string, requests: number])[] = [
  [404, 'unknown', '', 1],
  [410, 'unknown', '', 1],
  [403, 'failed', 'the code host does not permit access', 1],
  [451, 'failed', 'the code host blocks access for legal reasons', 1],
  [418, 'failed', 'the code host answered with status 418', 1],
  [502, 'failed', 'the code host answered with status 502', 3],
];
for (const [status, state, reason, requests] of refusals) {
  test(`an answer with status ${status}`, async () => {
    const { host, seen } = await setUp({
      token: 'good',
      answer: (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
    });
    const insight = await ask(host, 'a/b');
    assert.equal(insight.state, state);
    if (insight.state === 'failed') assert.equal(insight.reason, reason);
    assert.equal(seen.length, requests);
    await ask(host, 'a/b');
    assert.equal(seen.length, requests);
  });
}

test('a credential that is not accepted is not sent again, and another one at once', async () => {
  const { host, seen, signIn } = await setUp({ token: 'bad' });
  host.request(
    'one',
    Array.from({ length: 100 }, (_, at) => ahead(`many/m${at}`)),
  );
  await quiet(host, seen);
  assert.ok(seen.length <= 4, `${seen.length} requests`);
  const insight = host.repository('many/m50');
  assert.ok(insight.state === 'failed');
  assert.match(insight.reason, /does not accept the credential/);
  signIn('good');
  await host.refresh();
  await until(() => host.repository('many/m50').state === 'ready');
  assert.equal(host.repository('many/m50').state, 'ready');
});

const garbage = [
  '',
  '[]',
  '{',
  'null',
  '{"full_name":1}',
  '{"full_name":"a/b","html_url":"javascript:alert(1)","archived":true}',
  '{"full_name":"../b","html_url":"https://code.example/a/b","archived":true}',
  '{"full_name":"a/b","html_url":"https://code.example/a/b","archived":"no"}',
];
for (const text of garbage) {
  test(`${text || 'an empty answer'} is no repository`, async () => {
    const { host } = await setUp({
      token: 'good',
      answer: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    });
    const insight = await ask(host, 'a/b');
    assert.deepEqual(insight.state === 'failed' && insight.reason, 'the answer of the code host is invalid');
  });
}

test('a 304 that was not asked for is invalid', async () => {
  const { host } = await setUp({ token: 'good', answer: (_, response) => response.writeHead(304).end() });
  assert.equal((await ask(host, 'a/b')).state, 'failed');
});

test('a failed refresh keeps the former facts and says why', async () => {
  const { host, clock, play } = await setUp({ token: 'good' });
  await ask(host, 'request/request');
  await clock.advance(DAY);
  play((_, response) => response.writeHead(451, { 'content-type': 'application/json' }).end('{}'));
  const insight = await ask(host, 'request/request');
  assert.ok(insight.state === 'ready');
  assert.deepEqual(insight.refresh, { failed: 'the code host blocks access for legal reasons' });
});

test('a failed request is sent again after a minute, then after two', async () => {
  const { host, clock, seen } = await setUp({
    token: 'good',
    answer: (_, response) => response.writeHead(418, { 'content-type': 'application/json' }).end('{}'),
  });
  host.request('one', [ahead('a/b')]);
  await quiet(host, seen, 1);
  const counts: number[] = [];
  for (const wait of [1, 2, 4]) {
    const before = seen.length;
    await clock.advance(wait * repositoryLifetimes.retry.first - 1);
    await quiet(host, seen);
    counts.push(seen.length);
    await clock.advance(1);
    await quiet(host, seen, before + 1);
  }
  assert.deepEqual([...counts, seen.length], [1, 2, 3, 4]);
});

test('an answer that does not come fails without holding up others', async () => {
  const { host, play, seen } = await setUp({ token: 'good', answer: () => {} });
  host.request('hover', [asked('a/b')]);
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await host.whenSettled('hover', 0);
  play(undefined);
  assert.equal((await ask(host, 'lodash/lodash')).state, 'ready');
});

test('names that cannot be part of a path are not requested', async () => {
  const { host, seen } = await setUp({ token: 'good' });
  for (const id of ['a/..', 'a', 'a/b/c', '../x', 'a/b?c', 'a/%2e%2e', 'A/B', 'a b/c']) host.request('x', [asked(id)]);
  await quiet(host, seen);
  assert.equal(seen.length, 0);
});

for (const jump of [-30 * DAY, 30 * DAY]) {
  test(`facts stay readable when the clock is set ${jump < 0 ? 'back' : 'forward'}`, async () => {
    const { host, clock, seen } = await setUp({ token: 'good' });
    await ask(host, 'request/request');
    clock.set(jump);
    const insight = await ask(host, 'request/request');
    assert.equal(insight.state, 'ready');
    assert.ok(seen.length <= 2);
  });
}

test('the state of the limits is requested for a person alone', async () => {
  const { host, seen } = await setUp({ token: 'good' });
  await ask(host, 'lodash/lodash');
  assert.equal(host.windows()[0]?.remaining, 4999);
  assert.equal(seen.filter((it) => it.includes('rate_limit')).length, 0);
  const windows = await host.requestWindows();
  assert.deepEqual(
    windows?.map(({ resource, limit, remaining }) => [resource, limit, remaining]),
    [['core', 5000, 4999]],
  );
});
