import type { Clock, ReceivedFact } from '../../model/ports.ts';

/**
 * Tells listeners what was answered, at once, and that something was learnt: a moment later, together with what else
 * arrives until then.
 */
export interface Notice {
  answered(all: readonly ReceivedFact[], isInView: boolean): void;
  learnt(): void;
  /** Nothing more is under way: what was learnt is told now. */
  hurry(): void;
  onDidAnswer(listener: (answered: readonly ReceivedFact[], isInView: boolean) => void): () => void;
  onDidLearn(listener: (isAll: boolean) => void): () => void;
  close(): void;
}

/** @param pause how long more is waited for, in ms */
export function createNotice(clock: Clock, pause: number): Notice {
  const listeners = new Set<(isAll: boolean) => void>();
  const answerListeners = new Set<(answered: readonly ReceivedFact[], isInView: boolean) => void>();
  let cancel: (() => void) | undefined;
  let isHurried = false;

  function tell(): void {
    const isAll = isHurried;
    cancel = undefined;
    isHurried = false;
    for (const listener of [...listeners]) listener(isAll);
  }

  return {
    answered(all, isInView) {
      for (const listener of [...answerListeners]) listener(all, isInView);
    },

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

    onDidAnswer(listener) {
      answerListeners.add(listener);
      return () => answerListeners.delete(listener);
    },

    onDidLearn(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      cancel?.();
      cancel = undefined;
      listeners.clear();
      answerListeners.clear();
    },
  };
}
