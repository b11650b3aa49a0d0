import type { Clock } from '../model/ports.ts';

/** Tells listeners that something was learnt: a moment later, together with what else arrives until then. */
export interface Notice {
  learnt(): void;
  /** Nothing more is under way: what was learnt is told now. */
  hurry(): void;
  onDidLearn(listener: () => void): () => void;
  close(): void;
}

/** @param pause how long more is waited for, in ms */
export function createNotice(clock: Clock, pause: number): Notice {
  const listeners = new Set<() => void>();
  let cancel: (() => void) | undefined;
  let isHurried = false;

  function tell(): void {
    cancel = undefined;
    isHurried = false;
    for (const listener of [...listeners]) listener();
  }

  return {
    learnt() {
      cancel ??= clock.after(pause, tell);
    },

    hurry() {
      if (cancel === undefined || isHurried) return;
      cancel();
      isHurried = true;
      // The answers that came together are all taken in before anybody looks.
      cancel = clock.after(0, tell);
    },

    onDidLearn(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      cancel?.();
      cancel = undefined;
      listeners.clear();
    },
  };
}
