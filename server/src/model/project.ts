import type { FindingCode, Severity } from './finding.ts';
import { canonicalName, type PackageKey } from './keys.ts';
import type { LicensePolicy } from './license-policy.ts';
import { purlTypes } from './purl.ts';

/** What a project says of its dependencies, in its project file. */
export interface Project {
  /** Of the project file. */
  readonly uri: string;
  readonly ignores: readonly Ignore[];
  /** Without one every licence will do. */
  readonly licenses?: LicensePolicy;
  /** The least severity of findings: it makes them graver, never milder. */
  readonly severity: Readonly<Partial<Record<FindingCode, Severity>>>;
  /** Versions younger than this many days are not what to move to. */
  readonly cooldownDays: number;
  /** That names of packages stay private does not make the terminal fail. */
  readonly allowPrivate: boolean;
  /** Findings that the terminal fails at besides the usual ones: `license`, `deprecated:error`. */
  readonly failOn: readonly string[];
}

/** A finding that somebody has accepted, and why. */
export interface Ignore {
  /** An advisory by any of its identifiers, or the code of a finding: `deprecated`, `license`. */
  readonly id: string;
  /** Absent where it holds for every package. */
  readonly package?: string;
  readonly reason: string;
  /** The last day that it holds, in UTC: `2027-02-19`. Absent where it holds for good. */
  readonly until?: string;
}

/** Which file holds it: the nearest one from a manifest's directory upward counts. */
export const projectFileName = '.package-insights.json';

/**
 * Whether a person's word for packages means a certain one: `lodash` in any system, `npm/lodash`, `pkg:npm/lodash`,
 * `maven/org.yaml:snakeyaml`.
 */
export function matchesPackage(word: string, { system, name }: PackageKey): boolean {
  const same = (it: string): boolean => canonicalName(system, it) === canonicalName(system, name);
  if (same(word)) return true;
  const path = word.replace(/^pkg:/, '').replace(/^([^/]*\/)%40/, '$1@');
  const type = `${purlTypes[system]}/`;
  if (!path.startsWith(type)) return false;
  const rest = path.slice(type.length);
  return same(rest) || (system === 'MAVEN' && same(rest.replace('/', ':')));
}
