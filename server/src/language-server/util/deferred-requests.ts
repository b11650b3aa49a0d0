import type { CancellationToken } from 'vscode-languageserver';
import type { Clock } from '../../model/ports.ts';

/**
 * Requests that wait until they have something to show. A client would have to repeat an early empty answer, which on a
 * machine that is busy starting an editor takes longer than the facts do.
 */
export interface DeferredRequests {
  /** Resolves when `resume` is called, `patience` ms have passed, or the request is cancelled. */
  untilResumed(patience: number, token: CancellationToken): Promise<void>;
  /**
   * Ends all waits: there may be something to show.
   * @returns whether a request was waiting: its client needs no refresh
   */
  resume(): boolean;
}

export function createDeferredRequests(clock: Clock): DeferredRequests {
  const all = new Set<() => void>();
  return {
    untilResumed: (patience, token) =>
      new Promise((resolve) => {
        const cancelPatience = clock.after(patience, end);
        const subscription = token.onCancellationRequested(end);
        all.add(end);
        function end(): void {
          all.delete(end);
          cancelPatience();
          subscription.dispose();
          resolve();
        }
      }),
    resume() {
      const isAny = all.size > 0;
      for (const end of [...all]) end();
      return isAny;
    },
  };
}
