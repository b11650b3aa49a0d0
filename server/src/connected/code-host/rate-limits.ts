/*
 * The rate limits of the code host's REST interface. Source of every figure: the accounting contract, C, Limits.
 */

/** Secondary limits, which apply beside the primary one. They change without notice. */
export const secondaryLimits = {
  /** Requests at a time, over all interfaces. */
  concurrent: 100,
  /** Of one caller and resource. */
  pointsPerMinute: 900,
  /** The shortest wait after a limit that names none, in ms. */
  leastWait: 60_000,
} as const;

/** The points of a request. Some cost more, which is not published. */
export function pointsOf(verb: string): number {
  return verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS' ? 1 : 5;
}
