import type { FindingCode, Severity } from './finding.ts';
import { canonicalName, type PackageKey } from './keys.ts';
import type { LicensePolicy } from './license-policy.ts';
import { purlTypes } from './purl.ts';

/** The content of a project file. */
export interface Project {
  /** The URI of the project file. */
  readonly uri: string;
  readonly ignores: readonly Ignore[];
  /** Without it every license is allowed. */
  readonly licenses?: LicensePolicy;
  /** The minimum severity of findings. */
  readonly severity: Readonly<Partial<Record<FindingCode, Severity>>>;
  /** Versions younger than this many days are not suggested. */
  readonly cooldownDays: number;
  /** Whether private dependencies do not make the terminal program fail. */
  readonly allowPrivate: boolean;
  /** Further findings that make the terminal program fail: `license`, `deprecated:error`. */
  readonly failOn: readonly string[];
}

/** An ignored finding with its reason. */
export interface Ignore {
  /** An advisory by any of its identifiers, or the code of a finding: `deprecated`, `license`. */
  readonly id: string;
  /** Absent if it applies to every package. */
  readonly package?: string;
  readonly reason: string;
  /** The last day in UTC: `2027-02-19`. Absent without an end. */
  readonly until?: string;
}

/** Its file name. The nearest one from a manifest's directory upward applies. */
export const projectFileName = '.package-insights.json';

/**
 * Whether a package in a project file is this one: `lodash` in any system, `npm/lodash`, `pkg:npm/lodash`,
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
