import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoutes, type OpenRoute } from '../../../server/src/engine/http/connection-pool.ts';
import type { Route } from '../../../server/src/engine/http/connections.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

const idle = 60_000;

/** Routes to one host, numbered as they are opened, and which of them were closed. */
function setUp() {
  const clock = fakeClock();
  let setBack = 0;
  const routes = createRoutes({ ...clock, now: () => clock.now() - setBack }, idle);
  let opened = 0;
  const closed: number[] = [];
  async function open(): Promise<Route> {
    const number = ++opened;
    return {
      send: () => () => {},
      onAuthorized: () => {},
      isShared: () => false,
      prefix: String(number),
      headers: {},
      close: async () => void closed.push(number),
    };
  }
  return {
    clock,
    closed,
    close: routes.close,
    setBack: (ms: number) => {
      setBack = ms;
    },
    /** Over which route something is done. */
    async use(what: (route: OpenRoute) => Promise<unknown> = async () => {}): Promise<number> {
      return routes.over('host', open, async (route) => {
        await what(route);
        return Number(route.prefix);
      });
    },
  };
}

test('what is used now and then is used again, however long ago it was opened', async () => {
  const { use, clock, closed } = setUp();
  for (let time = 0; time < 3; time++) {
    assert.equal(await use(), 1);
    await clock.advance(idle * 0.9);
  }
  await clock.advance(idle);
  assert.equal(await use(), 2);
  assert.deepEqual(closed, [1]);
});

test('after the clock was set back, the idle time of a route is unknown', async () => {
  const { use, setBack } = setUp();
  assert.equal(await use(), 1);
  setBack(idle + 1);
  assert.equal(await use(), 2);
});

test('several that waited in vain over one route leave the next one alone', async () => {
  const { use, closed } = setUp();
  let next = 0;
  const first = use(async (route) => {
    route.distrust();
    next = await use();
  });
  await use(async (route) => {
    await first;
    route.distrust();
  });
  assert.equal(next, 2);
  assert.equal(await use(), 2);
  assert.deepEqual(closed, [1]);
});

test('each is closed once: when it is left for good, or in the end', async () => {
  const { use, clock, closed, close } = setUp();
  await use();
  await clock.advance(idle + 1);
  await use();
  await close();
  assert.deepEqual(closed, [1, 2]);
});
