import { type PackageFacts, rowsOf, type VersionFacts, type VersionSummary } from '../../model/facts.ts';
import type { PackageKey } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import { formatPurl } from '../../model/purl.ts';

/*
 * What a registry says, in the shapes of the wire. A registry knows no vulnerabilities: `advisoryKeys` is left out, and
 * `advisoriesComplete` says so.
 */

/** The answer to GetPackage. @param key canonical */
export function listedPackage(key: PackageKey, { versions, isSample }: PackageFacts): object {
  const { system, name } = key;
  return {
    packageKey: { system, name },
    purl: formatPurl(key),
    versions: rowsOf(versions).map((it) => summary(key, it)),
    ...(isSample && { versionsComplete: false }),
  };
}

/** The answer to GetVersion. @param key canonical */
export function listedVersion(key: PackageKey, facts: VersionFacts): object {
  return {
    ...summary(key, facts),
    deprecatedReason: facts.deprecatedReason ?? '',
    licenses: facts.licenses,
    licenseDetails: facts.licenseDetails,
    advisoriesComplete: false,
    links: facts.links,
    // What a registry serves as an attestation is a claim: nobody has checked its signature.
    slsaProvenances: [],
    attestations: facts.provenances.map((it) => ({ ...it, verified: false })),
    registries: facts.registries,
    relatedProjects: facts.projects.map(({ id, provenance, type }) => ({
      projectKey: { id },
      relationProvenance: provenance,
      relationType: type,
    })),
    upstreamIdentifiers: facts.upstream,
    ...(facts.projectStatus && { projectStatus: facts.projectStatus }),
  };
}

/** The answer to GetRequirements of Maven. */
export function pomOf({ system: _, ...requirements }: Requirements): object {
  return { maven: { ...requirements, repositories: [] } };
}

function summary({ system, name }: PackageKey, it: VersionSummary): object {
  return {
    versionKey: { system, name, version: it.version },
    purl: formatPurl({ system, name }, it.version),
    ...(it.publishedAt !== undefined && { publishedAt: new Date(it.publishedAt).toISOString() }),
    isDefault: it.isDefault,
    isDeprecated: it.isDeprecated,
  };
}
