import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settableClock } from '../connected/code-host/setup.ts';
import { startCodeHost } from '../harness/code-host.ts';

/*
 * The client that others wrote for the code host, with its plug-in against rate limits, at our service: it must meet the
 * limits as it meets the real ones.
 */

/** What is used here of `@octokit/core`. */
interface Octokit {
  request(
    route: string,
    parameters?: object,
  ): Promise<{ readonly status: number; readonly data: { readonly full_name: string } & Limits }>;
}
interface Limits {
  readonly resources: { readonly core: { readonly limit: number; readonly remaining: number } };
}
type OctokitClass = (new (options: object) => Octokit) & { plugin(plugin: unknown): OctokitClass };

// A checkout whose packages were installed before these two were added has neither.
const [core, throttling] = ['@octokit/core', '@octokit/plugin-throttling'];
const found = await Promise.all([import(core), import(throttling)]).catch(() => undefined);
const Throttled: OctokitClass | undefined = found?.[0].Octokit.plugin(found[1].throttling);
const skip = Throttled === undefined ? 'Octokit is not installed: not tested here' : false;

const repositories = [
  { id: 1, fullName: 'request/request', formerNames: ['mikeal/request'], archived: true },
  { id: 2, fullName: 'blocked/by-law', isBlocked: true },
];
const silent = { debug() {}, info() {}, warn() {}, error() {} };

type Met = readonly [kind: 'primary' | 'secondary', seconds: number, retries: number];

async function setUp(limits: NonNullable<Parameters<typeof startCodeHost>[1]>, auth: string | undefined) {
  const clock = settableClock(Date.now());
  const host = await startCodeHost(repositories, limits, clock);
  const met: Met[] = [];
  const meet = (kind: Met[0]) => async (seconds: number, _options: object, _octokit: Octokit, retries: number) => {
    met.push([kind, seconds, retries]);
    await clock.advance(seconds * 1000);
    return retries < 2;
  };
  assert.ok(Throttled);
  const octokit = new Throttled({
    baseUrl: host.baseUrl,
    ...(auth !== undefined && { auth }),
    log: silent,
    throttle: {
      // The clock of the service moves in their place.
      retryAfterBaseValue: 1,
      onRateLimit: meet('primary'),
      onSecondaryRateLimit: meet('secondary'),
    },
  });
  return { host, met, octokit };
}

const repository = 'GET /repos/request/request';

test('it reads repositories and limits, follows a rename, and gets the errors that it knows', { skip }, async () => {
  const { host, octokit } = await setUp({}, 'good');
  try {
    const { status, data } = await octokit.request(repository);
    assert.deepEqual([status, data.full_name], [200, 'request/request']);
    assert.equal((await octokit.request('GET /repos/mikeal/request')).data.full_name, 'request/request');
    assert.deepEqual((await octokit.request('GET /rate_limit')).data.resources.core.remaining, 4997);
    await assert.rejects(octokit.request('GET /repos/a/b'), { status: 404, message: /^Not Found/ });
    await assert.rejects(octokit.request('GET /repos/blocked/by-law'), { status: 451 });
  } finally {
    await host.close();
  }
});

for (const status of [403, 429] as const) {
  test(`it sees a primary limit (${status}), and its next request after the reset succeeds`, { skip }, async () => {
    const { host, met, octokit } = await setUp({ anonymous: 2, status }, undefined);
    try {
      for (let at = 0; at < 3; at++) assert.equal((await octokit.request(repository)).status, 200);
      assert.deepEqual(
        met.map(([kind, , retries]) => [kind, retries]),
        [['primary', 0]],
      );
      const [, seconds = 0] = met[0] ?? [];
      assert.ok(seconds > 3590 && seconds <= 3602, `${seconds} s`);
      assert.equal(host.seen.length, 4);
    } finally {
      await host.close();
    }
  });
}

test('it sees a secondary limit with the wait that it names', { skip }, async () => {
  const { host, met, octokit } = await setUp({ pointsPerMinute: 3 }, 'good');
  try {
    for (let at = 0; at < 4; at++) assert.equal((await octokit.request(repository)).status, 200);
    assert.deepEqual(met, [['secondary', 60, 0]]);
    assert.equal(host.seen.length, 5);
  } finally {
    await host.close();
  }
});

test('it sees a secondary limit that names no wait', { skip }, async () => {
  const { host, met, octokit } = await setUp({ pointsPerMinute: 1, namesWait: false, status: 429 }, 'good');
  try {
    for (let at = 0; at < 2; at++) assert.equal((await octokit.request(repository)).status, 200);
    // Its own minute.
    assert.deepEqual(met, [['secondary', 60, 0]]);
  } finally {
    await host.close();
  }
});
