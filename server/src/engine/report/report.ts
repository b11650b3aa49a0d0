import type { ConnectionStatus } from '../model/connection.ts';
import type { TargetKind } from '../model/evaluated-dependency.ts';
import type { Provenance } from '../model/facts.ts';
import type { FindingCode, Severity } from '../model/finding.ts';
import type { AdvisoryId } from '../model/keys.ts';
import type { LicenseClass } from '../model/license-policy.ts';
import type { Scope } from '../model/manifest.ts';
import type { Rated } from '../model/severity-rating.ts';
import type { System } from '../model/system.ts';
import type { Step } from '../model/versioning.ts';

/** The result of one check: everything that a format shows, already computed. */
export interface Report {
  readonly manifests: number;
  readonly dependencies: number;
  /** How many dependencies were checked. */
  readonly coverage: Coverage;
  /** Creation time: `2026-01-01T00:00:00.000Z`. */
  readonly at: string;
  /** Up to when the service knows vulnerabilities, of the dependency where that is longest ago; absent where it names no time. */
  readonly advisoriesAsOf?: string;
  /** By path. */
  readonly projects: readonly ReportedProject[];
  /** Each resolved version, once; by system, name and version. */
  readonly packages: readonly ReportedPackage[];
  /** By file, then by place, then by code. */
  readonly findings: readonly ReportedFinding[];
  /** Failed lookups; with any, findings may be missing. */
  readonly failures: readonly Failure[];
  /**
   * Source repositories that the connected code host did not answer for; absent for none. Their packages are checked, but
   * archived ones may be missing among the findings.
   */
  readonly repositories?: readonly Failure[];
  /** Stale answers that could not be refreshed; absent where all answers are fresh. */
  readonly old?: OldAnswers;
  /** Dependencies that were not looked up because their names stay private; most frequent first. */
  readonly withheld: readonly PrivateDependencies[];
  /** Dependencies that were not looked up for other reasons, such as an invalid requirement; most frequent first. */
  readonly unchecked: readonly Unchecked[];
  /** Manifests with syntax errors, whose list of dependencies may be incomplete; by path. */
  readonly unclear: readonly SyntaxProblem[];
  /** Manifests and folders that could not be read, whose dependencies are all missing; by path. */
  readonly unread: readonly string[];
  /** Manifests that were left out on request; absent for none. */
  readonly excluded?: readonly ExcludedManifests[];
  /** The connected services and their use; absent where none is connected. */
  readonly connections?: readonly ConnectionStatus[];
}

/** Manifests that were left out on request. */
export interface ExcludedManifests {
  /** `--exclude`, or the path of a project file: `web/.package-insights.json` */
  readonly by: string;
  readonly count: number;
}

/** How a package of a lockfile comes into the project. */
export interface ReportedWayIn {
  /** Of the manifest, as the path of the finding. */
  readonly path: string;
  /** From 1; absent for a member of the workspace. */
  readonly line?: number;
  readonly way: readonly { readonly name: string; readonly version: string }[];
  /** `Required in package.json, line 3: express → body-parser → qs 6.11.0` */
  readonly text: string;
}

