import { type VersionKey, versionId } from '../../model/keys.ts';
import type { BroughtRelease } from './known-below.ts';

/** What all manifests together bring, each version once, and why some of it was not checked. */
export interface BelowCoverage {
  readonly total: number;
  /** Without an answer so far. */
  readonly pending: number;
  /** By reason, a clause. */
  readonly failed: ReadonlyMap<string, number>;
  /** Their names stay private, or they come from elsewhere than a registry. */
  readonly withheld: number;
  /** Part of these: those from elsewhere; absent for none. */
  readonly elsewhere?: number;
  /** The service does not know them. */
  readonly unknown: number;
  /** The service knows them, but not their vulnerabilities; absent for none. */
  readonly listed?: number;
  /** Not looked up since a person has switched it off; absent for none. */
  readonly off?: number;
  /** Part of those that were checked: past their freshness, without a newer answer. Absent for none. */
  readonly old?: {
    readonly count: number;
    /** When the oldest was given, in ms since the epoch. */
    readonly since: number;
    /** Why they could not be refreshed, by reason. */
    readonly failed: ReadonlyMap<string, number>;
  };
}

export function coverageBelow(brought: Iterable<BroughtRelease>): BelowCoverage {
  const seen = new Set<string>();
  const failed = new Map<string, number>();
  const stale = { count: 0, since: Number.POSITIVE_INFINITY, failed: new Map<string, number>() };
  let off = 0;
  let listed = 0;
  let elsewhere = 0;
  const counts = { total: 0, pending: 0, withheld: 0, unknown: 0 };
  for (const { key, release, isLeftOut, isElsewhere } of brought) {
    // One name may be private in one place, and public in another.
    const id = idOf(key, release === undefined);
    if (seen.has(id)) continue;
    seen.add(id);
    counts.total++;
    const insight = release?.insight;
    if (release?.old) {
      const { at, failed: reason } = release.old;
      stale.count++;
      stale.since = Math.min(stale.since, at);
      if (reason !== undefined) stale.failed.set(reason, (stale.failed.get(reason) ?? 0) + 1);
    }
    if (isLeftOut) off++;
    else if (insight === undefined) {
      counts.withheld++;
      if (isElsewhere) elsewhere++;
    } else if (insight.state === 'failed') failed.set(insight.reason, (failed.get(insight.reason) ?? 0) + 1);
    else if (insight.state !== 'ready') counts[insight.state]++;
    else if (insight.areAdvisoriesUnknown) listed++;
  }
  return {
    ...counts,
    failed,
    ...(elsewhere > 0 && { elsewhere }),
    ...(listed > 0 && { listed }),
    ...(off > 0 && { off }),
    ...(stale.count > 0 && { old: stale }),
  };
}

function idOf(key: VersionKey, isWithheld: boolean): string {
  return `${isWithheld ? 'withheld ' : ''}${versionId(key)}`;
}
