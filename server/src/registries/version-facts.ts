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
