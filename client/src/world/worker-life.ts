/* Notices that a web worker has ended or hangs. A browser reports neither the end of its memory nor an endless loop. */

export const workerLife = {
  /** Between two looks, in ms. */
  beat: 2000,
  /**
   * Looks without an answer after which the worker counts as ended or hanging, 10 s at the latest. They are counted
   * instead of the time: a computer that slept has missed none. A lockfile of 32 MB keeps a worker busy for one of them.
   */
  missed: 4,
} as const;

export interface WatchedWorker {
  readonly worker: Pick<Worker, 'addEventListener' | 'terminate'>;
  /** Sends the worker a request that costs nothing. Any answer counts, and so does an error. */
  readonly ask: () => Promise<unknown>;
  /** Whether a person would notice that the worker hangs. Nothing is asked otherwise. */
  readonly isNeeded: () => boolean;
  /** Called once, after the worker was terminated. */
  readonly ended: (reason: string) => void;
}

/** Returns a function that ends the watch; a worker that is terminated on purpose has not crashed. */
export function watchWorker({ worker, ask, isNeeded, ended }: WatchedWorker): () => void {
  let waiting = 0;
  let isOver = false;
  const timer = setInterval(look, workerLife.beat);

  function stop(): void {
    isOver = true;
    clearInterval(timer);
  }

  function end(reason: string): void {
    if (isOver) return;
    stop();
    worker.terminate();
    ended(reason);
  }

  function look(): void {
    if (waiting > 0) {
      waiting++;
      if (waiting > workerLife.missed) end('no answer');
      return;
    }
    if (!isNeeded()) return;
    waiting = 1;
    const answered = (): void => {
      waiting = 0;
    };
    ask().then(answered, answered);
  }

  // An error that nothing catches ends the server of a desktop, too. Other listeners would only show it a second time.
  for (const type of ['error', 'messageerror'] as const) {
    worker.addEventListener(type, (event: Event) => {
      event.stopImmediatePropagation();
      end('message' in event ? String(event.message) : 'unreadable message');
    });
  }
  return stop;
}
