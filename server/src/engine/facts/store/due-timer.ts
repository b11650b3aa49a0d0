import type { Clock } from '../../model/ports.ts';

/** Answers that are due within so long of each other are requested again together, in ms: they came in one batch. */
const GATHER_MS = 5 * 60_000;
/** The longest wait at a time, in ms: a clock that was set back must not stop it for years. */
const MAX_WAIT_MS = 3_600_000;

/** One timer for the answers that stay in use: it rings when the first of them is due. */
export interface DueTimer {
  /** An answer is due at a time, in ms since the epoch. */
  plan(due: number): void;
  cancel(): void;
}

/** @param ring called with the time until which answers are to be requested now; later ones are to be planned again */
export function createDueTimer(clock: Clock, ring: (until: number) => void): DueTimer {
  let next = Number.POSITIVE_INFINITY;
  let stop = (): void => {};
  const cancel = (): void => {
    stop();
    next = Number.POSITIVE_INFINITY;
  };
  return {
    plan(due) {
      if (due >= next) return;
      cancel();
      next = due;
      const now = clock.now();
      stop = clock.after(Math.min(Math.max(0, due - now), MAX_WAIT_MS), () => {
        next = Number.POSITIVE_INFINITY;
        ring(clock.now() + (due > clock.now() ? 0 : GATHER_MS));
      });
    },
    cancel,
  };
}
