import { weigh } from '../../base/collections.ts';
import { retryDelay } from '../../http/retry.ts';
import type { Insight } from '../../model/facts.ts';
import type { Wanted } from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { Shelved } from '../cache/answer-cache.ts';
import type { Learnt } from '../service/responses.ts';
import type { Identified } from './canonical-key.ts';

/** Changes an entry by what was learnt of it: what it says, and when it is asked again. */
export function learn(
  entry: Entry,
  learnt: Exclude<Learnt<unknown>, { readonly kind: 'aborted' }>,
  now: number,
  limits: InsightsLimits,
  random: () => number,
): void {
  const { insight } = entry;
  if (learnt.kind === 'failed') {
    const { reason, until, outage } = learnt;
    entry.failures++;
    entry.outage = outage;
    entry.due = until ?? now + retryWait(entry.failures, limits, random);
    // What was known before is still the best there is.
    if (insight.state === 'ready' || insight.state === 'unknown')
      entry.insight = { ...insight, refresh: { failed: reason } };
    else entry.insight = { state: 'failed', reason, at: now };
    return;
  }
  entry.failures = 0;
  if (learnt.kind === 'unknown') {
    entry.due = now + (entry.wanted.kind === 'advisory' ? limits.unknownAdvisoryLife : limits.unknownLife);
    entry.insight = { state: 'unknown', at: now };
    return;
  }
  entry.due = now + lifeOf(learnt, limits);
  entry.insight = { state: 'ready', value: learnt.facts, at: now };
}

/** How long an answer is not asked for again, in ms. */
export function lifeOf(
  { life }: { readonly life?: number },
  { usualLife, shortestLife, longestLife }: Pick<InsightsLimits, 'usualLife' | 'shortestLife' | 'longestLife'>,
): number {
  return Math.min(longestLife, Math.max(shortestLife, life ?? usualLife));
}

/** Never at once, and never all together. */
function retryWait(failures: number, { firstRetry, longestRetry }: InsightsLimits, random: () => number): number {
  const half = () => 0.5 + random() / 2;
  return retryDelay(failures, firstRetry, longestRetry, half);
}

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

/** Something that somebody wants, or that is being asked for. */
export interface Entry {
  readonly id: string;
  readonly wanted: Wanted;
  /** How it is asked for, which is no part of what it is. */
  readonly byPurl: boolean;
  insight: Insight<unknown>;
  /** Roughly what its facts take in memory, in bytes. */
  weight: number;
  /** From when on it is asked again, in ms since the epoch; for what failed, too. */
  due: number;
  /** How many times in a row it failed. */
  failures: number;
  /** It failed because the service could not be asked, not because of what it answered. */
  outage: boolean;
  /** How many owners want it, and how many of them in the background alone. */
  owners: number;
  inBackground: number;
  /** Where it is on its way to the service. */
  at: 'rest' | 'queue' | Job;
}

/** A request under way. */
export interface Job {
  readonly abort: AbortController;
  readonly entries: ReadonlySet<Entry>;
  readonly background: boolean;
}

/** In ms, a month: no setting has answers trusted for longer, so what is due later is so by a clock that was set back. */
const latest = 31 * 24 * 3_600_000;

/** @param now in ms since the epoch */
export function isDue({ due }: Entry, now: number): boolean {
  return due <= now || due > now + latest;
}

export const pending: Insight<never> = { state: 'pending' };

/**
 * @param asked how somebody asked for it first
 * @param shelved what is known of it from before
 */
export function newEntry({ id, wanted }: Identified, asked: Wanted, shelved: Shelved | undefined): Entry {
  const { insight, due } = shelved ?? { insight: pending, due: 0 };
  const byPurl = asked.kind === 'version' && asked.by === 'purl';
  const weight = insight.state === 'ready' ? weigh(insight.value) : 0;
  return {
    id,
    wanted,
    byPurl,
    insight,
    weight,
    due,
    failures: 0,
    outage: false,
    owners: 0,
    inBackground: 0,
    at: 'rest',
  };
}

/** What it is, and how it is asked for. */
export function askedOf({ wanted, byPurl }: Entry): Wanted {
  return wanted.kind === 'version' && byPurl ? { ...wanted, by: 'purl' } : wanted;
}

export function isBackground(entry: Entry): boolean {
  return entry.owners === entry.inBackground;
}