export interface ReportedFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The subject and the summary: `lodash 4.17.15: 3 vulnerabilities, worst high 7.4, fixed in 4.17.21.` */
  readonly message: string;
  /** The package as the manifest names it, with its version: `lodash 4.17.15`. */
  readonly subject: string;
  /** Without the subject. */
  readonly summary: string;
  /** The part of the summary that the code and the fixes do not say: the publisher's reason for a deprecation. */
  readonly reason?: string;
  /** Relative to the directory where the check was started, with `/`. */
  readonly path: string;
  readonly region: Region;
  readonly system: System;
  /** As its authors spell it, else as the manifest does. */
  readonly name: string;
  /** The resolved version; absent where none is resolved. */
  readonly version?: string;
  /** When it has this version, if it has several under different conditions: `'$(TargetFramework)' == 'net48'`. */
  readonly condition?: string;
  /** Worst first. */
  readonly advisories: readonly ReportedAdvisory[];
  /** The CVSS base score of the worst vulnerability; absent where it has none. */
  readonly score?: number;
  /** Of `advisory-below`: the affected packages that the dependency brings, worst first; absent for other codes. */
  readonly below?: readonly ReportedBelow[];
  /** In a lockfile: the way from the direct dependency, and the manifest that requires it. */
  readonly required?: ReportedWayIn;
  /** Safe, in range, in major, default: each version once. */
  readonly fixes: readonly ReportedFix[];
  /** Set where all versions were checked and none is safe. */
  readonly isWithoutFix?: true;
  /** Of `not-found`: set for a name that is new in its file, and that anybody could publish. */
  readonly isNewName?: true;
  /** Identical in every run, even when the dependency moves to another line. */
  readonly fingerprint: string;
  /** Whether it reaches the `--fail-on` threshold and is in no baseline. */
  readonly counts: boolean;
  /** Whether the baseline contains it. */
  readonly known: boolean;
  /** Set where the project file ignores it. */
  readonly ignored?: { readonly reason: string /** The last day: `2026-12-31`. */; readonly until?: string };
}

/** An affected package that a dependency brings along by its lockfile. */
export interface ReportedBelow {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  /** A shortest path from the direct dependency to the package, both included. */
  readonly path: readonly { readonly name: string; readonly version: string }[];
  /** The path of the lockfile. */
  readonly lockfile: string;
  /** Its version in the lockfile; absent where that does not list it. */
  readonly region?: Region;
  /** Not empty; worst first. */
  readonly advisories: readonly ReportedAdvisory[];
  /** The smallest change first; absent where they were not searched. */
  readonly ways?: readonly ReportedWay[];
  /** Why there is no way. */
  readonly withoutWay?: string;
}

/** A way out of an affected package that a dependency brings. None is taken by a check. */
export interface ReportedWay {
  /**
   * `lock`: a command locks another version; `direct`: an update of the direct dependency leads to another one;
   * `override`: the manifest forces one.
   */
  readonly kind: 'lock' | 'direct' | 'override';
  /** Of the affected package; with `direct`, of the direct dependency. */
  readonly version: string;
  /** `Override qs with 6.11.1` */
  readonly title: string;
  /** What it changes, a sentence. */
  readonly text: string;
  /** A line for a shell, with `lock`. */
  readonly command?: string;
}

/** A manifest, or an included file. */
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
   * The requirement of the manifest, references followed; absent where the manifest declares none. For a dependency
   * that is not a published version it is only the kind (`git`): an address may contain a password, and reports are
   * shared.
   */
  readonly requirement?: string;
  /** The resolved version. */
  readonly version?: string;
  /** Refers to one of the `packages`; absent where the service does not know the version. */
  readonly purl?: string;
  /**
   * Why the service has no facts about it, for people; without facts it has no findings either. Absent where the
   * service has answered.
   */
  readonly gap?: string;
  /** The same as one of the fields of `Coverage`. */
  readonly gapKind?: GapKind;
  readonly scope: Scope;
  readonly region: Region;
  /** The name in the manifest, where its authors spell it differently. */
  readonly declared?: string;
  /** Set where nothing is newer: its version is the default version, or a later one. */
  readonly upToDate?: true;
  /** The versions that it can move to: safe, in range, in major, default; each once. */
  readonly updates: readonly ReportedUpdate[];
}

/** Why a dependency has no facts: its field of `Coverage`. */
export type GapKind = 'withheld' | 'unknown' | 'listed' | 'failed' | 'unchecked';

/** A version that a dependency can move to. */
export interface ReportedUpdate {
  readonly version: string;
  /** Every reason to move to it. */
  readonly kinds: readonly TargetKind[];
  /** Absent if the versions are not numbered. */
  readonly step?: Step;
  /** Set for the version to move to: the safe one for a dependency with problems, otherwise the default one. */
  readonly recommended?: true;
  /** What happens then, for people: `patch`, `fixes 3 vulnerabilities`, `license MIT → ISC`. */
  readonly notes: readonly string[];
  /** Why it cannot be applied automatically, a clause. */
  readonly refused?: string;
}

