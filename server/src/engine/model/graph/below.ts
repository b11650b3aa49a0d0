import type { VersionKey } from '../keys.ts';
import type { Advisory } from '../signals/advisory.ts';
import type { LockedGraph } from './locked-graph.ts';
import type { ReleaseInsight } from './releases.ts';

/**
 * What a direct dependency brings along by its lockfile, and what is known of it at this moment:
 *
 *     express 4.19.2 ─→ body-parser 1.20.2 ─→ qs 6.11.0 (1 advisory)
 *
 *     count 3 · affected: qs 6.11.0 by express → body-parser → qs · unchecked: none
 *
 * Made in the background and kept while the lockfile and the facts stay the same: reading it costs nothing.
 */
export interface Below {
  /** The file name of the lockfile. */
  readonly lockfile: string;
  readonly graph: LockedGraph;
  /** The nodes of the dependency itself: several where it is locked for several environments. */
  readonly nodes: readonly number[];
  /** Versions of packages, without the dependency itself and members of the workspace. */
  readonly count: number;
  /** Whether there may be more, since the lockfile lacks required packages. */
  readonly isPartial: boolean;
  /** With known advisories that the dependency itself does not have; the worst first. Each version once. */
  readonly affected: readonly AffectedBelow[];
  /** Deprecated, yanked or retracted; by name. One with advisories is in both lists. */
  readonly deprecated: readonly PackageBelow[];
  readonly unchecked: UncheckedBelow;
  /**
   * The nodes of a shortest path from the dependency down to each of some packages, both included; of more than 32 the
   * middle ones are left out.
   */
  readonly pathsTo: (packages: readonly PackageBelow[]) => readonly (readonly number[])[];
  /** What is known of a node that it brings. Undefined for one whose name stays here, or that comes from no registry. */
  readonly insightOf: (node: number) => ReleaseInsight | undefined;
}

/** A version of a package that direct dependencies bring: the same object for all of them. */
export interface PackageBelow {
  readonly key: VersionKey;
  /** One of its nodes. */
  readonly node: number;
  readonly isDeprecated: boolean;
}

export interface AffectedBelow extends PackageBelow {
  /** Not empty; identifiers of one vulnerability joined; the worst first. */
  readonly advisories: readonly Advisory[];
}

/** Versions among `count` of which it is not known whether they have problems. */
export interface UncheckedBelow {
  /** Requested, or about to be. */
  readonly pending: number;
  readonly failed: number;
  /** Why one of the failed ones failed; a clause. */
  readonly reason?: string;
  /** Their names stay private, or they come from elsewhere than a registry. */
  readonly withheld: number;
  /** The service does not know them. */
  readonly unknown: number;
  /** The service knows them, but not their vulnerabilities. */
  readonly listed: number;
}

/** The number of versions that were not checked, and that no request is under way for. */
export function uncheckedCount({ failed, withheld, unknown, listed }: UncheckedBelow): number {
  return failed + withheld + unknown + listed;
}
