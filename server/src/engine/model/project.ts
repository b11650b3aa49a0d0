import type { FindingCode, Severity } from './finding.ts';
import type { LicensePolicy } from './license-policy.ts';
import type { Level } from './severity-rating.ts';
import type { Span } from './span.ts';

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
  readonly cooldownDays?: number;
  /** Whether private dependencies do not make the terminal program fail. */
  readonly allowPrivate: boolean;
  /** Further findings that make the terminal program fail: `license`, `deprecated:error`. */
  readonly failOn: readonly string[];
  /** The level at which advisories without a rating make it fail; absent for the default. */
  readonly unratedCountsAs?: Level;
  /** Globs of manifests that are left out, relative to the folder of the file, with the rules of `.gitignore`. */
  readonly exclude: readonly string[];
  /** Packages that are never looked up: their names stay on the machine, in untrusted folders, too. */
  readonly privatePackages: readonly PrivatePattern[];
}

/** `npm/@acme/*`, and its place in the project file. */
export interface PrivatePattern {
  readonly pattern: string;
  readonly span: Span;
  /** An entry that cannot be read stands for every package. */
  readonly isUnclear?: true;
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