/** One version of a package. */
export interface ReportedPackage {
  readonly purl: string;
  readonly system: System;
  /** As its authors spell it, else as the manifest does. */
  readonly name: string;
  readonly version: string;
  /** SPDX expressions, or the author's own text; empty where unknown. */
  readonly licenses: readonly string[];
  /** The class of all its licenses together. */
  readonly licenseClass: LicenseClass;
  /** The source address that the package declares; a browser can open it. */
  readonly source?: string;
  /** Its source repository at the connected code host; absent where nothing is known. */
  readonly repository?: ReportedRepository;
  /** Attestations of where it comes from; absent where the service reports none. */
  readonly provenances?: readonly Provenance[];
  /** `2019-07-19T02:28:46.000Z`; absent where unknown. */
  readonly published?: string;
  /** Whole days since publication. */
  readonly days?: number;
  readonly deprecated: boolean;
  /** The default version, where it is known and differs from this one. */
  readonly default?: string;
  /** Worst first. */
  readonly advisories: readonly ReportedAdvisory[];
}

/** What the connected code host reports of a source repository. */
export interface ReportedRepository {
  /** `request/request` */
  readonly name: string;
  readonly url: string;
  /** How sure it is that the package comes from there: `SLSA_ATTESTATION`, …, `UNVERIFIED_METADATA`. */
  readonly provenance: string;
  readonly archived: boolean;
  readonly disabled: boolean;
  /** The last push: `2020-02-11T00:00:00.000Z`; absent where there was none. */
  readonly pushed?: string;
  /** Pull requests included; absent where unknown. */
  readonly openIssues?: number;
  /** SPDX identifier; absent where none is recognized. */
  readonly license?: string;
  /** When the code host reported it: `2026-01-01T00:00:00.000Z`. */
  readonly at: string;
  /** All of it on one line, for people. */
  readonly text: string;
}

export interface ReportedAdvisory extends Rated {
  readonly id: AdvisoryId;
  readonly aliases: readonly AdvisoryId[];
  readonly title: string;
  readonly url: string;
  /** Of the score: `CVSS:3.1/AV:N/…` */
  readonly vector?: string;
}

export interface ReportedFix {
  readonly version: string;
  /** `aged`: the newest version that the cooldown allows. */
  readonly why: 'default' | 'flavor' | 'nearest' | 'aged' | 'in-range' | 'in-major';
  /** Every reason to move to it. */
  readonly kinds: readonly TargetKind[];
  /** Absent if the versions are not numbered. */
  readonly step?: Step;
  /** Set for the version to move to. */
  readonly recommended?: true;
  /** How many of the advisories of the finding's dependency it fixes. */
  readonly fixed: number;
  /** What happens then, for people: `patch`, `latest`, `license MIT → ISC`. */
  readonly notes: readonly string[];
  /** Set where the target has another license. */
  readonly license?: { readonly from: string; readonly to: string };
  /** The defect of the target version. */
  readonly flaw?: string;
  /** Why it cannot be applied automatically, a clause. There are no edits then. */
  readonly refused?: string;
  readonly edits: readonly ReportedEdit[];
}

export interface ReportedEdit {
  readonly path: string;
  readonly region: Region;
  readonly newText: string;
}

/** A range in a file. Lines and columns start at 1, columns are UTF-16 units, the end is exclusive. */
export interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Failed lookups with one reason. */
export interface Failure {
  /** A clause: `connection refused`. */
  readonly reason: string;
  readonly count: number;
}

/** Stale answers: newer data of the service is not in the report. */
export interface OldAnswers {
  readonly count: number;
  /** The time of the oldest answer: `2026-01-01T00:00:00.000Z`. */
  readonly since: string;
}

