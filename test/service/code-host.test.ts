import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeHostLimits, createCodeHostService } from '../../server/src/stand-ins/code-host/code-host-service.ts';
import { fakeClock } from '../harness/fake-clock.ts';

const repositories = [
  { id: 1, fullName: 'request/request', formerNames: ['mikeal/request'], archived: true, license: 'Apache-2.0' },
  { id: 2, fullName: 'blocked/by-law', isBlocked: true },
];

function setUp(limits: Partial<CodeHostLimits> = {}) {
  const clock = fakeClock();
  const service = createCodeHostService({
    repositories,
    clock,
    host: 'github.com',
    accepts: (it) => it !== 'bad',
    limits,
  });
  const ask = (target: string, token?: string, more: Record<string, string> = {}, method = 'GET') => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { host: '127.0.0.1:1', ...authorization, ...more };
    const reply = service.answer({ method, target, headers, address: '127.0.0.1' });
    assert.ok(reply, target);
    return reply;
  };
  return { clock, service, ask };
}

test('a repository is found by any spelling of its name, and under a former name by a redirect', () => {
  const { ask } = setUp();
  const { status, body } = ask('/repos/Request/Request', 'one');
  const { full_name, archived, html_url, license, pushed_at } = JSON.parse(body);
  assert.deepEqual(
    [status, full_name, archived, html_url, license.spdx_id, pushed_at],
    [200, 'request/request', true, 'https://github.com/request/request', 'Apache-2.0', null],
  );
  const moved = ask('/repos/mikeal/request', 'one');
  assert.deepEqual([moved.status, moved.headers['location']], [301, 'http://127.0.0.1:1/repositories/1']);
  const below = ask('/github.com/repos/mikeal/request', 'one');
  assert.equal(below.headers['location'], 'http://127.0.0.1:1/github.com/repositories/1');
  assert.equal(ask('/repositories/1', 'one').status, 200);
});

test('what it does not know, must not show, or does not accept', () => {
  const { ask, service } = setUp();
  assert.equal(ask('/repos/a/b', 'one').status, 404);
  assert.equal(ask('/repos/blocked/by-law', 'one').status, 451);
  assert.equal(ask('/repos/request/request', 'bad').status, 401);
  assert.equal(service.answer({ method: 'GET', target: '/v3alpha/query', headers: {}, address: 'x' }), undefined);
});

test('without a token, an address gets 60 requests an hour; its next window begins an hour after the first', async () => {
  const { ask, clock } = setUp();
  for (let at = 1; at <= 60; at++) {
    const { status, headers } = ask('/repos/request/request');
    assert.deepEqual([status, headers['x-ratelimit-remaining']], [200, `${60 - at}`]);
  }
  const refused = ask('/repos/request/request');
  assert.deepEqual(
    [refused.status, refused.headers['x-ratelimit-remaining'], refused.headers['x-ratelimit-resource']],
    [403, '0', 'core'],
  );
  assert.equal(Number(refused.headers['x-ratelimit-reset']) * 1000, clock.now() + 3600_000);
  assert.equal(ask('/repos/request/request', 'one').status, 200);
  await clock.advance(3600_000);
  assert.equal(ask('/repos/request/request').status, 200);
});

test('an answer that has not changed is free, and so is the state of the limits', () => {
  const { ask } = setUp();
  const { headers } = ask('/repos/request/request', 'one');
  const again = ask('/repos/request/request', 'one', { 'if-none-match': headers['etag'] ?? '' });
  assert.deepEqual([again.status, again.body, again.headers['x-ratelimit-used']], [304, '', '1']);
  const { resources } = JSON.parse(ask('/rate_limit', 'one').body);
  assert.deepEqual([resources.core.used, resources.core.remaining], [1, 4999]);
});

test('more than 900 points within a minute meet a secondary limit, which the primary one does not count', async () => {
  const { ask, clock } = setUp();
  for (let at = 0; at < 900; at++) assert.equal(ask('/rate_limit', 'one').status, 200);
  const refused = ask('/repos/request/request', 'one');
  assert.match(refused.body, /secondary rate limit/);
  assert.deepEqual([refused.status, refused.headers['retry-after']], [403, '60']);
  assert.equal(refused.headers['x-ratelimit-used'], '0');
  await clock.advance(60_000);
  assert.equal(ask('/repos/request/request', 'one').status, 200);
});

test('a secondary limit need not name the wait, and a refusal may be a 429', () => {
  const { ask } = setUp({ pointsPerMinute: 1, namesWait: false, status: 429 });
  ask('/rate_limit', 'one');
  const refused = ask('/rate_limit', 'one');
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, undefined]);
});
