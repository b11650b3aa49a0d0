import { isRecord } from '../base/text.ts';
import type { AdvisoryId, PackageKey, VersionKey } from './keys.ts';
import { type Level, suspicions } from './severity-rating.ts';

/** One row of a package's list of versions. */
export interface VersionSummary {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly publishedAt?: number;
  /** Installed without a requirement. Usually one version of a package; none or several occur. */
  readonly isDefault: boolean;
  /** Deprecated, yanked or retracted. */
  readonly isDeprecated: boolean;
}

export interface PackageFacts {
  /** As the service spells it, which may differ from the request. */
  readonly key: PackageKey;
  readonly purl: string;
  readonly versions: VersionList;
  /** Set if the service reports only some versions: others may meet a requirement, be nearer or newer. */
  readonly isSample?: true;
}

/** The versions of a package as columns, so that thousands of them are not as many objects. Plain data. */
export interface VersionList {
  /** In the order of the service. */
  readonly names: readonly string[];
  /** When each was published, in ms since the epoch; `UNDATED` if that is unknown. */
  readonly times: readonly number[];
  /** Places of those installed without a requirement, in ascending order. */
  readonly defaults: readonly number[];
  /** Places of those deprecated, yanked or retracted, in ascending order. */
  readonly deprecated: readonly number[];
}

export const UNDATED = -1;

export function listOf(rows: readonly VersionSummary[]): VersionList {
  const placesOf = (has: (row: VersionSummary) => boolean) => rows.flatMap((it, place) => (has(it) ? [place] : []));
  return {
    names: rows.map((it) => it.version),
    times: rows.map((it) => it.publishedAt ?? UNDATED),
    defaults: placesOf((it) => it.isDefault),
    deprecated: placesOf((it) => it.isDeprecated),
  };
}

export function rowsOf({ names, times, defaults, deprecated }: VersionList): VersionSummary[] {
  const [isDefault, isDeprecated] = [new Set(defaults), new Set(deprecated)];
  return names.map((version, place) => rowWith(version, times[place], isDefault.has(place), isDeprecated.has(place)));
}

/** The first row of a version in this spelling. */
export function rowOf(
  { names, times, defaults, deprecated }: VersionList,
  version: string,
): VersionSummary | undefined {
  const place = names.indexOf(version);
  return place < 0 ? undefined : rowWith(version, times[place], defaults.includes(place), deprecated.includes(place));
}

function rowWith(
  version: string,
  publishedAt: number | undefined,
  isDefault: boolean,
  isDeprecated: boolean,
): VersionSummary {
  const isDated = publishedAt !== undefined && publishedAt !== UNDATED;
  return { version, ...(isDated && { publishedAt }), isDefault, isDeprecated };
}

/** The versions that are not deprecated. */
export function usableNames({ names, deprecated }: VersionList): readonly string[] {
  if (deprecated.length === 0) return names;
  const without = new Set(deprecated);
  return names.filter((_, place) => !without.has(place));
}

/** Whether a value of unknown origin has the form of a list. */
export function isVersionList(value: unknown): value is VersionList {
  if (!isRecord(value)) return false;
  const { names, times, defaults, deprecated } = value as Readonly<Record<keyof VersionList, unknown>>;
  const hasRows = isListOf('string', names) && isListOf('number', times) && names.length === times.length;
  return hasRows && isListOf('number', defaults) && isListOf('number', deprecated);
}

function isListOf(type: 'string' | 'number', value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((it) => typeof it === type);
}

export interface VersionFacts extends VersionSummary {
  /** As the service spells it, which may differ from what was asked. */
  readonly key: VersionKey;
  readonly purl: string;
  readonly deprecatedReason?: string;
  /** Until when the service does not recommend it, in ms since the epoch: it is too young. */
  readonly cooldownEnd?: number;
  /** What PyPI says of its whole project; absent for other systems, and where the service does not say. */
  readonly projectStatus?: ProjectStatus;
  /** SPDX expressions or `non-standard`; empty if unknown. The relation of several is unknown. */
  readonly licenses: readonly string[];
  readonly licenseDetails: readonly LicenseDetail[];
  /**
   * Of this version, not of its dependencies. Aliases of one vulnerability are separate entries. What makes it malware
   * without a record is one of `suspicions`.
   */
  readonly advisories: readonly AdvisoryId[];
  /** Set where the service does not know which vulnerabilities the version has: `advisories` may lack any. */
  readonly areAdvisoriesUnknown?: true;
  /** Up to when the service knows its vulnerabilities, in ms since the epoch, where it says so. */
  readonly advisoriesAsOf?: number;
  /** As published: neither verified nor normalized. */
  readonly links: readonly Link[];
  /** Each once, whichever list of the service has it. */
  readonly provenances: readonly Provenance[];
  readonly registries: readonly string[];
  readonly projects: readonly RelatedProject[];
  readonly upstream: readonly UpstreamIdentifier[];
}

