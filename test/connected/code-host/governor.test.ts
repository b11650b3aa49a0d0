import assert from 'node:assert/strict';
import { test } from 'node:test';
import { governedClient, readReport } from '../../../server/src/connected/code-host/governor.ts';
import { createMemoryHolds } from '../../../server/src/connected/connections/memory.ts';
import { openLedger } from '../../../server/src/connected/ledger/ledger.ts';
import { folderWith } from '../../terminal/program.ts';
import { fakeTurns, requestTo, secondaryText, settableClock, setUp, windowHeaders } from './setup.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('four requests are under way at a time', async () => {
  const open: (() => void)[] = [];
  const { read, sent, most } = setUp(() => new Promise((resolve) => open.push(() => resolve({}))));
  const reads = Array.from({ length: 10 }, () => read());
  for (let ended = 0; ended < 10; ended++) {
    await fakeTurns();
    assert.equal(sent.length, Math.min(10, ended + 4));
    open[ended]?.();
  }
  await Promise.all(reads);
  assert.equal(most(), 4);
});

test('what a person waits for goes before the background', async () => {
  const open: (() => void)[] = [];
  const { read, sent } = setUp(() => new Promise((resolve) => open.push(() => resolve({}))));
  for (let at = 0; at < 6; at++) read(`repos/background/${at}`);
  await fakeTurns();
  read('repos/asked/1', 'asked');
  await fakeTurns();
  open[0]?.();
  await fakeTurns();
  assert.equal(sent.at(-1)?.path, 'repos/asked/1');
});

test('900 points a minute: 900 requests that read, or 180 that write', async () => {
  for (const [verb, atOnce] of [
    ['GET', 900],
    ['POST', 180],
  ] as const) {
    const { governor, clock, sent } = setUp(() => ({}));
    const all = Array.from({ length: atOnce + 3 }, () =>
      governor.send(requestTo('things', { verb }), 'core', { priority: 'background' }),
    );
    while (sent.length < atOnce) await fakeTurns();
    await clock.advance(MINUTE - 1);
    assert.equal(sent.length, atOnce);
    await clock.advance(1);
    await Promise.all(all);
    assert.equal(sent.length, atOnce + 3);
  }
});

test('after a primary limit nothing is sent until the reset', async () => {
  for (const status of [403, 429]) {
    const { read, clock, sent } = setUp((at) => {
      if (at > 1) return {};
      return { status, headers: windowHeaders(clock, 0, 1800), text: '{"message":"API rate limit exceeded"}' };
    });
    const start = clock.now();
    assert.deepEqual(await read(), {
      kind: 'held',
      until: start + 1800_000,
      reason: 'the rate limit is used up',
    });
    await clock.advance(1800_000 - 1);
    for (const priority of ['background', 'asked'] as const) assert.equal((await read('x', priority)).kind, 'held');
    assert.equal(sent.length, 1);
    await clock.advance(1);
    assert.equal((await read()).kind, 'answer');
    assert.equal(sent.length, 2);
  }
});

test('answers of one window that were made in one second end at one time', async () => {
  let met = 0;
  const { read, clock } = setUp(async () => {
    const headers = windowHeaders(clock, 0, 1800);
    if (met++ > 0) await clock.advance(900);
    return { status: 403, headers, text: '{"message":"API rate limit exceeded"}' };
  });
  const [first, second] = await Promise.all([read('a'), read('b')]);
  assert.ok(first?.kind === 'held' && second?.kind === 'held');
  assert.equal(second.until, first.until);
});

test('the answer that uses the last request of the window ends it before the limit is met', async () => {
  const { read, clock, sent } = setUp((at) => ({ headers: windowHeaders(clock, 2 - at) }));
  for (let at = 0; at < 5; at++) await read();
  assert.equal(sent.length, 2);
  await clock.advance(HOUR);
  await read();
  assert.equal(sent.length, 3);
});

test('requests under way are counted against what remains', async () => {
  let used = 0;
  const { read, clock, sent } = setUp(async () => {
    const headers = windowHeaders(clock, Math.max(0, 6 - ++used));
    await fakeTurns();
    return { headers };
  });
  await read();
  const kinds = await Promise.all(Array.from({ length: 20 }, async () => (await read()).kind));
  assert.equal(kinds.filter((it) => it === 'answer').length, 5);
  assert.equal(sent.length, 6);
});

test('the reset counts by the clock of the service where that of this machine is wrong', async () => {
  const there = settableClock();
  const { read, clock } = setUp(() => ({ status: 403, headers: windowHeaders(there, 0, 600) }), {
    clock: settableClock(there.now() + 7 * HOUR),
  });
  assert.deepEqual(await read(), { kind: 'held', until: clock.now() + 600_000, reason: 'the rate limit is used up' });
});

test('another resource goes on during the hold of one', async () => {
  const { governor, clock, sent } = setUp((at) => (at === 1 ? { status: 403, headers: windowHeaders(clock, 0) } : {}));
  await governor.send(requestTo('repos/a/b'), 'core', { priority: 'asked' });
  await governor.send(requestTo('search/code'), 'code_search', { priority: 'asked' });
  assert.equal(sent.length, 2);
});

