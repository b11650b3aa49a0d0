import type { Settings } from '../model/settings.ts';

/** How long answers are kept, and how soon failures are tried again. All in ms. */
export interface InsightsLimits {
  /** Whatever the service says, an answer is not asked for again before this. */
  readonly shortestLife: number;
  /** Nor trusted for longer than this. */
  readonly longestLife: number;
  /** For answers that come without word of it. */
  readonly usualLife: number;
  /** How long the service is believed not to know a package or version: a new one is published at any time. */
  readonly unknownLife: number;
  /** An advisory that is not known mostly means that the instance does not serve advisories. */
  readonly unknownAdvisoryLife: number;
  /** What failed is asked again after up to this, then after up to twice as long, and so on. */
  readonly firstRetry: number;
  readonly longestRetry: number;
  /** How long listeners wait for more, while more is under way, before they are told what arrived. */
  readonly learnPause: number;
  /** Packages and advisories asked for at a time. */
  readonly parallelLookUps: number;
  /** What the facts of everything that is wanted may take in memory, roughly and in bytes. */
  readonly keptBytes: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const insightsLimits: InsightsLimits = {
  shortestLife: 5 * minute,
  longestLife: 24 * hour,
  // The public instance sends `max-age=3600` with every answer.
  usualLife: hour,
  unknownLife: 10 * minute,
  unknownAdvisoryLife: hour,
  firstRetry: 5 * second,
  longestRetry: 5 * minute,
  learnPause: 50,
  parallelLookUps: 50,
  // 10,000 packages with lists of a hundred versions and three versions each: the largest monorepos known.
  keptBytes: 256 * 1024 * 1024,
};

/** The limits as a person has them; what is given counts more. */
export function limitsFor(
  freshness: Settings['freshness'] | undefined,
  given: Partial<InsightsLimits> | undefined,
): InsightsLimits {
  const chosen = freshness && { shortestLife: freshness.min * minute, longestLife: freshness.max * minute };
  return { ...insightsLimits, ...chosen, ...given };
}
