import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGovernor } from '../../../server/src/connected/code-host/governor.ts';
import { createCodeHost } from '../../../server/src/connected/code-host/repositories.ts';
import { createMemoryHolds } from '../../../server/src/connected/connections/memory.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { type Given, type SettableClock, secondaryText, settableClock, windowHeaders } from './setup.ts';

/*
 * The pause that a code host requests has an end, and the clock reads that time before the timer of the program has
 * fired. Whatever is due then must not be due at once again: all of it runs without a turn of the event loop, so the timer
 * would never fire.
 */

const MINUTE = 60_000;
const facts = JSON.stringify({ full_name: 'a/b', html_url: 'https://code.example/a/b', archived: false });

/** Far more than a limit and its end lead to. */
const MANY_CALLS = 200;

const limits: Readonly<Record<string, (clock: SettableClock) => Given>> = {
  'a primary limit': (clock) => ({ status: 403, headers: windowHeaders(clock, 0, 60) }),
  'the last request of the hour': (clock) => ({ status: 200, headers: windowHeaders(clock, 0, 60), text: facts }),
  'a secondary limit': () => ({ status: 403, headers: { 'retry-after': '60' }, text: secondaryText }),
  'a secondary limit that names no time': () => ({ status: 429, headers: { 'retry-after': '0' } }),
  'a window that has just ended': (clock) => ({ status: 403, headers: windowHeaders(clock, 0, 0) }),
};

/** A code host that answers all requests alike. Calls beyond many are not answered, so that a loop ends. */
async function setUp(clock: SettableClock, answer: () => Given) {
  let calls = 0;
  const governor = createGovernor({
    client: {
      async send() {
        const { status = 200, headers = {}, text = '{}' } = answer();
        return { kind: 'answer', status, headers, text };
      },
      identity: async () => 'one',
    },
    holds: createMemoryHolds(),
    clock,
    isSignedIn: async () => true,
  });
  const counted: typeof governor = {
    ...governor,
    send: (...args) => (++calls > MANY_CALLS ? new Promise(() => {}) : governor.send(...args)),
  };
  const host = createCodeHost({
    governor: counted,
    cache: createMemoryCache(),
    clock,
    baseUrl: () => 'https://api.code.example',
  });
  await host.refresh();
  return { host, calls: () => calls };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

for (const [name, answer] of Object.entries(limits)) {
  for (const after of [MINUTE - 1, MINUTE, MINUTE + 1, -MINUTE, 10 * MINUTE]) {
    test(`${name}, and the clock ${after} ms later, before a timer has fired`, async () => {
      const clock = settableClock();
      const { host, calls } = await setUp(clock, () => answer(clock));
      const wanted = Array.from({ length: 12 }, (_, at) => ({ kind: 'repository' as const, id: `a/m${at}` }));
      host.request('one', wanted);
      await turns();
      assert.ok(calls() > 0);
      clock.set(after);
      host.request('one', wanted);
      await turns();
      assert.ok(calls() < MANY_CALLS, 'it is due again at once');
      await clock.advance(2 * MINUTE);
      assert.ok(calls() < MANY_CALLS, 'its timers lead to no pause');
      host.close();
    });
  }
}
