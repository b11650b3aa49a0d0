import type { CancellationToken } from 'vscode-languageserver';
import type { Clock } from '../../engine/model/ports.ts';

/**
 * Requests that wait until they have something to show. A client would have to repeat an early empty answer, which on a
 * machine that is busy starting an editor takes longer than the facts do.
 */
export interface DeferredRequests {
  /** Resolves when `resume` is called, `patience` ms have passed, or the request is cancelled. */
  untilResumed(patience: number, token: CancellationToken): Promise<void>;
  /** Resolves after `ms`, or when the request is cancelled. */
  pause(ms: number, token: CancellationToken): Promise<void>;
  /**
   * Ends all waits, but no pause: there may be something to show.
   * @returns whether a request was waiting or paused: its client needs no refresh
   */
  resume(): boolean;
}

export function createDeferredRequests(clock: Clock): DeferredRequests {
  const waits = new Set<() => void>();
  const pauses = new Set<() => void>();

  function untilEnd(among: Set<() => void>, ms: number, token: CancellationToken): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimeout = clock.after(ms, end);
      const subscription = token.onCancellationRequested(end);
      among.add(end);
      function end(): void {
        among.delete(end);
        cancelTimeout();
        subscription.dispose();
        resolve();
      }
    });
  }

  return {
    untilResumed: (patience, token) => untilEnd(waits, patience, token),
    pause: (ms, token) => untilEnd(pauses, ms, token),
    resume() {
      const isAny = waits.size + pauses.size > 0;
      for (const end of [...waits]) end();
      return isAny;
    },
  };
}
