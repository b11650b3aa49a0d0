import type { Clock } from '../../engine/model/ports.ts';

/**
 * Throttles work that is requested repeatedly while facts arrive: one run at a time, at most one more queued, and a
 * pause after each run that leaves time for answers.
 * @param work never rejects
 * @param pause the pause in ms after a run that took so many
 * @returns requests a run; `isAll`: nothing follows for now, so that no pause comes before it
 */
export function throttle(
  clock: Clock,
  work: () => Promise<void>,
  pause: (took: number) => number,
): (isAll?: boolean) => void {
  let state: 'idle' | 'busy' | 'asked again' = 'idle';
  /** Whether nothing follows the queued run. */
  let isComplete = false;
  let cancelPause: (() => void) | undefined;

  async function run(): Promise<void> {
    state = 'busy';
    isComplete = false;
    const began = clock.now();
    await work();
    const rest = pause(clock.now() - began);
    if (rest > 0 && !isComplete) cancelPause = clock.after(rest, next);
    else next();
  }

  function next(): void {
    cancelPause = undefined;
    const isAsked = state === 'asked again';
    state = 'idle';
    if (isAsked) void run();
  }

  return (isAll = false) => {
    if (state === 'idle') return void run();
    state = 'asked again';
    isComplete ||= isAll;
    if (!isAll || cancelPause === undefined) return;
    cancelPause();
    next();
  };
}

/** Collects what is given within one turn, for one call in the next. */
export function gather<T>(clock: Clock, work: (all: readonly T[]) => void): (some: readonly T[]) => void {
  let waiting: T[] = [];
  return (some) => {
    if (waiting.length === 0 && some.length > 0) {
      clock.after(0, () => {
        const all = waiting;
        waiting = [];
        work(all);
      });
    }
    waiting.push(...some);
  };
}

/** In ms: a shorter run needs no pause. A manifest of a thousand dependencies is evaluated in half of it. */
const NEGLIGIBLE_MS = 30;
/** The longest pause, in ms: a run during which the machine slept appears too long. */
const MAX_PAUSE_MS = 1000;

/**
 * The pause after evaluating all documents: three times as long as that took, in ms. The shorter of the last two runs
 * counts: all code runs for the first time in the first one.
 * @param least the shortest pause, in ms
 */
export function createPauses(least = 0): (took: number) => number {
  let before = 0;
  return (took) => {
    const usual = Math.min(before, took);
    before = took;
    return Math.max(least, usual > NEGLIGIBLE_MS ? Math.min(MAX_PAUSE_MS, 3 * usual) : 0);
  };
}
