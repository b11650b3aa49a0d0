import type { System } from './system.ts';

/** Names a package as its ecosystem does: `{ system: 'MAVEN', name: 'org.yaml:snakeyaml' }`. */
export interface PackageKey {
  readonly system: System;
  readonly name: string;
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
  const made = { system: key.system, name: key.name, version };
  lastOf.set(key, made);
  return made;
}

/** An advisory by its OSV identifier: `GHSA-…`, `PYSEC-…`, `RUSTSEC-…`, `GO-…`. */
export type AdvisoryId = string;

/** A package as a key of maps: `NPM lodash`. All spellings of a package have the same one. */
export function packageId(key: PackageKey): string {
  return `${key.system} ${canonicalName(key.system, key.name)}`;
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