test('a limit of another resource than expected holds both', async () => {
  const { governor, clock, sent } = setUp(() => ({
    status: 403,
    headers: { ...windowHeaders(clock, 0), 'x-ratelimit-resource': 'integration_manifest' },
  }));
  await governor.send(requestTo('repos/a/b'), 'core', { priority: 'asked' });
  for (const it of ['core', 'integration_manifest']) {
    assert.equal((await governor.send(requestTo('x'), it, { priority: 'asked' })).kind, 'held');
  }
  assert.equal(sent.length, 1);
});

const secondary: readonly (readonly [string, (reset: Record<string, string>) => object, seconds: number])[] = [
  ['retry-after', (headers) => ({ ...headers, 'retry-after': '90' }), 90],
  [
    'the reset if nothing remains after retry-after',
    (headers) => ({ ...headers, 'x-ratelimit-remaining': '0', 'retry-after': '45' }),
    3600,
  ],
  ['the reset if nothing remains', (headers) => ({ ...headers, 'x-ratelimit-remaining': '0' }), 3600],
  ['a minute', (headers) => headers, 60],
  ['a minute without any header', () => ({}), 60],
];
for (const [name, headersOf, seconds] of secondary) {
  test(`after a secondary limit nothing is sent for ${name}`, async () => {
    const { read, clock, sent } = setUp((at) =>
      at > 1
        ? {}
        : {
            status: 403,
            headers: headersOf(windowHeaders(clock, 4000)) as Record<string, string>,
            text: secondaryText,
          },
    );
    await read();
    await clock.advance(seconds * 1000 - 1);
    assert.equal((await read()).kind, 'held');
    assert.equal(sent.length, 1);
    await clock.advance(1);
    assert.equal((await read()).kind, 'answer');
  });
}

test('the wait after secondary limits in a row doubles, and the call fails after five further ones', async () => {
  const { read, clock, sent } = setUp(() => ({ status: 429, text: secondaryText }));
  const waits: number[] = [];
  for (let at = 1; at <= 5; at++) {
    const answer = await read();
    assert.ok(answer.kind === 'held');
    waits.push((answer.until - clock.now()) / MINUTE);
    await clock.advance(answer.until - clock.now());
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16]);
  assert.deepEqual(await read(), { kind: 'failure', reason: 'given up after 6 limits in a row' });
  await clock.advance(32 * MINUTE - 1);
  assert.equal((await read()).kind, 'held');
  assert.equal(sent.length, 6);
});

test('an answer ends the row of secondary limits', async () => {
  const { read, clock } = setUp((at) => (at === 2 ? {} : { status: 429, text: secondaryText }));
  await read();
  await clock.advance(MINUTE);
  await read();
  const answer = await read();
  assert.ok(answer.kind === 'held');
  assert.equal(answer.until - clock.now(), MINUTE);
});

test('requests that were under way together meet one limit', async () => {
  const { read, clock, sent } = setUp(async () => {
    await fakeTurns();
    return { status: 429, text: secondaryText };
  });
  await Promise.all(Array.from({ length: 9 }, () => read()));
  assert.equal(sent.length, 4);
  await clock.advance(MINUTE);
  const answer = await read();
  assert.ok(answer.kind === 'held');
  assert.equal(answer.until - clock.now(), 2 * MINUTE);
});

test('a 403 that refuses access is no limit', async () => {
  const { read, sent, clock } = setUp(() => ({
    status: 403,
    headers: windowHeaders(clock, 4000),
    text: '{"message":"Resource not accessible by personal access token"}',
  }));
  for (let at = 0; at < 3; at++) assert.equal((await read()).kind, 'answer');
  assert.equal(sent.length, 3);
});

test('without a credential, the last ten requests of the hour are left to other programs', async () => {
  let remaining = 60;
  const { read, clock, sent } = setUp(
    () => ({ headers: { ...windowHeaders(clock, --remaining), 'x-ratelimit-limit': '60' } }),
    { isAnonymous: true },
  );
  for (let at = 0; at < 60; at++) await read(`repos/a/${at}`, 'asked');
  assert.equal(sent.length, 50);
  const answer = await read('repos/a/b', 'asked');
  assert.ok(answer.kind === 'held');
  assert.equal(answer.reason, 'the last 10 requests of this hour are left to other programs');
});

test('windows of one machine share holds, and a new window begins with them', async () => {
  const clock = settableClock();
  const holds = createMemoryHolds();
  const limited = () => ({ status: 403, headers: windowHeaders(clock, 0) });
  const [one, other] = [setUp(limited, { clock, holds }), setUp(() => ({}), { clock, holds })];
  await one.read();
  for (let at = 0; at < 5; at++) assert.equal((await other.read()).kind, 'held');
  const restarted = setUp(() => ({}), { clock, holds });
  assert.equal((await restarted.read('x', 'asked')).kind, 'held');
  assert.deepEqual([other.sent.length, restarted.sent.length], [0, 0]);
  await clock.advance(HOUR);
  assert.equal((await other.read()).kind, 'answer');
  assert.equal((await restarted.read()).kind, 'answer');
});

