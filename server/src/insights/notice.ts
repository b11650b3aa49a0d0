import type { Clock } from '../model/ports.ts';

/** Tells listeners that something was learnt: at once, then at most every `pause` ms while more keeps arriving. */
export interface Notice {
  learnt(): void;
  /** Nothing more is under way: what was learnt is told without a pause. */
  hurry(): void;
  onDidLearn(listener: () => void): () => void;
  close(): void;
}

export function createNotice(clock: Clock, pause: number): Notice {
  const listeners = new Set<() => void>();
  let told = Number.NEGATIVE_INFINITY;
  let planned: 'not' | 'now' | { readonly cancel: () => void } = 'not';

  function tell(): void {
    if (planned === 'not') return;
    planned = 'not';
    told = clock.now();
    for (const listener of [...listeners]) listener();
  }

  function tellNow(): void {
    if (planned !== 'not' && planned !== 'now') planned.cancel();
    planned = 'now';
    // The answers that came together are all taken in before anybody looks.
    clock.after(0, tell);
  }

  return {
    learnt() {
      if (planned !== 'not') return;
      const left = told + pause - clock.now();
      if (left > 0) planned = { cancel: clock.after(left, tell) };
      else tellNow();
    },

    hurry() {
      if (planned !== 'not' && planned !== 'now') tellNow();
    },

    onDidLearn(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      if (planned !== 'not' && planned !== 'now') planned.cancel();
      planned = 'not';
      listeners.clear();
    },
  };
}
