/** Nothing is requested again sooner than this, in ms: a wait that has just ended must not become a loop. */
export const LEAST_WAIT = 1000;

/**
 * When what failed is due again, in ms since the epoch.
 * @param until the end of the wait that was requested; it may be over
 */
export function dueAfter(until: number, now: number): number {
  return Math.max(until, now + LEAST_WAIT);
}
