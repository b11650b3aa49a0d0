import { weigh } from '../../base/collections.ts';
import { dueAfter } from '../../base/due.ts';
import type { Insight } from '../../model/facts.ts';
import type { ServiceFact } from '../../model/ports.ts';
import type { CachedAnswer } from '../cache/answer-cache.ts';
import type { CanonicalFact } from '../canonical-key.ts';
import type { LookupResult } from '../service/responses.ts';
import { type Lifetimes, lifetimeOf, retryWait } from './lifetimes.ts';

/** A fact that an owner wants, or that is being requested. */
export interface Entry {
  readonly id: string;
  readonly wanted: ServiceFact;
  /** Whether it is requested by its purl. The fact is the same. */
  readonly byPurl: boolean;
  insight: Insight<unknown>;
  /** The approximate size of its facts in memory, in bytes. */
  weight: number;
  /** When it is requested again, in ms since the epoch; a failed one, too. */
  due: number;
  /** Failures in a row. */
  failures: number;
  /** It failed because the service was not reached, not because of its response. */
  outage: boolean;
  /** How many owners want it, and how many of these only in the background. */
  subscribers: number;
  inBackground: number;
  /** Its place on the way to the service. */
  at: 'rest' | 'queue' | Job;
}

/** A running request. */
export interface Job {
  readonly abort: AbortController;
  readonly entries: ReadonlySet<Entry>;
  readonly background: boolean;
}

export const pending: Insight<never> = { state: 'pending' };
export const late: Insight<never> = { state: 'pending', isLate: true };

/**
 * @param asked the fact as the first owner names it
 * @param cached a former answer
 */
export function newEntry({ id, wanted }: CanonicalFact, asked: ServiceFact, cached: CachedAnswer | undefined): Entry {
  const { insight, due } = cached ?? { insight: pending, due: 0 };
  return {
    id,
    wanted,
    byPurl: asked.kind === 'version' && asked.by === 'purl',
    insight,
    weight: insight.state === 'ready' ? weigh(insight.value) : 0,
    due,
    failures: 0,
    outage: false,
    subscribers: 0,
    inBackground: 0,
    at: 'rest',
  };
}

/**
 * Updates the insight of an entry, and when it is requested again.
 * @returns whether anything differs: the same answer again leaves the insight, and what was concluded from it, as it is
 */
export function applyResult(
  entry: Entry,
  result: Exclude<LookupResult<unknown>, { readonly kind: 'aborted' }>,
  now: number,
  lifetimes: Lifetimes,
  random: () => number,
): boolean {
  const { insight } = entry;
  if (result.kind === 'failed') {
    const { reason, until, outage } = result;
    entry.failures++;
    entry.outage = outage;
    entry.due = dueAfter(until ?? now + retryWait(entry.failures, lifetimes, random), now);
    // The former answer stays until there is a newer one.
    if (insight.state === 'ready' || insight.state === 'unknown')
      entry.insight = { ...insight, refresh: { failed: reason } };
    else entry.insight = { state: 'failed', reason, at: now };
    return true;
  }
  entry.failures = 0;
  entry.due = dueAfter(now + lifetimeOf(result, entry.wanted.kind, lifetimes), now);
  if (isSameAnswer(insight, result)) {
    (insight as { at: number }).at = now;
    return false;
  }
  entry.insight = answeredInsight(result, now);
  return true;
}

/** @param at when the service answered, in ms since the epoch */
export function answeredInsight<T>(
  result: Extract<LookupResult<T>, { readonly kind: 'facts' | 'unknown' }>,
  at: number,
): Extract<Insight<T>, { readonly state: 'ready' | 'unknown' }> {
  if (result.kind === 'facts') return { state: 'ready', value: result.facts, at };
  return { state: 'unknown', at, ...(result.isMalicious && { isMalicious: true }) };
}

/** Whether an answer has come again that was refreshed without a notice. */
function isSameAnswer(
  insight: Insight<unknown>,
  result: Extract<LookupResult<unknown>, { kind: 'facts' | 'unknown' }>,
) {
  if (insight.state === 'unknown')
    return insight.refresh === undefined && result.kind === 'unknown' && insight.isMalicious === result.isMalicious;
  if (insight.state !== 'ready' || insight.refresh !== undefined || result.kind !== 'facts') return false;
  return JSON.stringify(insight.value) === JSON.stringify(result.facts);
}

/** The fact in the form in which it is requested. */
export function requestOf({ wanted, byPurl }: Entry): ServiceFact {
  return wanted.kind === 'version' && byPurl ? { ...wanted, by: 'purl' } : wanted;
}

export function isBackground(entry: Entry): boolean {
  return entry.subscribers === entry.inBackground;
}
