import { type Insight, refreshOf } from '../../model/facts.ts';
import { type Insights, readInsight, type Wanted, wantedId } from '../../model/ports.ts';
import type { Failure } from '../report.ts';

/** The facts, with a count of what was requested from them and of the answers. */
export interface TrackedInsights extends Insights {
  /** Requests everything wanted since the last call at once: manifests share packages, and so batches. */
  requestWanted(): void;
  progress(): ScanProgress;
  /** Nothing is waited for any more: an advisory without an answer has failed. */
  conclude(): void;
}

export interface ScanProgress {
  readonly asked: number;
  /** Including stale answers that are being requested again. */
  readonly pending: number;
  /** Most frequent first. */
  readonly failures: readonly Failure[];
  /** Why the code host did not answer for repositories. Not part of `failures`. */
  readonly repositories: readonly Failure[];
  /** Part of `pending`. */
  readonly pendingRepositories: number;
  /** Answers past their freshness; absent where all are fresh. */
  readonly old?: StaleAnswers;
}

/** Answers past their freshness that are shown because there are no newer ones. */
export interface StaleAnswers {
  readonly count: number;
  /** When the oldest was given, in ms since the epoch. */
  readonly since: number;
  /** How many of them are being requested again. */
  readonly pending: number;
}

/**
 * Counts the requests that pass through to the facts. Several requests for one fact count once.
 * @param withBackground whether the facts of the background are waited for, too
 * @param acceptsStale stale answers are acceptable: that they cannot be refreshed is not a failure
 */
export function trackProgress(insights: Insights, acceptsStale: boolean, withBackground = false): TrackedInsights {
  const owners = new Map<string, readonly Wanted[]>();
  /** Requests that are not sent yet, by owner. */
  const held = new Map<string, () => void>();
  /** All distinct wanted facts; undefined when they have changed since they were collected. */
  let allWanted: readonly Wanted[] | undefined;
  let isConcluded = false;
  return {
    ...insights,
    advisory(id) {
      const insight = insights.advisory(id);
      return isConcluded && insight.state === 'pending' ? unanswered : insight;
    },
    revision: () => insights.revision() + Number(isConcluded),
    conclude() {
      isConcluded = true;
    },
    request(owner, wanted, background) {
      owners.set(owner, withBackground ? [...wanted, ...(background ?? [])] : wanted);
      allWanted = undefined;
      held.set(owner, () => insights.request(owner, wanted, background));
    },
    // A scan requests the facts of all its manifests together.
    requestAlso: () => {},
    requestWanted() {
      for (const request of held.values()) request();
      held.clear();
    },
    release(owner) {
      owners.delete(owner);
      held.delete(owner);
      allWanted = undefined;
      insights.release(owner);
    },
    progress() {
      allWanted ??= [...new Map([...owners.values()].flat().map((it) => [wantedId(it), it])).values()];
      const [failed, unanswered] = [new Map<string, number>(), new Map<string, number>()];
      let [pending, pendingRepositories] = [0, 0];
      let old: StaleAnswers | undefined;
      for (const wanted of allWanted) {
        const insight = readInsight(insights, wanted);
        const isRepository = wanted.kind === 'repository';
        const reasons = isRepository ? unanswered : failed;
        const fail = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        if (insight.state === 'pending') {
          pending++;
          if (isRepository) pendingRepositories++;
        }
        if (insight.state === 'failed') fail(insight.reason);
        const refresh = refreshOf(insight);
        if (refresh === undefined || !('at' in insight)) continue;
        const isPending = refresh === 'pending';
        if (isPending) pending++;
        else if (!acceptsStale) fail(refresh.failed);
        const { count = 0, since = insight.at, pending: others = 0 } = old ?? {};
        old = { count: count + 1, since: Math.min(since, insight.at), pending: others + Number(isPending) };
      }
      return {
        asked: allWanted.length,
        pending,
        failures: mostFrequentFirst(failed),
        repositories: mostFrequentFirst(unanswered),
        pendingRepositories,
        ...(old && { old }),
      };
    },
  };
}

/** One object for all, since evaluations compare insights. The reason is that of the scan. */
const unanswered: Insight<never> = { state: 'failed', reason: '', at: 0 };

function mostFrequentFirst(reasons: ReadonlyMap<string, number>): readonly Failure[] {
  return [...reasons]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
