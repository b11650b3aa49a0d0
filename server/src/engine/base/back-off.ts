/** In ms. */
export interface BackOff {
  /** After the first failure. */
  readonly first: number;
  readonly longest: number;
}

/**
 * How long to wait after some failures in a row, in ms: twice as long after each.
 * @param failures from 1
 */
export function backOff(failures: number, { first, longest }: BackOff): number {
  return Math.min(longest, first * 2 ** Math.min(Math.max(0, failures - 1), 30));
}

/**
 * Between half of a wait and all of it: what failed together is not requested again together.
 * @param random from 0 up to 1
 */
export function spread(ms: number, random: () => number): number {
  return Math.round(ms * (0.5 + random() / 2));
}
