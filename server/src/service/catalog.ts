import { canonicalName, type PackageKey, packageId, type VersionKey } from '../model/keys.ts';
import type { System } from '../model/system.ts';
import { versioning } from '../versions/index.ts';
import type { AdvisoryRecord, AffectedRecord, HashType, PackageRecord, VersionFields } from './record.ts';

/** Everything the service knows. Packages are made ready when they are first asked for. */
export interface Catalog {
  readonly records: readonly PackageRecord[];
  readonly advisories: ReadonlyMap<string, AdvisoryRecord>;
  /** Under any spelling of the name. */
  package(key: PackageKey): CatalogPackage | undefined;
  /** Under any spelling of the name and the version. */
  version(key: VersionKey): CatalogVersion | undefined;
  /** The versions whose artifact has a hash, given in lower-case hexadecimal. */
  withHash(type: HashType, digest: string): readonly CatalogVersion[];
}

export interface CatalogPackage {
  /** With the canonical name. */
  readonly key: PackageKey;
  /** In ascending order. */
  readonly versions: readonly CatalogVersion[];
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
}

export function createCatalog(records: readonly PackageRecord[], advisories: readonly AdvisoryRecord[]): Catalog {
  const recordsById = new Map(records.map((it) => [packageId(it), it]));
  const affecting = new Map<string, Affecting[]>();
  for (const advisory of advisories) {
    for (const affected of advisory.affected) {
      const id = packageId(affected);
      const entry = { id: advisory.id, affected };
      const all = affecting.get(id);
      if (all === undefined) affecting.set(id, [entry]);
      else all.push(entry);
    }
  }
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
    advisories: new Map(advisories.map((it) => [it.id, it])),
    package: packageOf,
    version: versionOf,
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
        const id = `${type} ${digest.toLowerCase()}`;
        const key = { system, name, version };
        const all = index.get(id);
        if (all === undefined) index.set(id, [key]);
        else all.push(key);
      }
    }
  }
  return index;
}

/**
 * The spelling of a version that the service keeps. Only PyPI and NuGet have several for one version; the others are
 * found as published.
 */
export function canonicalVersion(system: System, version: string): string {
  return system === 'PYPI' || system === 'NUGET' ? versioning[system].canonical(version) : version;
}

interface Affecting {
  readonly id: string;
  readonly affected: AffectedRecord;
}

function makePackage(record: PackageRecord, affecting: readonly Affecting[]): CatalogPackage {
  const key = { system: record.system, name: canonicalName(record.system, record.name) };
  const versions = Object.entries(record.versions).map(([version, own]): CatalogVersion => {
    const advisories = affecting.filter((it) => isAffected(version, it.affected)).map((it) => it.id);
    return {
      key: { ...key, version: canonicalVersion(record.system, version) },
      published: { name: record.name, version },
      fields: { ...record.shared, ...own },
      advisories: [...new Set(advisories)],
    };
  });
  return { key, versions, byVersion: new Map(versions.map((it) => [it.key.version, it])) };
}

/** Whether an advisory names a version, in its list or by a range. */
export function isAffected(version: string, affected: AffectedRecord): boolean {
  const { system } = affected;
  const { compare } = versioning[system];
  const canonical = canonicalVersion(system, version);
  if (affected.versions?.some((it) => canonicalVersion(system, it) === canonical)) return true;
  return (affected.ranges ?? []).some(
    (range) =>
      (range.introduced === '0' || compare(version, range.introduced) >= 0) &&
      (range.fixed === undefined || compare(version, range.fixed) < 0) &&
      (range.lastAffected === undefined || compare(version, range.lastAffected) <= 0),
  );
}
