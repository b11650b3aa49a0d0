import type { FindingCode, Severity } from '../model/finding.ts';
import type { AdvisoryId } from '../model/keys.ts';
import type { Scope } from '../model/manifest.ts';
import type { Rating } from '../model/severity-rating.ts';
import type { System } from '../model/system.ts';

/** What one check of some manifests came to: everything that a format shows, and nothing that it has to work out. */
export interface Report {
  readonly manifests: number;
  readonly dependencies: number;
  /** How much of it was checked. */
  readonly coverage: Coverage;
  /** When it was made: `2026-01-01T00:00:00.000Z`. */
  readonly at: string;
  /** By path. */
  readonly projects: readonly ReportedProject[];
  /** Every version that a dependency comes to, once; by system, name and version. */
  readonly packages: readonly ReportedPackage[];
  /** By file, then by place, then by code. */
  readonly findings: readonly ReportedFinding[];
  /** What could not be looked up: the findings are not all there is. */
  readonly failures: readonly Failure[];
  /** Answers that should have been asked for again and could not be; absent where all hold. */
  readonly old?: OldAnswers;
  /** What was not looked up, since its name stays private; the most first. */
  readonly withheld: readonly PrivateDependencies[];
  /** What was not looked up for other reasons, such as a requirement that makes no sense; the most first. */
  readonly unchecked: readonly Unchecked[];
  /** Manifests that are understood in part alone, so that dependencies may be missing; by path. */
  readonly unclear: readonly SyntaxProblem[];
  /** Manifests, and folders, that could not be read at all, so that all of their dependencies are missing; by path. */
  readonly unread: readonly string[];
}

export interface ReportedFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** Relative to the directory that the check was started in, with `/`. */
  readonly path: string;
  readonly region: Region;
  readonly system: System;
  /** As its authors spell it, else as the manifest does. */
  readonly name: string;
  /** The resolved version; absent where there is none. */
  readonly version?: string;
  /** Worst first. */
  readonly advisories: readonly ReportedAdvisory[];
  /** The default version first, then the nearest sound one. */
  readonly fixes: readonly ReportedFix[];
  /** The same in every run, on whichever line the dependency stands. */
  readonly fingerprint: string;
  /** Whether it is at or above what `--fail-on` names, and in no baseline. */
  readonly counts: boolean;
  /** Whether the baseline has it. */
  readonly known: boolean;
  /** Set where the project has chosen to live with it. */
  readonly ignored?: { readonly reason: string /** The last day: `2026-12-31`. */; readonly until?: string };
}

/** A manifest, or a file that one includes. */
export interface ReportedProject {
  readonly path: string;
  /** Id of its format: `package.json`. */
  readonly format: string;
  readonly dependencies: readonly ReportedDependency[];
}

export interface ReportedDependency {
  readonly system: System;
  /** As its authors spell it, else as the manifest does. */
  readonly name: string;
  /**
   * What the manifest asks for, references followed; absent where nothing is written. Of what is no published version
   * it says the kind alone (`git`): an address may hold a password, and reports are passed on.
   */
  readonly requirement?: string;
  /** What it comes to. */
  readonly version?: string;
  /** Of one of the `packages`: absent where the service does not know the version. */
  readonly purl?: string;
  /** Why nothing is known of it, for people: that it has no finding means nothing. Absent where the service has answered. */
  readonly gap?: string;
  readonly scope: Scope;
  readonly region: Region;
}

/** One version of a package. */
export interface ReportedPackage {
  readonly purl: string;
  readonly system: System;
  /** As its authors spell it, else as the manifest does. */
  readonly name: string;
  readonly version: string;
  /** SPDX expressions, or the author's own words; empty where unknown. */
  readonly licenses: readonly string[];
  /** Where its source is, as the package says; an address that a browser can open. */
  readonly source?: string;
  /** `2019-07-19T02:28:46.000Z`; absent where unknown. */
  readonly published?: string;
  /** Whole days since then. */
  readonly days?: number;
  readonly deprecated: boolean;
  /** The version installed when none is asked for, where it is known and another. */
  readonly default?: string;
  /** Worst first. */
  readonly advisories: readonly ReportedAdvisory[];
}

