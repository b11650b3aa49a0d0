import type { Clock } from '../model/ports.ts';

/**
 * Work that is asked for again and again while facts arrive: one run at a time, what is asked meanwhile is one more run,
 * and after a run there is a pause, so that time is left for answers.
 * @param work never rejects
 * @param pause in ms; none where it is 0
 * @returns asks for a run
 */
export function unhurried(clock: Clock, work: () => Promise<void>, pause: () => number): () => void {
  let state: 'idle' | 'busy' | 'asked again' = 'idle';

  async function run(): Promise<void> {
    state = 'busy';
    await work();
    const rest = pause();
    if (rest > 0) clock.after(rest, next);
    else next();
  }

  function next(): void {
    const isAsked = state === 'asked again';
    state = 'idle';
    if (isAsked) void run();
  }

  return () => {
    if (state === 'idle') void run();
    else state = 'asked again';
  };
}

const limits = {
  /** Characters that are looked through again before anybody notices. Manifests that people write stay far below it. */
  brief: 200_000,
  /** Measured: a lockfile of 10 million characters, with 20,000 packages, is looked through again in 0.3 s. */
  charactersPerMs: 10_000,
} as const;

/** How long to leave documents alone once all of them were looked through: about three times as long as that took, in ms. */
export function pauseAfter(documents: readonly { readonly text: string }[]): number {
  const characters = documents.reduce((sum, it) => sum + it.text.length, 0);
  return characters > limits.brief ? characters / limits.charactersPerMs : 0;
}