/** Source: PEP 792, “Status markers”. */
export const projectStatuses = ['active', 'archived', 'quarantined', 'deprecated'] as const;

export interface ProjectStatus {
  readonly status: (typeof projectStatuses)[number];
  /** `''` if it is missing. */
  readonly reason: string;
}

/** Why a version is not to be used any more: it is deprecated, yanked or retracted itself, or its project is. */
export interface Deprecation {
  readonly of: 'version' | 'archived project' | 'deprecated project';
  readonly reason?: string;
}

export function deprecationOf({
  isDeprecated,
  deprecatedReason,
  projectStatus,
}: Pick<VersionFacts, 'isDeprecated' | 'deprecatedReason' | 'projectStatus'>): Deprecation | undefined {
  if (isDeprecated) return { of: 'version', ...(deprecatedReason && { reason: deprecatedReason }) };
  if (projectStatus?.status !== 'archived' && projectStatus?.status !== 'deprecated') return undefined;
  const { status, reason } = projectStatus;
  return {
    of: status === 'archived' ? 'archived project' : 'deprecated project',
    ...(reason !== '' && { reason }),
  };
}

/** The identifiers of what is known to be wrong with a version, even of one that the service has no facts of. */
export function advisoriesOf(version: Insight<VersionFacts>): readonly AdvisoryId[] {
  if (version.state === 'ready') return version.value.advisories;
  return version.state === 'unknown' && version.isMalicious ? foundAlone : none;
}

const none: readonly AdvisoryId[] = [];
const foundAlone: readonly AdvisoryId[] = [suspicions.found];

export interface LicenseDetail {
  /** As the author wrote it. */
  readonly license: string;
  readonly spdx: string;
}

export interface Link {
  /** `SOURCE_REPO`, `HOMEPAGE`, `ISSUE_TRACKER`, `DOCUMENTATION`, `ORIGIN`, `ATTESTATION`, or an unknown one. */
  readonly label: string;
  readonly url: string;
}

/** An attestation of where a version comes from: an entry of `slsaProvenances` or of `attestations`. */
export interface Provenance {
  /** The predicate type, `https://slsa.dev/provenance/v1`; `''` in `slsaProvenances`. */
  readonly type: string;
  /** `''` if it is missing. */
  readonly sourceRepository: string;
  /** `''` if it is missing. */
  readonly commit: string;
  /** Of the statement; `''` if it is missing. */
  readonly url: string;
  readonly verified: boolean;
}

export interface RelatedProject {
  /** `github.com/lodash/lodash`, lower case; may be empty. */
  readonly id: string;
  /** `SLSA_ATTESTATION`, …, or `UNVERIFIED_METADATA`, which nothing proves: see `rankOf`. */
  readonly provenance: string;
  /** `SOURCE_REPO` or `ISSUE_TRACKER`. */
  readonly type: string;
}

export interface UpstreamIdentifier {
  readonly packageName: string;
  readonly versionString: string;
  readonly source: string;
}

export interface AdvisoryFacts {
  readonly id: AdvisoryId;
  readonly url: string;
  readonly title: string;
  readonly aliases: readonly AdvisoryId[];
  /** CVSS base score, 0.1 to 10: of version 3, otherwise of version 4; absent without one. */
  readonly score?: number;
  /** Of that version: `CVSS:4.0/AV:N/…` */
  readonly vector?: string;
  /** What the record itself says where there is no score. */
  readonly level?: Level;
  /** Set where attacks are known. */
  readonly isExploited?: true;
  /** The versions that the record itself names as the first ones without it; absent where the service does not say. */
  readonly fixed?: readonly FixedVersions[];
}

export interface FixedVersions {
  readonly key: PackageKey;
  /** Not empty: one for each range that is affected. */
  readonly versions: readonly string[];
}

/** The present state of a fact. A fact is never just absent. */
export type Insight<T> =
  | Ready<T>
  /** Requested, or about to be. `isLate`: for so long that what depends on it is concluded without it. */
  | { readonly state: 'pending'; readonly isLate?: true }
  /**
   * The service does not know it. `at`: when it answered, in ms since the epoch. `isMalicious`: of a version that the
   * service finds to be malware all the same, such as one that was withdrawn at once.
   */
  | { readonly state: 'unknown'; readonly at: number; readonly refresh?: Refresh; readonly isMalicious?: true }
  | { readonly state: 'failed'; readonly reason: string; readonly at: number };

export interface Ready<T> {
  readonly state: 'ready';
  readonly value: T;
  /** When the service answered, in ms since the epoch. */
  readonly at: number;
  readonly refresh?: Refresh;
}

/** Set for a stale answer: it is being requested again, or that failed. */
export type Refresh = 'pending' | { readonly failed: string };

/** The refresh of a stale answer; undefined if it is fresh, or if there is no answer. */
export function refreshOf(insight: Insight<unknown> | undefined): Refresh | undefined {
  return insight?.state === 'ready' || insight?.state === 'unknown' ? insight.refresh : undefined;
}
