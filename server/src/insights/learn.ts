import { backoff } from '../net/retry.ts';
import type { Entry } from './entry.ts';
import type { InsightsLimits } from './limits.ts';
import type { Learnt } from './understand.ts';

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
  return backoff(failures, firstRetry, longestRetry, half);
}
