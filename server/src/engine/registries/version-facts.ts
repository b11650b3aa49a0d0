import type { VersionFacts, VersionSummary } from '../model/facts.ts';
import { type PackageKey, versionOf } from '../model/keys.ts';
import { formatPurl } from '../model/purl.ts';

/** The facts of a version of which a registry lists no more than a summary. */
export function listedFacts(key: PackageKey, summary: VersionSummary, registry: string): VersionFacts {
  return {
    ...summary,
    key: versionOf(key, summary.version),
    purl: formatPurl(key, summary.version),
    licenses: [],
    licenseDetails: [],
    advisories: [],
    links: [],
    provenances: [],
    registries: [registry],
    projects: [],
    upstream: [],
  };
}

/** Returns one object for all that are equal: thousands of versions have the same license and links. */
export function sharing(): <T>(value: T) => T {
  const known = new Map<string, unknown>();
  return <T>(value: T): T => {
    const id = JSON.stringify(value);
    const before = known.get(id);
    if (before !== undefined) return before as T;
    known.set(id, value);
    return value;
  };
}