test('a hold applies to the credential that met the limit', async () => {
  let identity = 'one';
  const { read, sent, clock } = setUp((at) => (at === 1 ? { status: 403, headers: windowHeaders(clock, 0) } : {}), {
    identity: () => identity,
  });
  await read();
  identity = 'other';
  assert.equal((await read()).kind, 'answer');
  identity = 'one';
  assert.equal((await read()).kind, 'held');
  assert.equal(sent.length, 2);
});

for (const [name, jump] of [
  ['forward', 5 * HOUR],
  ['back', -5 * HOUR],
] as const) {
  test(`a clock that is set ${name} neither ends a hold nor makes it last`, async () => {
    const { read, clock, sent } = setUp((at) => (at === 1 ? { status: 403, headers: windowHeaders(clock, 0) } : {}));
    await read();
    await clock.advance(HOUR / 2);
    clock.set(jump);
    assert.equal((await read()).kind, 'held');
    await clock.advance(HOUR / 2 - 1);
    assert.equal((await read()).kind, 'held');
    assert.equal(sent.length, 1);
    await clock.advance(1);
    assert.equal((await read()).kind, 'answer');
  });
}

test('after the clock was set back, the points of the last minute still count for a minute', async () => {
  const { read, clock, sent } = setUp(() => ({}));
  await Promise.all(Array.from({ length: 900 }, () => read()));
  clock.set(-HOUR);
  const one = read();
  await clock.advance(MINUTE - 1);
  assert.equal(sent.length, 900);
  await clock.advance(1);
  await one;
});

test('a hold of another window that ends in a year comes from a wrong clock', async () => {
  const { read, holds, clock } = setUp(() => ({}));
  holds.set('code-host', 'one', { scope: 'core', until: clock.now() + 365 * 24 * HOUR, reason: 'x' });
  assert.equal((await read()).kind, 'answer');
});

test('a call that is given up while it waits is not sent', async () => {
  const { read, sent, clock } = setUp(() => ({}));
  await Promise.all(Array.from({ length: 900 }, () => read()));
  const aborting = new AbortController();
  const one = read('x', 'asked', aborting.signal);
  await fakeTurns();
  aborting.abort();
  assert.deepEqual(await one, { kind: 'aborted' });
  await clock.advance(2 * MINUTE);
  assert.equal(sent.length, 900);
});

test('the windows are those of the last answers', async () => {
  const { read, governor, clock } = setUp((at) => ({ headers: windowHeaders(clock, 5000 - at) }));
  await read();
  await read();
  const [window] = governor.windows();
  assert.deepEqual(window && [window.resource, window.limit, window.remaining], ['core', 5000, 4998]);
  await clock.advance(HOUR);
  assert.deepEqual(governor.windows(), []);
});

test('a broken header changes nothing', async () => {
  const headers = { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': 'soon', 'retry-after': 'never', date: '?' };
  const { read } = setUp(() => ({ headers }));
  for (let at = 0; at < 3; at++) assert.equal((await read()).kind, 'answer');
});

test('what a person calls waits for the same hold', async () => {
  const { governor, clock, sent } = setUp((at) => (at === 1 ? { status: 403, headers: windowHeaders(clock, 0) } : {}));
  const client = governedClient({ send: async () => assert.fail(), identity: async () => 'one' }, governor);
  assert.equal((await client.send(requestTo('rate_limit'), { priority: 'asked' })).kind, 'held');
  assert.equal((await client.send(requestTo('rate_limit'), { priority: 'asked' })).kind, 'held');
  assert.equal(sent.length, 1);
});

test('the hold of a window outlasts it in the file that windows share', async () => {
  const folder = folderWith({});
  const clock = settableClock();
  try {
    const open = () => openLedger({ directory: folder.path, clock });
    const before = open();
    const limited = setUp(() => ({ status: 403, headers: windowHeaders(clock, 0) }), { clock, holds: before.holds });
    await limited.read();
    before.ledger.close();
    const after = open();
    const { read, sent } = setUp(() => ({}), { clock, holds: after.holds });
    assert.equal((await read('x', 'asked')).kind, 'held');
    assert.equal(sent.length, 0);
    await clock.advance(HOUR);
    assert.equal((await read('x', 'asked')).kind, 'answer');
    after.ledger.close();
  } finally {
    folder.remove();
  }
});

test('a refusal that names the end of the wait as a date is a limit', () => {
  const [now, headers] = [Date.parse('2026-11-23T12:00:00Z'), { 'retry-after': 'Mon, 23 Nov 2026 12:02:00 GMT' }];
  const report = readReport({ kind: 'answer', status: 403, headers, text: '' }, now);
  assert.deepEqual(report, { limit: 'secondary', retryAfter: 120_000 });
});
