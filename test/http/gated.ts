import { createGate, type Gate, type Hold, type Turn } from '../../server/src/http/circuit-breaker.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';

export const fault = { kind: 'fault', reason: 'connection refused' } as const;
export const overload = { kind: 'overload', reason: 'the service asked to wait' } as const;

/** A gate, and what it told of its holds: after how many ms each was to end. */
export interface Told {
  readonly gate: Gate;
  readonly clock: FakeClock;
  readonly told: readonly (number | undefined)[];
  /** In ms since the epoch. */
  readonly start: number;
}

export function make(): Told {
  const clock = fakeClock();
  const gate = createGate(clock, () => 1);
  const start = clock.now();
  const told: (number | undefined)[] = [];
  gate.onDidHold((hold?: Hold) => told.push(hold && hold.until - start));
  return { gate, clock, told, start };
}

/** What a pass has come to by now: `waiting` where it has come to nothing yet. */
export async function now(pass: Promise<Turn>): Promise<string> {
  const turn = await Promise.race([pass, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))]);
  return turn === 'waiting' ? turn : turn.kind;
}
