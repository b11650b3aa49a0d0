import type { LicenseDetail, VersionFacts } from './facts.ts';

/** What a project says of licences, in its project file. */
export interface LicensePolicy {
  /** SPDX licences. Where there are any, all that is in none of the lists is denied. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Neither allowed nor denied: somebody has to look. */
  readonly review: readonly string[];
  /** What becomes of a licence that nobody could name: `non-standard`, none at all. */
  readonly unknown: LicenseVerdict;
  readonly exceptions: readonly LicenseException[];
  /** Dependencies that are only built or tested with are not judged. */
  readonly runtimeOnly: boolean;
}

export const licenseVerdicts = ['allow', 'review', 'deny'] as const;

export type LicenseVerdict = (typeof licenseVerdicts)[number];

/** A package that may have licences which others may not. */
export interface LicenseException {
  /** `npm/lodash`, `lodash`, `pkg:npm/lodash`. */
  readonly package: string;
  /** Absent where every licence of the package will do. */
  readonly licenses?: readonly string[];
  readonly reason: string;
}

/** The licences as words, to be joined by a comma: expressions, and the author's own text for `non-standard`. */
export function licensesOf(facts: Pick<VersionFacts, 'licenses' | 'licenseDetails'>): string[] {
  const own = facts.licenseDetails.filter(isOwnText);
  const shown = facts.licenses.filter((it) => it !== 'non-standard');
  const unnamed = facts.licenses.includes('non-standard');
  if (!unnamed) return shown;
  return [...shown, ...(own.length > 0 ? own.map((it) => it.license) : ['non-standard'])];
}

function isOwnText(it: LicenseDetail): boolean {
  return it.spdx === 'non-standard' && it.license.trim() !== '';
}
