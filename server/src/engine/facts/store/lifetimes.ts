import { type BackOff, backOff, spread } from '../../base/back-off.ts';
import type { Insight } from '../../model/facts.ts';
import type { ServiceFact } from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { LookupResult } from '../service/responses.ts';

/** How long a fact counts as fresh, and how soon a failed one is requested again. All in ms. */
export interface Lifetimes {
  /** A fact stays fresh for at least this long, even if the service allows less. */
  readonly minLifetime: number;
  /** A fact stays fresh for at most this long, even if the service allows more. */
  readonly maxLifetime: number;
  /** What says whether a version is malware stays fresh for at most this long, or for `minLifetime`. */
  readonly maxProblemLifetime: number;
  /** For responses without a lifetime. */
  readonly defaultLifetime: number;
  /** How long an unknown package or version stays unknown: it may be published at any time. */
  readonly unknownLifetime: number;
  /** An unknown advisory mostly means that the instance serves no advisories. */
  readonly unknownAdvisoryLifetime: number;
  /** Scores and similar names change slowly, and an instance may lack them. */
  readonly signalLifetime: number;
  /** A failed fact is requested again after up to this, then after up to twice as long, and so on. */
  readonly retry: BackOff;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const defaults: Lifetimes = {
  minLifetime: 5 * MINUTE,
  maxLifetime: 24 * HOUR,
  // Stolen packages are found and withdrawn within hours.
  maxProblemLifetime: HOUR,
  // The public instance sends `max-age=3600` with every response.
  defaultLifetime: HOUR,
  unknownLifetime: 10 * MINUTE,
  unknownAdvisoryLifetime: HOUR,
  signalLifetime: 24 * HOUR,
  retry: { first: 5 * SECOND, longest: 5 * MINUTE },
};

/** No setting allows a longer lifetime, in ms, so a later due date comes from a clock that was set back. */
const MAX_SETTING = 31 * 24 * HOUR;

/** The lifetimes that the settings of a person result in. `given` overrides them. */
export function lifetimesFor(freshness: Settings['freshness'] | undefined, given: Partial<Lifetimes> = {}): Lifetimes {
  const chosen = freshness && { minLifetime: freshness.min * MINUTE, maxLifetime: freshness.max * MINUTE };
  return { ...defaults, ...chosen, ...given };
}

/** For how long a result is not requested again, in ms. */
export function lifetimeOf(
  result: Extract<LookupResult<unknown>, { readonly kind: 'facts' | 'unknown' }>,
  kind: ServiceFact['kind'] | undefined,
  lifetimes: Lifetimes,
): number {
  const { minLifetime, defaultLifetime, unknownLifetime, unknownAdvisoryLifetime, signalLifetime } = lifetimes;
  const maxLifetime = longestLifetime(kind, lifetimes);
  if (kind === 'project' || kind === 'similar') return Math.min(maxLifetime, signalLifetime);
  if (result.kind === 'unknown') return kind === 'advisory' ? unknownAdvisoryLifetime : unknownLifetime;
  return Math.min(maxLifetime, Math.max(minLifetime, result.lifetime ?? defaultLifetime));
}

/** For how long an answer of a kind is not requested again at most, in ms, whatever the service allows. */
export function longestLifetime(
  kind: string | undefined,
  { minLifetime, maxLifetime, maxProblemLifetime }: Lifetimes,
): number {
  const saysProblems = kind === 'version' || kind === 'advisory';
  return saysProblems ? Math.min(maxLifetime, Math.max(minLifetime, maxProblemLifetime)) : maxLifetime;
}

/**
 * When what may turn out to be malware is requested again while it is in use, in ms since the epoch: versions, and lists
 * of versions, which ranges resolve by. Undefined for other answers.
 */
export function refreshAt(
  { wanted, insight, due }: { readonly wanted: ServiceFact; readonly insight: Insight<unknown>; readonly due: number },
  lifetimes: Lifetimes,
): number | undefined {
  if (insight.state !== 'ready' && insight.state !== 'unknown') return undefined;
  if (wanted.kind === 'version') return due;
  if (wanted.kind !== 'package') return undefined;
  // A package that is published meanwhile is known within the hour, too, and no sooner: its name may be a private one.
  return insight.state === 'unknown' ? Math.max(due, insight.at + longestLifetime('version', lifetimes)) : due;
}

/** How long a failed fact waits, in ms: never zero, and never the same for all. */
export function retryWait(failures: number, { retry }: Lifetimes, random: () => number): number {
  return spread(backOff(failures, retry), random);
}

/**
 * Whether a fact is to be requested again.
 * @param now in ms since the epoch
 */
export function isDue({ due }: { readonly due: number }, now: number): boolean {
  return due <= now || due > now + MAX_SETTING;
}
