import type { Clock } from '../model/ports.ts';

/**
 * Whether requests wait for so long that somebody will wonder: for a connection, or for anything to come over one. A host
 * that says nothing lets the whole time pass that it is given, and until then nothing has failed.
 */
export interface Reaching {
  /** A request sets out. */
  setOut(): Trip;
  /** What is waited for; undefined where nothing takes long. */
  slow(): 'connection' | 'answer' | undefined;
}

/** One attempt at a request. */
export interface Trip {
  /** A connection carries it. */
  readonly carried: () => void;
  /** It has its answer, or will have none. */
  readonly end: () => void;
}

const limits = {
  /** In ms: by then the first packet was lost, since it is sent once more after one second (RFC 6298, 2.1). */
  connection: 2_000,
  /** In ms: fifty times what nine of ten answers of the public service take. */
  answer: 5_000,
  /** In ms: longer than between two attempts at one request, so that a second one does not count from anew. */
  rest: 1_000,
} as const;

export function createReaching(clock: Clock): Reaching {
  let underWay = 0;
  let carried = 0;
  /** From when on requests were out and no connection carried any, in ms since the epoch. */
  let since = 0;
  /** From when on connections carried some, and nothing ended, in ms since the epoch. */
  let silent = 0;
  /** When the last one that was out ended. */
  let left = Number.NEGATIVE_INFINITY;
  const isOut = (now: number): boolean => underWay > 0 || now - left <= limits.rest;

  return {
    setOut() {
      if (!isOut(clock.now())) since = clock.now();
      underWay++;
      let isCarried = false;
      return {
        carried() {
          if (isCarried) return;
          if (carried === 0) silent = clock.now();
          carried++;
          isCarried = true;
        },
        end() {
          underWay--;
          left = clock.now();
          if (!isCarried) return;
          carried--;
          [since, silent] = [left, left];
        },
      };
    },
    slow() {
      const now = clock.now();
      if (carried > 0) return now - silent >= limits.answer ? 'answer' : undefined;
      return now - since >= limits.connection && isOut(now) ? 'connection' : undefined;
    },
  };
}