/** Dependencies that were not sent to the service, by one origin. */
export interface PrivateDependencies {
  /** A phrase: `the registry npm.inside.example (.npmrc)`. */
  readonly origin: string;
  /** The host of the registry; absent where the configuration only marks names as private. */
  readonly host?: string;
  /** The configuration that declares it: `.npmrc`, `GOPRIVATE`; absent where the manifest itself does. */
  readonly from?: string;
  /** Where a file of the workspace names the registry; absent where several do. */
  readonly place?: LineInFile;
  /** Where several do, the place that withholds most of them. */
  readonly mostlyAt?: LineInFile;
  /** Hosts that keep some of them private as well, each independently. */
  readonly otherHosts?: readonly string[];
  /** They may come from another registry as well. */
  readonly beside?: true;
  /** The service does not list public registries, so this one may be public. */
  readonly isPublicUnsaid?: true;
  /** A browser waits for the person's permission. */
  readonly isUndecided?: true;
  /** `from` cannot be read, so it may name a registry or not. */
  readonly isUnreadable?: true;
  readonly count: number;
}

/** Dependencies whose version cannot be determined, for one reason. */
export interface Unchecked {
  /** A clause: `no version is written here`. */
  readonly reason: string;
  readonly count: number;
  /** The place of one of them. */
  readonly first: LineInFile;
}

export interface LineInFile {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Counts of checked and unchecked dependencies. Each dependency from a registry is counted as one of `lookedUp`,
 * `withheld`, `failed` and `unchecked`; dependencies from a folder, a repository, an address or the workspace are not
 * counted.
 */
export interface Coverage {
  /** Dependencies from a registry. */
  readonly total: number;
  /** The service has answered. */
  readonly lookedUp: number;
  /** Their names stay on the machine. */
  readonly withheld: number;
  /** Part of `withheld`: a browser waits for the person's permission. Absent for none. */
  readonly undecided?: number;
  /** Part of `withheld`: a file that may name their registry cannot be read. Absent for none. */
  readonly unreadable?: number;
  /** Part of `lookedUp`: the service does not know them. */
  readonly unknown: number;
  /** Part of `lookedUp`: private registries have answered, so advisories are not checked. Absent for none. */
  readonly withoutAdvisories?: number;
  /** Part of `lookedUp`: the service knows their versions, but not their vulnerabilities. Absent for none. */
  readonly listed?: number;
  /** Not part of `total`: the name of a published package is that of a member of the workspace. Absent for none. */
  readonly fromWorkspace?: number;
  /** The service was not reached, or did not answer. */
  readonly failed: number;
  /** The version cannot be determined. */
  readonly unchecked: number;
  /** Stale answers. */
  readonly old: number;
  /** Manifests and folders that could not be read. */
  readonly unread: number;
  /** Manifests with syntax errors. */
  readonly unclear: number;
  /** Manifests that were excluded on purpose. */
  readonly leftOut: number;
  /** What dependencies bring by their lockfiles; absent where that was not looked up. */
  readonly below?: CoverageBelow;
}

/** Counts of versions that dependencies bring, each once for all manifests. */
export interface CoverageBelow {
  readonly total: number;
  /** Their names stay private, or they come from elsewhere than a registry. */
  readonly withheld: number;
  /** Part of these: those from elsewhere; absent for none. */
  readonly elsewhere?: number;
  /** The service does not know them. */
  readonly unknown: number;
  /** The service knows them, but not their vulnerabilities; absent for none. */
  readonly listed?: number;
  /** The service was not reached, or did not answer. They are among the failed lookups of the report. */
  readonly failed: number;
  /** Not looked up since a person has switched it off; absent for none. */
  readonly off?: number;
}

/** The first syntax error of a manifest. */
export interface SyntaxProblem extends LineInFile {
  /** A clause, where the text itself is sound: `the requirements at lists.example are not read`. */
  readonly reason?: string;
}

/** The program in reports. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** The recommended fix, otherwise the first without a defect, otherwise the one that fixes most. */
export function bestFix({ fixes }: Pick<ReportedFinding, 'fixes'>): ReportedFix | undefined {
  return fixes.find((it) => it.recommended) ?? fixes.find((it) => it.flaw === undefined) ?? mostFixing(fixes);
}

function mostFixing(fixes: readonly ReportedFix[]): ReportedFix | undefined {
  return [...fixes].sort((a, b) => b.fixed - a.fixed)[0];
}
