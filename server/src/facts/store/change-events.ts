import type { Clock, ConnectedInsights, ReceivedFact } from '../../model/ports.ts';

/** Notifies listeners of each response at once, and of changed facts a moment later, once for many. */
export interface FactEvents extends Pick<ConnectedInsights, 'onDidReceive' | 'onDidChange'> {
  received(facts: readonly ReceivedFact[], isInView: boolean): void;
  changed(): void;
  /** No request is left, so `onDidChange` need not wait for more. */
  flush(): void;
  close(): void;
}

/** @param pause how long `onDidChange` waits for further changes, in ms */
export function createFactEvents(clock: Clock, pause: number): FactEvents {
  const changeListeners = new Set<(isAll: boolean) => void>();
  const receiveListeners = new Set<(received: readonly ReceivedFact[], isInView: boolean) => void>();
  let cancel: (() => void) | undefined;
  let isFlushing = false;

  function notify(): void {
    const isAll = isFlushing;
    cancel = undefined;
    isFlushing = false;
    for (const listener of [...changeListeners]) listener(isAll);
  }

  return {
    received(facts, isInView) {
      for (const listener of [...receiveListeners]) listener(facts, isInView);
    },

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

    onDidReceive(listener) {
      receiveListeners.add(listener);
      return () => receiveListeners.delete(listener);
    },

    onDidChange(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },

    close() {
      cancel?.();
      cancel = undefined;
      changeListeners.clear();
      receiveListeners.clear();
    },
  };
}
