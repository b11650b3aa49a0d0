import { type Insights, readingOf, type Wanted, wantedId } from '../model/ports.ts';
import type { Failure } from '../report/report.ts';

/** The facts, with a count of what was asked of them and what became of it. */
export interface Tally extends Insights {
  /** Asks for what was wanted since the last time, all at once: manifests share what they name, and batches. */
  ask(): void;
  counts(): Counts;
}

export interface Counts {
  readonly asked: number;
  readonly pending: number;
  /** Most frequent first. */
  readonly failures: readonly Failure[];
}

/** Counts what passes through to the facts. What is asked for twice counts once. */
export function tally(insights: Insights): Tally {
  const owners = new Map<string, readonly Wanted[]>();
  /** What was not asked for yet. */
  const held = new Map<string, () => void>();
  /** What all of them want, each once; undefined where that has changed since it was put together. */
  let together: readonly Wanted[] | undefined;
  return {
    ...insights,
    want(owner, wanted, background) {
      owners.set(owner, wanted);
      together = undefined;
      held.set(owner, () => insights.want(owner, wanted, background));
    },
    // Manifests of a survey are asked about together.
    wantAlso: () => {},
    ask() {
      for (const want of held.values()) want();
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
      for (const wanted of together) {
        const insight = readingOf(insights, wanted);
        if (insight.state === 'pending') pending++;
        if (insight.state === 'failed') failed.set(insight.reason, (failed.get(insight.reason) ?? 0) + 1);
      }
      const failures = [...failed].map(([reason, count]) => ({ reason, count }));
      return {
        asked: together.length,
        pending,
        failures: failures.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
      };
    },
  };
}
