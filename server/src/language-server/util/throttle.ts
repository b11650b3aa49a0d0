import type { Clock } from '../../model/ports.ts';

/**
 * Work that is asked for again and again while facts arrive: one run at a time, what is asked meanwhile is one more run,
 * and after a run there is a pause, so that time is left for answers.
 * @param work never rejects
 * @param pause in ms, after a run that took so many; none where it is 0
 * @returns asks for a run; `isAll`: nothing will follow for now, so that no pause is made before it
 */
export function throttle(
  clock: Clock,
  work: () => Promise<void>,
  pause: (took: number) => number,
): (isAll?: boolean) => void {
  let state: 'idle' | 'busy' | 'asked again' = 'idle';
  /** Whether nothing will follow what is asked meanwhile. */
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

/** What is over before anybody notices, in ms: a manifest of a thousand dependencies is looked through in half of it. */
const NEGLIGIBLE_MS = 30;
/** A machine that was asleep meanwhile says nothing of how long it took. In ms. */
const MAX_PAUSE_MS = 1000;

/**
 * How long to leave documents alone once all of them were looked through: three times as long as that took, in ms. The
 * shorter of the last two looks counts: the first is a long one because all code runs for the first time.
 */
export function createPauses(): (took: number) => number {
  let before = 0;
  return (took) => {
    const usual = Math.min(before, took);
    before = took;
    return usual > NEGLIGIBLE_MS ? Math.min(MAX_PAUSE_MS, 3 * usual) : 0;
  };
}
