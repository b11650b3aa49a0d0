import type { CancellationToken } from 'vscode-languageserver';
import type { Clock } from '../../model/ports.ts';

/**
 * Requests that have nothing to show so far, and are answered when they have. Answered at once they would have to be
 * asked again, and on a machine that is busy opening an editor that takes longer than the facts do.
 */
export interface DeferredRequests {
  /** Resolves when `resume` is called, `patience` ms have passed, or the request is cancelled. */
  untilResumed(patience: number, token: CancellationToken): Promise<void>;
  /**
   * There may be something to show.
   * @returns whether a request was postponed: who sent it need not be told to ask again
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
