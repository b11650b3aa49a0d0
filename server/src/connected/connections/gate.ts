import type { CallPriority } from '../../engine/model/connection.ts';

/**
 * Lets so many requests of a connection pass at a time: when a service requests a wait, no more than these are under way.
 */
export interface Gate {
  /** Waits for a place, which `leave` gives back. Those that a person waits for come first. */
  enter(priority: CallPriority, signal?: AbortSignal): Promise<'entered' | 'aborted'>;
  leave(): void;
}

export const gateLimits = {
  /** As many as browsers send to a host at a time, so that services expect them. */
  places: 6,
  /** A person does not wait for a slow answer to the background. */
  background: 5,
} as const;

interface Waiting {
  readonly priority: CallPriority;
  pass(): void;
}

export function createGate(): Gate {
  const waiting: Waiting[] = [];
  let inside = 0;

  function pump(): void {
    for (;;) {
      const next = waiting.find((it) => it.priority === 'asked') ?? waiting[0];
      if (next === undefined || inside >= (next.priority === 'asked' ? gateLimits.places : gateLimits.background))
        return;
      waiting.splice(waiting.indexOf(next), 1);
      inside++;
      next.pass();
    }
  }

  return {
    enter(priority, signal) {
      if (signal?.aborted) return Promise.resolve('aborted');
      return new Promise((resolve) => {
        const abort = (): void => {
          waiting.splice(waiting.indexOf(it), 1);
          resolve('aborted');
        };
        const it: Waiting = {
          priority,
          pass() {
            signal?.removeEventListener('abort', abort);
            resolve('entered');
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        waiting.push(it);
        pump();
      });
    },
    leave() {
      inside--;
      pump();
    },
  };
}
