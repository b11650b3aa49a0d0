import { addTo } from '../../engine/base/collections.ts';
import { versioning } from '../../engine/ecosystems/versioning.ts';
import type { ProjectStatus } from '../../engine/model/facts.ts';
import { canonicalName, type PackageKey, packageId, type VersionKey } from '../../engine/model/keys.ts';
import { isMalware } from '../../engine/model/severity-rating.ts';
import { type Affecting, affectedBy } from '../affected.ts';
import { canonicalVersion } from '../canonical.ts';
import type { AdvisoryRecord, HashType, PackageRecord, ProjectRecord, VersionFields } from './record.ts';

/** Everything the service knows. Packages are prepared at their first request. */
export interface Catalog {
  readonly records: readonly PackageRecord[];
  readonly advisories: ReadonlyMap<string, AdvisoryRecord>;
  /** By id. */
  readonly projects: ReadonlyMap<string, ProjectRecord>;
  /** The names that a package is named similarly to. */
  similar(key: PackageKey): readonly string[];
  /** Under any spelling of the name. */
  package(key: PackageKey): CatalogPackage | undefined;
  /** Under any spelling of the name and the version. */
  version(key: VersionKey): CatalogVersion | undefined;
  /** Ids of the advisories that affect a version which the catalog lacks, and may exist, or was withdrawn as malware. */
  affecting(key: VersionKey): readonly string[];
  /** The versions whose artifact has a hash, given in lower-case hexadecimal. */
  withHash(type: HashType, digest: string): readonly CatalogVersion[];
}

export interface CatalogPackage {
  /** With the canonical name. */
  readonly key: PackageKey;
  /** In ascending order. */
  readonly versions: readonly CatalogVersion[];
  /** Whether these are all that there are, or a sample. */
  readonly isWhole: boolean;
  /** By canonical version. */
  readonly byVersion: ReadonlyMap<string, CatalogVersion>;
}

export interface CatalogVersion {
  /** With the canonical name and version. */
  readonly key: VersionKey;
  readonly published: { readonly name: string; readonly version: string };
  /** The package's shared fields and the version's own. */
  readonly fields: VersionFields;
  /** Ids of the advisories that affect it, in the order of the catalog. */
  readonly advisories: readonly string[];
  /** Of its whole project. */
  readonly projectStatus?: ProjectStatus;
}

export function createCatalog(
  records: readonly PackageRecord[],
  advisories: readonly AdvisoryRecord[],
  projects: readonly ProjectRecord[] = [],
): Catalog {
  const recordsById = new Map(records.map((it) => [packageId(it), it]));
  const affecting = new Map<string, Affecting[]>();
  for (const advisory of advisories) {
    for (const affected of advisory.affected) {
      addTo(affecting, packageId(affected), { advisory: advisory.id, affected });
    }
  }
  const malware = new Set(advisories.filter(isMalware).map((it) => it.id));
  const ready = new Map<string, CatalogPackage>();
  const packageOf = (key: PackageKey): CatalogPackage | undefined => {
    const id = packageId(key);
    const known = ready.get(id);
    if (known !== undefined) return known;
    const record = recordsById.get(id);
    if (record === undefined) return undefined;
    const made = makePackage(record, affecting.get(id) ?? []);
    ready.set(id, made);
    return made;
  };
  const versionOf = (key: VersionKey) => packageOf(key)?.byVersion.get(canonicalVersion(key.system, key.version));
  let hashes: ReadonlyMap<string, readonly VersionKey[]> | undefined;
  return {
    records,
    projects: new Map(projects.map((it) => [it.projectId.toLowerCase(), it])),
    similar: (key) => recordsById.get(packageId(key))?.similar ?? [],
    advisories: new Map(advisories.map((it) => [it.id, it])),
    package: packageOf,
    version: versionOf,
    affecting(key) {
      if (versionOf(key)) return [];
      const ids = affectedBy(affecting.get(packageId(key)) ?? [], key.version);
      // What was malware is removed from its registry: that it is not listed says nothing.
      return packageOf(key)?.isWhole ? ids.filter((it) => malware.has(it)) : ids;
    },
    withHash: (type, digest) => {
      hashes ??= indexHashes(records);
      return (hashes.get(`${type} ${digest}`) ?? []).map(versionOf).filter((it) => it !== undefined);
    },
  };
}

