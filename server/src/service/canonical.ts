import { versioning } from '../engine/ecosystems/versioning.ts';
import { canonicalName, type PackageKey, type VersionKey } from '../engine/model/keys.ts';
import type { System } from '../engine/model/system.ts';

/** The one spelling under which a version is kept. */
export function canonicalKey({ system, name, version }: VersionKey): VersionKey {
  return { ...canonicalPackage({ system, name }), version: canonicalVersion(system, version) };
}

export function canonicalPackage({ system, name }: PackageKey): PackageKey {
  return { system, name: canonicalName(system, name) };
}

/**
 * The spelling of a version that the service keeps. Only PyPI and NuGet have several for one version; the others are
 * found as published.
 */
export function canonicalVersion(system: System, version: string): string {
  return system === 'PYPI' || system === 'NUGET' ? versioning[system].canonical(version) : version;
}
