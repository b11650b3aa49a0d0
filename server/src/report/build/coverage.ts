import type { Snapshot } from '../../analysis/snapshot.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { Coverage, Unchecked } from '../report.ts';

/** What became of one dependency, as far as asking the service goes. */
type Standing =
  /** From a folder, a repository, an address or the workspace itself: no registry has it. */
  | 'elsewhere'
  | 'lookedUp'
  | 'withheld'
  | 'unknown'
  | 'failed'
  /** What it comes to is not known: nothing was asked. */
  | 'unchecked';

/** What is still pending when it is counted has no answer in time. */
export function standingOf({ linked, resolution, version }: EvaluatedDependency): Standing {
  switch (resolution.kind) {
    case 'pending':
    case 'failed':
      return 'failed';
    case 'unknown':
    case 'unlisted':
      return 'unknown';
    case 'no-match':
      return 'lookedUp';
    case 'none':
      if (resolution.withheld) return 'withheld';
      return linked.requirement.kind === 'source' ? 'elsewhere' : 'unchecked';
    case 'version':
      switch (version?.state) {
        case 'ready':
          return 'lookedUp';
        case 'unknown':
          return 'unknown';
        default:
          return 'failed';
      }
  }
}

/** How many dependencies came to what. */
export type Looked = Pick<Coverage, 'total' | 'lookedUp' | 'withheld' | 'unknown' | 'failed' | 'unchecked'>;

export function lookedOf(dependencies: readonly EvaluatedDependency[]): Looked {
  const counts = { elsewhere: 0, lookedUp: 0, withheld: 0, unknown: 0, failed: 0, unchecked: 0 };
  for (const it of dependencies) counts[standingOf(it)]++;
  const { elsewhere, lookedUp, ...looked } = counts;
  return { total: dependencies.length - elsewhere, ...looked, lookedUp: lookedUp + looked.unknown };
}

/** Why dependencies were not asked about, for another reason than that their names stay private; the most first. */
export function uncheckedIn(dependencies: readonly EvaluatedDependency[]): Unchecked[] {
  const found = new Map<string, number>();
  for (const it of dependencies) {
    if (it.resolution.kind !== 'none' || standingOf(it) !== 'unchecked') continue;
    const { reason } = it.resolution;
    found.set(reason, (found.get(reason) ?? 0) + 1);
  }
  return [...found].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/** What stands in each file, of which one that several manifests include counts once. */
export function filesIn(snapshots: readonly Snapshot[]): readonly (readonly EvaluatedDependency[])[] {
  const files = new Map<string, readonly EvaluatedDependency[]>();
  for (const it of snapshots) for (const { uri, dependencies } of [it, ...it.included]) files.set(uri, dependencies);
  return [...files.values()];
}
