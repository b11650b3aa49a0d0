import type { Clock, FactChange, Insights, ReceivedFact } from '../../model/ports.ts';

/** Notifies listeners of each response at once, and a moment later, once for many, that facts have changed. */
export interface FactEvents extends Pick<Insights, 'onDidChange'> {
  received(facts: readonly ReceivedFact[], isInView: boolean): void;
  changed(): void;
  /** No request is left, so the notification of changed facts need not wait for more. */
  flush(): void;
  close(): void;
}

/** @param pause how long `changed` waits for further changes, in ms */
export function createFactEvents(clock: Clock, pause: number): FactEvents {
  const listeners = new Set<(change: FactChange) => void>();
  let cancel: (() => void) | undefined;
  let isFlushing = false;

  function emit(change: FactChange): void {
    for (const listener of [...listeners]) listener(change);
  }

  function notify(): void {
    const isSettled = isFlushing;
    cancel = undefined;
    isFlushing = false;
    emit({ kind: 'changed', isSettled });
  }

  return {
    received: (facts, isInView) => emit({ kind: 'received', facts, isInView }),

    changed() {
      cancel ??= clock.after(pause, notify);
    },

    flush() {
      if (cancel === undefined || isFlushing) return;
      cancel();
      isFlushing = true;
      // All responses of this turn are applied before a listener reads any.
      cancel = clock.after(0, notify);
    },

    onDidChange(listener) {
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
