import type { System } from './system.ts';

/** Names a package the way its own ecosystem does: `{ system: 'MAVEN', name: 'org.yaml:snakeyaml' }`. */
export interface PackageKey {
  readonly system: System;
  readonly name: string;
}

/** Names one published version of a package. */
export interface VersionKey extends PackageKey {
  readonly version: string;
}

const lastOf = new WeakMap<PackageKey, VersionKey>();

/** Names a version of a package: the same object as the last time, where it is the same version of the same key. */
export function versionOf(key: PackageKey, version: string): VersionKey {
  const before = lastOf.get(key);
  if (before?.version === version) return before;
  const made = { system: key.system, name: key.name, version };
  lastOf.set(key, made);
  return made;
}

/** An advisory by its OSV identifier: `GHSA-…`, `PYSEC-…`, `RUSTSEC-…`, `GO-…`. */
export type AdvisoryId = string;

/** A package as one string, to index maps by: `NPM lodash`. Two spellings of one package give one string. */
export function packageId(key: PackageKey): string {
  return `${key.system} ${canonicalName(key.system, key.name)}`;
}

/** A version as one string, to index maps by: `NPM lodash@4.17.21`. The version is taken as written. */
export function versionId(key: VersionKey): string {
  return `${packageId(key)}@${key.version}`;
}

/** In characters. What is longer names no package, in any spelling. Source: npm, whose longest names have 214. */
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
