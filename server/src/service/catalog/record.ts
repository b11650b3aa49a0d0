import type { ProjectStatus } from '../../engine/model/facts.ts';
import type { System } from '../../engine/model/system.ts';

/*
 * The catalog files: `npm/lodash.json` holds a PackageRecord, `advisories/GHSA-….json` an AdvisoryRecord. A field that
 * is absent was not confirmed.
 */

export interface PackageRecord {
  readonly system: System;
  /** As published. */
  readonly name: string;
  /** Set for packages that exist in no registry and serve to show rare cases. */
  readonly invented?: boolean;
  /** Label → where facts come from. */
  readonly sources: Readonly<Record<string, string>>;
  /** The labels that vouch for everything that names none itself. */
  readonly from: readonly string[];
  /** Present where the versions of this record are all that the registry lists. Without it they are a sample. */
  readonly whole?: WholeRecord;
  /** Defaults for each version in `versions`. */
  readonly shared?: VersionFields;
  /** In ascending order of the system's versions, spelled as published. */
  readonly versions: Readonly<Record<string, VersionFields>>;
  /** The packages that it is named similarly to, and that are far more popular. */
  readonly similar?: readonly string[];
  /** What PyPI says of the whole project. */
  readonly projectStatus?: ProjectStatus;
  /** Further versions of which the name alone is confirmed, in ascending order. `shared` does not hold for them. */
  readonly others?: readonly string[];
}

/** The evidence that a list of versions is complete. */
export interface WholeRecord {
  /** The label of the source that lists the versions. */
  readonly by: string;
  /** The day on which it was read: `2026-11-22`. */
  readonly asOf: string;
  /** How many versions it listed. */
  readonly count: number;
}

export interface VersionFields {
  /** RFC 3339. */
  readonly publishedAt?: string;
  readonly isDefault?: boolean;
  /** The reason; `''` where it is deprecated, yanked or retracted without one. */
  readonly deprecated?: string;
  /** SPDX expressions or `non-standard`. */
  readonly licenses?: readonly string[];
  readonly licenseDetails?: readonly { readonly license: string; readonly spdx: string }[];
  readonly links?: readonly { readonly label: string; readonly url: string }[];
  readonly slsaProvenances?: readonly ProvenanceRecord[];
  readonly attestations?: readonly AttestationRecord[];
  readonly relatedProjects?: readonly RelatedProjectRecord[];
  readonly upstreamIdentifiers?: readonly UpstreamRecord[];
  /** Hash type → hexadecimal digest of the artifact. */
  readonly hashes?: Readonly<Partial<Record<HashType, string>>>;
  /** File name of the artifact: `lodash-4.17.15.tgz`. */
  readonly artifact?: string;
  /** The whole answer to GetRequirements: `{ "npm": … }`. */
  readonly requirements?: Readonly<Record<string, unknown>>;
  /** The labels that vouch for this version where they differ from the package's. */
  readonly from?: readonly string[];
}

export const hashTypes = ['MD5', 'SHA1', 'SHA256', 'SHA512'] as const;
export type HashType = (typeof hashTypes)[number];

export interface ProvenanceRecord {
  readonly sourceRepository: string;
  readonly commit: string;
  readonly url: string;
  readonly verified: boolean;
}

export interface AttestationRecord extends ProvenanceRecord {
  readonly type: string;
}

export interface RelatedProjectRecord {
  readonly projectKey: { readonly id: string };
  readonly relationProvenance: string;
  readonly relationType: string;
}

export interface UpstreamRecord {
  readonly packageName: string;
  readonly versionString: string;
  readonly source: string;
}

/** A project at a public code host. */
export interface ProjectRecord {
  /** `github.com/lodash/lodash`, in lower case. */
  readonly projectId: string;
  /** Set for projects that exist nowhere. */
  readonly invented?: boolean;
  readonly source: string;
  readonly openIssuesCount?: number;
  readonly starsCount?: number;
  readonly forksCount?: number;
  readonly license?: string;
  readonly description?: string;
  readonly homepage?: string;
  readonly scorecard?: ScorecardRecord;
}

export interface ScorecardRecord {
  /** RFC 3339. */
  readonly date: string;
  readonly commit: string;
  /** Of the program that scored it. */
  readonly version: string;
  readonly overallScore: number;
  readonly checks: readonly CheckRecord[];
}

export interface CheckRecord {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  /** 0 to 10, or -1 where there was nothing to check. */
  readonly score: number;
  readonly reason: string;
  readonly details?: readonly string[];
}

/** How bad an advisory is. The contract has the first two alone: what is absent adds nothing. */
export interface AdvisorySeverity {
  /** 0 with an empty vector says that there is no CVSS v3 score. */
  readonly cvss3Score: number;
  readonly cvss3Vector: string;
  readonly cvss4Score?: number;
  readonly cvss4Vector?: string;
  /** What the record says without a score. */
  readonly severity?: AdvisoryLevel;
  /** Set where attacks are known. */
  readonly knownExploited?: true;
}

export const advisoryLevels = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type AdvisoryLevel = (typeof advisoryLevels)[number];

export interface AdvisoryRecord extends AdvisorySeverity {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly aliases: readonly string[];
  readonly affected: readonly AffectedRecord[];
  readonly source: string;
}

export interface AffectedRecord {
  readonly system: System;
  readonly name: string;
  readonly ranges?: readonly AffectedRange[];
  /** Affected besides those in the ranges. */
  readonly versions?: readonly string[];
}

/** `introduced: "0"` means from the first version on; without `fixed` and `lastAffected` it has no end. */
export interface AffectedRange {
  readonly introduced: string;
  readonly fixed?: string;
  readonly lastAffected?: string;
}
