import { createGovernor, type Governor } from '../../../server/src/connected/code-host/governor.ts';
import { createMemoryHolds } from '../../../server/src/connected/connections/memory.ts';
import type { ApiAnswer, ApiRequest, CallPriority, Holds } from '../../../server/src/engine/model/connection.ts';
import type { Clock } from '../../../server/src/engine/model/ports.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';

/** A clock that a person can set, while its timers go on. */
export interface SettableClock extends FakeClock {
  set(ms: number): void;
}

export function settableClock(start?: number): SettableClock {
  const real = fakeClock(start);
  let offset = 0;
  return {
    ...real,
    now: () => real.now() + offset,
    set(ms) {
      offset += ms;
    },
  };
}

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Lets what is under way go on. */
export const fakeTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** The headers of a window that resets so many seconds after the time of the service. */
export function windowHeaders(clock: Pick<Clock, 'now'>, remaining: number, resetsIn = 3600): Record<string, string> {
  const seconds = Math.floor(clock.now() / 1000);
  return {
    date: new Date(seconds * 1000).toUTCString(),
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${seconds + resetsIn}`,
    'x-ratelimit-resource': 'core',
  };
}

export const secondaryText = '{"message":"You have exceeded a secondary rate limit."}';

/** A governor over a service that a test plays. */
export function setUp(
  answer: (at: number, request: ApiRequest) => Given | Promise<Given>,
  given: {
    readonly clock?: SettableClock;
    readonly holds?: Holds;
    readonly isAnonymous?: boolean;
    readonly identity?: () => string;
  } = {},
) {
  const clock = given.clock ?? settableClock();
  const holds = given.holds ?? createMemoryHolds();
  const sent: ApiRequest[] = [];
  let under = 0;
  let most = 0;
  const governor: Governor = createGovernor({
    client: {
      async send(request) {
        sent.push(request);
        under++;
        most = Math.max(most, under);
        const { status = 200, headers = {}, text = '{}' } = await answer(sent.length, request);
        under--;
        return { kind: 'answer', status, headers, text } satisfies ApiAnswer;
      },
      identity: async () => given.identity?.() ?? 'one',
    },
    holds,
    clock,
    isSignedIn: async () => !given.isAnonymous,
  });
  const read = (path = 'repos/a/b', priority: CallPriority = 'background', signal?: AbortSignal): Promise<ApiAnswer> =>
    governor.send(requestTo(path), 'core', { priority, ...(signal && { signal }) });
  return { clock, holds, sent, governor, read, most: () => most };
}

export function requestTo(path: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { connection: 'code-host', method: 'codeHost.repos.get', verb: 'GET', path, units: 1, ...more };
}