/** `SHA1 b447f667…` → the versions that have it. */
function indexHashes(records: readonly PackageRecord[]): ReadonlyMap<string, readonly VersionKey[]> {
  const index = new Map<string, VersionKey[]>();
  for (const { system, name, shared, versions } of records) {
    for (const [version, own] of Object.entries(versions)) {
      for (const [type, digest] of Object.entries(own.hashes ?? shared?.hashes ?? {})) {
        addTo(index, `${type} ${digest.toLowerCase()}`, { system, name, version });
      }
    }
  }
  return index;
}

function makePackage(record: PackageRecord, affecting: readonly Affecting[]): CatalogPackage {
  const { system } = record;
  const key = { system, name: canonicalName(system, record.name) };
  const spelled = [...Object.keys(record.versions), ...(record.others ?? [])].sort(versioning[system].compare);
  const advisories = affectedVersions(spelled, affecting);
  const name = publishedName(record);
  const versions = spelled.map(
    (version): CatalogVersion => ({
      key: { ...key, version: canonicalVersion(system, version) },
      published: { name, version },
      fields: fieldsOf(record, version),
      advisories: [...(advisories.get(version) ?? [])],
      ...(record.projectStatus && { projectStatus: record.projectStatus }),
    }),
  );
  // What exists nowhere else has no other versions.
  const isWhole = record.whole !== undefined || record.invented === true;
  return { key, versions, isWhole, byVersion: new Map(versions.map((it) => [it.key.version, it])) };
}

/** Only the name of an unlisted version is confirmed: the shared fields of its neighbors may not apply to it. */
function fieldsOf({ shared, versions }: PackageRecord, version: string): VersionFields {
  const own = Object.hasOwn(versions, version) ? versions[version] : undefined;
  return own === undefined ? {} : { ...shared, ...own };
}

/** `PyYAML`: as the versions spell it whose own words are at hand, where they agree. */
function publishedName({ name, shared, versions }: PackageRecord): string {
  const words = [shared, ...Object.values(versions)].flatMap((it) => it?.upstreamIdentifiers ?? []);
  const [spelling = name, ...others] = new Set(words.map((it) => it.packageName));
  return others.length === 0 ? spelling : name;
}

/**
 * The ids of the advisories that name each version, in a list or by a range.
 *
 * The bounds of a range are looked up in the sorted list: comparing each version with each bound takes a tenth of a
 * second where a package has hundreds of both.
 * @param sorted the versions of one package in ascending order
 */
function affectedVersions(sorted: readonly string[], affecting: readonly Affecting[]): Map<string, Set<string>> {
  const found = new Map(sorted.map((it) => [it, new Set<string>()]));
  for (const { advisory: id, affected } of affecting) {
    const { system, ranges = [], versions = [] } = affected;
    const { compare } = versioning[system];
    for (const { introduced, fixed, lastAffected } of ranges) {
      const start = introduced === '0' ? 0 : firstIndex(sorted, (it) => compare(it, introduced) >= 0);
      const ends = [
        ...(fixed === undefined ? [] : [firstIndex(sorted, (it) => compare(it, fixed) >= 0)]),
        ...(lastAffected === undefined ? [] : [firstIndex(sorted, (it) => compare(it, lastAffected) > 0)]),
      ];
      for (const version of sorted.slice(start, Math.min(...ends, sorted.length))) found.get(version)?.add(id);
    }
    const listed = new Set(versions.map((it) => canonicalVersion(system, it)));
    if (listed.size === 0) continue;
    for (const version of sorted) if (listed.has(canonicalVersion(system, version))) found.get(version)?.add(id);
  }
  return found;
}

/** Index of the first element from which on the test holds, or the length of the list. */
function firstIndex(sorted: readonly string[], holds: (version: string) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