export interface ReportedAdvisory {
  readonly id: AdvisoryId;
  readonly aliases: readonly AdvisoryId[];
  readonly title: string;
  readonly url: string;
  readonly rating: Rating;
  /** CVSS v3 base score. */
  readonly score?: number;
  /** `CVSS:3.1/AV:N/…` */
  readonly vector?: string;
}

export interface ReportedFix {
  readonly version: string;
  /** `aged`: the newest that a cooldown lets through. */
  readonly why: 'default' | 'flavor' | 'nearest' | 'aged';
  /** Set where the target has another licence. */
  readonly license?: { readonly from: string; readonly to: string };
  /** What is wrong with the target itself. */
  readonly flaw?: string;
  /** Why it has to be done by hand; a clause. There are no edits then. */
  readonly refused?: string;
  readonly edits: readonly ReportedEdit[];
}

export interface ReportedEdit {
  readonly path: string;
  readonly region: Region;
  readonly newText: string;
}

/** A stretch of a file. Lines and columns from 1, columns in UTF-16 units, the end exclusive. */
export interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Look-ups that failed for one reason. */
export interface Failure {
  /** A clause: `connection refused`. */
  readonly reason: string;
  readonly count: number;
}

/** Answers past their freshness: what the service has learnt since is not in the report. */
export interface OldAnswers {
  readonly count: number;
  /** When the oldest was given: `2026-01-01T00:00:00.000Z`. */
  readonly since: string;
}

/** Dependencies that the service did not hear of, for one reason. */
export interface PrivateDependencies {
  /** A phrase: `the registry npm.inside.example (.npmrc)`. */
  readonly origin: string;
  /** Of the registry; absent where the configuration only says that names are private. */
  readonly host?: string;
  /** What says so: `.npmrc`, `GOPRIVATE`; absent where the manifest itself does. */
  readonly from?: string;
  /** They may as well come from another registry. */
  readonly beside?: true;
  /** The service does not say which registries are public: this one may well be. */
  readonly isPublicUnsaid?: true;
  readonly count: number;
}

/** Dependencies whose version nobody could tell, for one reason. */
export interface Unchecked {
  /** A clause: `no version is written here`. */
  readonly reason: string;
  readonly count: number;
}

/**
 * How much was checked, in numbers. Each dependency that comes from a registry is one of `lookedUp`, `withheld`,
 * `failed` and `unchecked`; what comes from a folder, a repository, an address or the workspace itself is none of them.
 */
export interface Coverage {
  /** Dependencies that come from a registry. */
  readonly total: number;
  /** The service was asked, and has answered. */
  readonly lookedUp: number;
  /** Their names stay private. */
  readonly withheld: number;
  /** Of those that were looked up: the service does not know them. */
  readonly unknown: number;
  /** The service could not be asked, or gave no answer. */
  readonly failed: number;
  /** Which version is meant is not known. */
  readonly unchecked: number;
  /** Answers that are past their freshness. */
  readonly old: number;
  /** Manifests, and folders, that could not be read. */
  readonly unread: number;
  /** Manifests that are understood in part. */
  readonly unclear: number;
  /** Manifests that were passed over on purpose. */
  readonly leftOut: number;
}

/** A manifest whose text makes no sense from some line on. */
export interface SyntaxProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** The program, as reports name it. */
export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
}

/** The fix to name first: one that can be done and has no flaw, else the first there is. */
export function bestFix({ fixes }: Pick<ReportedFinding, 'fixes'>): ReportedFix | undefined {
  return fixes.find((it) => it.refused === undefined && it.flaw === undefined) ?? fixes[0];
}
