import type { Clock } from '../model/ports.ts';

/**
 * How long to wait before an attempt, with full jitter: anything up to a bound that doubles. Clients that failed
 * together do not come back together.
 * @param failures so far, from 1
 * @param random from 0 up to 1
 */
export function backoff(failures: number, firstWait: number, longestWait: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWait, firstWait * 2 ** Math.min(failures - 1, 30)));
}

/**
 * The wait that a `Retry-After` header asks for, in ms: `120`, or `Wed, 21 Oct 2026 07:28:00 GMT`.
 * @param now ms since the epoch
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{0,9})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // `Date.parse` takes a bare number for a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(ms, end);
    function end(): void {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
  });
}
