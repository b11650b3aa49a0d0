import type { System } from './system.ts';

/** Names a package as its ecosystem does: `{ system: 'MAVEN', name: 'org.yaml:snakeyaml' }`. */
export interface PackageKey {
  readonly system: System;
  readonly name: string;
  /**
   * The private registries that are asked for it, as an identifier of `AskedRegistries`; absent for the public service.
   * A key without it must never be made of a key with it: the name would go to the public service.
   */
  readonly registry?: string;
}

/** Names one published version of a package. */
export interface VersionKey extends PackageKey {
  readonly version: string;
}

const lastOf = new WeakMap<PackageKey, VersionKey>();

/** Names a version of a package. Returns the same object again for the same version of the same key. */
export function versionOf(key: PackageKey, version: string): VersionKey {
  const before = lastOf.get(key);
  if (before?.version === version) return before;
  const { system, name, registry } = key;
  const made = { system, name, version, ...(registry !== undefined && { registry }) };
  lastOf.set(key, made);
  return made;
}

/** An advisory by its OSV identifier: `GHSA-…`, `PYSEC-…`, `RUSTSEC-…`, `GO-…`. */
export type AdvisoryId = string;

/** A package as a key of maps: `NPM lodash`. All spellings of a package have the same one; in another registry it is another package. */
export function packageId(key: PackageKey): string {
  const id = `${key.system} ${canonicalName(key.system, key.name)}`;
  return key.registry === undefined ? id : `${id} at ${key.registry}`;
}

/** A version as a key of maps: `NPM lodash@4.17.21`. The version stays as written. */
export function versionId(key: VersionKey): string {
  return `${packageId(key)}@${key.version}`;
}

/** In characters. No package has a longer name. Source: the limit of npm is 214. */
const MAX_NAME_LENGTH = 1000;

/**
 * The spelling of a name that the service keeps: PEP 503 for PyPI (`Foo_.Bar` → `foo-bar`), lower case for NuGet,
 * unchanged for the others.
 */
export function canonicalName(system: System, name: string): string {
  if (name.length > MAX_NAME_LENGTH) return name;
  switch (system) {
    case 'PYPI':
      return name.toLowerCase().replace(/[-_.]+/g, '-');
    case 'NUGET':
      return name.toLowerCase();
    case 'NPM':
    case 'GO':
    case 'CARGO':
    case 'MAVEN':
      return name;
  }
}
