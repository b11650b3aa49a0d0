import { versioning } from '../engine/ecosystems/versioning.ts';
import { canonicalVersion } from './canonical.ts';
import type { AffectedRange, AffectedRecord } from './catalog/record.ts';

/** An advisory and what it affects of one package. */
export interface Affecting {
  readonly advisory: string;
  readonly affected: AffectedRecord;
}

/** The ids of the advisories that affect a version, in a list of versions or by a range. */
export function affectedBy(affecting: readonly Affecting[], version: string): readonly string[] {
  const ids = affecting.filter((it) => isAffected(it.affected, version)).map((it) => it.advisory);
  return [...new Set(ids)];
}

function isAffected({ system, ranges = [], versions = [] }: AffectedRecord, version: string): boolean {
  const wanted = canonicalVersion(system, version);
  if (versions.some((it) => canonicalVersion(system, it) === wanted)) return true;
  const { compare } = versioning[system];
  return ranges.some((it) => isInRange(it, version, compare));
}

function isInRange(
  { introduced, fixed, lastAffected }: AffectedRange,
  version: string,
  compare: (a: string, b: string) => number,
): boolean {
  if (introduced !== '0' && compare(version, introduced) < 0) return false;
  if (fixed !== undefined && compare(version, fixed) >= 0) return false;
  return lastAffected === undefined || compare(version, lastAffected) <= 0;
}
