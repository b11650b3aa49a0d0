import type { FindingCode, Severity } from '../../engine/model/finding.ts';
import type { System } from '../../engine/model/system.ts';
import type { Report } from '../../engine/report/report.ts';

/** How the check of a repository ended. */
export const repositoryStates = ['checked', 'incomplete', 'failed', 'set-aside'] as const;

/**
 * `incomplete`: some of it is not checked; `failed`: it could not be read at all; `set-aside`: it ended its worker
 * repeatedly.
 */
export type RepositoryState = (typeof repositoryStates)[number];

/** The result of one repository in one run. */
export interface RepositoryResult {
  readonly state: RepositoryState;
  /** Why it is not checked, or not all of it: clauses. */
  readonly reasons: readonly string[];
  /** The exit code that a check of it alone has. */
  readonly code: 0 | 1 | 2;
  /** The commit; absent where it is not known. */
  readonly revision?: string;
  /** How long it took, in ms. */
  readonly ms: number;
  readonly uses: readonly Use[];
  readonly findings: readonly FleetFinding[];
  /** Absent where nothing was read. */
  readonly report?: Report;
}

/** One package version that a repository has, at one place. */
export interface Use {
  readonly system: System;
  /** Canonical: all spellings of a package have the same one. */
  readonly name: string;
  /** Absent where none is resolved. */
  readonly version?: string;
  /** A manifest, or a lockfile. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** `direct`: a line of a manifest; `below`: in a lockfile, because a dependency requires it. */
  readonly relation: 'direct' | 'below';
  /** The direct dependency that brings it, where the check has searched it. */
  readonly via?: string;
  /** SPDX expressions or texts of authors; absent where they were not looked up. */
  readonly licenses?: readonly string[];
  readonly licenseClass?: string;
  /** Why there are no facts about it, as in `ReportedDependency`. */
  readonly gap?: string;
  readonly owners: readonly string[];
}

/** A finding of one package at one place, and who fixes it. */
export interface FleetFinding {
  /** Identical in every run; differs from the others of its repository. */
  readonly fingerprint: string;
  /** The same wherever the finding moves to within its repository. */
  readonly subject: string;
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly system: System;
  /** Canonical. */
  readonly name: string;
  readonly version?: string;
  readonly path: string;
  readonly line: number;
  /** The direct dependency that brings the package; absent for the direct dependency itself. */
  readonly via?: string;
  /** Identifiers with their aliases, worst first. */
  readonly advisories: readonly (readonly string[])[];
  /** CVSS v3 base score of the worst advisory. */
  readonly score?: number;
  readonly message: string;
  readonly fix: FleetFix;
  readonly owners: readonly string[];
  /** Whether it reaches the `--fail-on` threshold. */
  readonly counts: boolean;
}

/** What fixes a finding. */
export type FleetFix =
  /** The line of the manifest moves to a version; absent where none is known. `refused`: why that needs a person, a clause. */
  | { readonly by: 'line'; readonly version?: string; readonly refused?: string }
  /** The direct dependency moves to a version. */
  | { readonly by: 'dependency'; readonly version: string }
  /** A command locks another version, or the manifest overrides it. */
  | { readonly by: 'lock' | 'override'; readonly version: string }
  /** The dependency that brings it has to change; which version, was not searched. */
  | { readonly by: 'dependency-unsearched' }
  | { readonly by: 'none' };
