import { canonicalName, type PackageKey, type VersionKey } from '../../model/keys.ts';
import { canonicalVersion } from '../catalog/catalog.ts';

/** The one spelling under which a version is kept. */
export function canonicalKey({ system, name, version }: VersionKey): VersionKey {
  return { ...canonicalPackage({ system, name }), version: canonicalVersion(system, version) };
}

export function canonicalPackage({ system, name }: PackageKey): PackageKey {
  return { system, name: canonicalName(system, name) };
}
