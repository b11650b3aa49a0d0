import {
  type Backoff,
  type CircuitBreaker,
  createCircuitBreaker,
  type Permit,
} from '../../../server/src/engine/http/circuit-breaker.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';

export const fault = { kind: 'fault', reason: 'connection refused' } as const;
export const throttled = { kind: 'throttled', reason: 'the service requested a wait' } as const;

/** A breaker, and what it told of its holds: after how many ms each was to end. */
export interface Told {
  readonly breaker: CircuitBreaker;
  readonly clock: FakeClock;
  readonly told: readonly (number | undefined)[];
  /** In ms since the epoch. */
  readonly start: number;
}

export function make(): Told {
  const clock = fakeClock();
  const breaker = createCircuitBreaker(clock, () => 1);
  const start = clock.now();
  const told: (number | undefined)[] = [];
  breaker.onDidChangeBackoff((hold?: Backoff) => told.push(hold && hold.until - start));
  return { breaker, clock, told, start };
}

/** What a pass has come to by now: `waiting` where it has come to nothing yet. */
export async function now(pass: Promise<Permit>): Promise<string> {
  const turn = await Promise.race([pass, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))]);
  return turn === 'waiting' ? turn : turn.kind;
}
