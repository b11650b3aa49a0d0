import type { Clock } from '../model/ports.ts';
import { wait } from '../net/retry.ts';

/** Those who wait for something to become true. */
export interface Waiting {
  /** Resolves when it is true, `patience` ms have passed, or the signal aborts; never within the same turn. */
  until(isTrue: () => boolean, patience: number, signal?: AbortSignal): Promise<void>;
  /** Something changed: looks whether anybody has waited long enough. */
  check(): void;
}

export function createWaiting(clock: Clock): Waiting {
  const open = new Map<AbortController, () => boolean>();
  let planned = false;

  return {
    async until(isTrue, patience, signal) {
      // Who asks again and again, for something that is true already, must not keep answers from arriving.
      if (isTrue()) return wait(clock, 0, signal);
      const done = new AbortController();
      open.set(done, isTrue);
      await wait(clock, patience, signal ? AbortSignal.any([signal, done.signal]) : done.signal);
      open.delete(done);
    },

    check() {
      if (planned || open.size === 0) return;
      planned = true;
      queueMicrotask(() => {
        planned = false;
        for (const [done, isTrue] of open) if (isTrue()) done.abort();
      });
    },
  };
}
