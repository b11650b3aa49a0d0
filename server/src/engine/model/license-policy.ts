import type { LicenseDetail, VersionFacts } from './facts.ts';

/**
 * What a license requires of those who pass the software on, from the freest to the strictest:
 *
 * - `permissive`: at most notices; includes dedications to the public domain
 * - `weak-copyleft`: changes to the package itself stay under its license
 * - `strong-copyleft`: a program that contains the package comes under its license; includes licenses that require this
 *   also of programs that are only used over a network
 * - `use-restricted`: the source is public, but some uses are not allowed, such as commercial ones
 * - `unknown`: no license, not an SPDX license, or one of unknown content
 */
export const licenseClasses = ['permissive', 'weak-copyleft', 'strong-copyleft', 'use-restricted', 'unknown'] as const;

export type LicenseClass = (typeof licenseClasses)[number];

/** The classes that a policy may list. `unknown` has a key of its own. */
export const listableClasses = licenseClasses.filter((it) => it !== 'unknown');

/** The license policy of a project file. */
export interface LicensePolicy {
  /** SPDX licenses. If not empty, a license in none of the lists is denied. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Neither allowed nor denied: a person must review it. */
  readonly review: readonly string[];
  /** The verdict for unknown licenses: `non-standard`, or none. */
  readonly unknown: LicenseVerdict;
  readonly exceptions: readonly LicenseException[];
  /** Whether development and build dependencies are not checked. */
  readonly runtimeOnly: boolean;
}

export const licenseVerdicts = ['allow', 'review', 'deny'] as const;

export type LicenseVerdict = (typeof licenseVerdicts)[number];

/** A package with further allowed licenses. */
export interface LicenseException {
  /** `npm/lodash`, `lodash`, `pkg:npm/lodash`. */
  readonly package: string;
  /** Absent if every license of the package is allowed. */
  readonly licenses?: readonly string[];
  readonly reason: string;
}

/** The licenses as words, to be joined by a comma: expressions, and the author's own text for `non-standard`. */
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
