import { createHttp } from '../../server/src/engine/http/client.ts';
import type { Http } from '../../server/src/engine/http/types.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';

/** A service, as far as the wait for it goes. */
export interface Asked {
  /** Authorities to trust. */
  readonly ca?: readonly string[];
  /** How many requests will never be answered. */
  left(): number;
}

/** What the server asks, and the clock by which it waits for an answer. */
export interface World {
  readonly clock: FakeClock;
  readonly http: Http;
  /** Resolves when all that is under way waits for the clock: the rest was answered, refused or broken off. */
  settled(): Promise<void>;
}

export function worldOf({ ca, left }: Asked): World {
  const clock = fakeClock();
  const http = createHttp({ clock, userAgent: 'package-insights-test', ...(ca && { ca }) });
  let underWay = 0;
  return {
    clock,
    http: {
      ...http,
      async request(request) {
        underWay++;
        return http.request(request).finally(() => underWay--);
      },
    },
    async settled() {
      for (let turn = 0; turn < 100 || underWay !== left(); turn++) await turnOfTheLoop();
    },
  };
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock on until there is an answer. Says how long it took by that clock. */
export async function answered<T>(
  { clock, settled }: World,
  asked: Promise<T>,
): Promise<{ readonly answer: T; readonly ms: number }> {
  const start = clock.now();
  const done = asked.then(() => true);
  while (!(await Promise.race([done, settled().then(() => false)]))) await clock.advance(100);
  return { answer: await asked, ms: clock.now() - start };
}
