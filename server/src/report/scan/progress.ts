import { refreshOf } from '../../model/facts.ts';
import { type Insights, readInsight, type Wanted, wantedId } from '../../model/ports.ts';
import type { Failure } from '../report.ts';

/** The facts, with a count of what was asked of them and what became of it. */
export interface Tally extends Insights {
  /** Asks for what was wanted since the last time, all at once: manifests share what they name, and batches. */
  ask(): void;
  counts(): Counts;
}

export interface Counts {
  readonly asked: number;
  /** Including what has an old answer that is being asked for again. */
  readonly pending: number;
  /** Most frequent first. */
  readonly failures: readonly Failure[];
  /** Answers past their freshness; absent where all hold. */
  readonly old?: Old;
}

/** Answers past their freshness that are shown for want of newer ones. */
export interface Old {
  readonly count: number;
  /** When the oldest was given, in ms since the epoch. */
  readonly since: number;
  /** How many of them are being asked for again. */
  readonly pending: number;
}

/**
 * Counts what passes through to the facts. What is asked for twice counts once.
 * @param offline a person has said that old answers will do: that they cannot be had anew is no failure
 */
export function tally(insights: Insights, offline: boolean): Tally {
  const owners = new Map<string, readonly Wanted[]>();
  /** What was not asked for yet. */
  const held = new Map<string, () => void>();
  /** What all of them want, each once; undefined where that has changed since it was put together. */
  let together: readonly Wanted[] | undefined;
  return {
    ...insights,
    request(owner, wanted, background) {
      owners.set(owner, wanted);
      together = undefined;
      held.set(owner, () => insights.request(owner, wanted, background));
    },
    // A scan requests the facts of all its manifests together.
    requestAlso: () => {},
    ask() {
      for (const request of held.values()) request();
      held.clear();
    },
    release(owner) {
      owners.delete(owner);
      held.delete(owner);
      together = undefined;
      insights.release(owner);
    },
    counts() {
      together ??= [...new Map([...owners.values()].flat().map((it) => [wantedId(it), it])).values()];
      const failed = new Map<string, number>();
      let pending = 0;
      let old: Old | undefined;
      const fail = (reason: string) => failed.set(reason, (failed.get(reason) ?? 0) + 1);
      for (const wanted of together) {
        const insight = readInsight(insights, wanted);
        if (insight.state === 'pending') pending++;
        if (insight.state === 'failed') fail(insight.reason);
        const refresh = refreshOf(insight);
        if (refresh === undefined || !('at' in insight)) continue;
        const isPending = refresh === 'pending';
        if (isPending) pending++;
        else if (!offline) fail(refresh.failed);
        const { count = 0, since = insight.at, pending: others = 0 } = old ?? {};
        old = { count: count + 1, since: Math.min(since, insight.at), pending: others + Number(isPending) };
      }
      const failures = [...failed].map(([reason, count]) => ({ reason, count }));
      return {
        asked: together.length,
        pending,
        failures: failures.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
        ...(old && { old }),
      };
    },
  };
}
