import type { Clock } from '../model/ports.ts';

/**
 * Watches how long requests wait for a connection, and then for an answer. A silent host uses up its whole deadline, and
 * nothing fails before that.
 */
export interface LatencyMonitor {
  /** To be called when a request is sent. */
  track(): TrackedRequest;
  /** The phase that takes long; undefined if none does. */
  slowPhase(): 'connection' | 'answer' | undefined;
}

/** One attempt at a request. */
export interface TrackedRequest {
  /** To be called when a connection carries it. */
  readonly connected: () => void;
  /** To be called when it has ended, with an answer or without. */
  readonly end: () => void;
}

/** In ms: the first packet was lost by then, because it is sent again after one second. Source: RFC 6298, 2.1. */
const SLOW_CONNECTION = 2_000;

/** In ms: fifty times as long as nine of ten answers of the public service take. */
const SLOW_ANSWER = 5_000;

/** In ms: longer than the pause between two attempts, so the second attempt continues the wait of the first. */
const MAX_PAUSE = 1_000;

export function createLatencyMonitor(clock: Clock): LatencyMonitor {
  let running = 0;
  let connected = 0;
  /** Since when requests run without any connection, in ms since the epoch. */
  let unconnectedSince = 0;
  /** Since when connected requests run without any answer, in ms since the epoch. */
  let silentSince = 0;
  /** When the last request ended. */
  let lastEnd = Number.NEGATIVE_INFINITY;
  const isWaiting = (now: number): boolean => running > 0 || now - lastEnd <= MAX_PAUSE;

  return {
    track() {
      if (!isWaiting(clock.now())) unconnectedSince = clock.now();
      running++;
      let isConnected = false;
      return {
        connected() {
          if (isConnected) return;
          if (connected === 0) silentSince = clock.now();
          connected++;
          isConnected = true;
        },
        end() {
          running--;
          lastEnd = clock.now();
          if (!isConnected) return;
          connected--;
          [unconnectedSince, silentSince] = [lastEnd, lastEnd];
        },
      };
    },
    slowPhase() {
      const now = clock.now();
      if (connected > 0) return now - silentSince >= SLOW_ANSWER ? 'answer' : undefined;
      return now - unconnectedSince >= SLOW_CONNECTION && isWaiting(now) ? 'connection' : undefined;
    },
  };
}
