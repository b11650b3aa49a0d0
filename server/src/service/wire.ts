import { canonicalName, type PackageKey, type VersionKey } from '../engine/model/keys.ts';
import { formatPurl } from '../engine/model/purl.ts';
import type { System } from '../engine/model/system.ts';
import type { CatalogPackage, CatalogVersion } from './catalog/catalog.ts';
import type { AdvisoryRecord, ProjectRecord, UpstreamRecord } from './catalog/record.ts';

/*
 * The catalog in the shapes of the wire. Fields are in the order of the interface. Lists, flags, texts and numbers are
 * present even when empty; a field without an empty value (`publishedAt`) is left out.
 */

export function packageAnswer(it: CatalogPackage): object {
  return {
    packageKey: it.key,
    purl: formatPurl(it.key),
    versions: it.versions.map(summary),
    // Beyond the contract, and there only where it says more than the contract: clients that ignore it lose nothing else.
    ...(!it.isWhole && { versionsComplete: false }),
  };
}

export function versionAnswer(it: CatalogVersion): object {
  const { fields } = it;
  return {
    ...summary(it),
    deprecatedReason: fields.deprecated ?? '',
    licenses: fields.licenses ?? [],
    licenseDetails: fields.licenseDetails ?? [],
    advisoryKeys: it.advisories.map((id) => ({ id })),
    links: fields.links ?? [],
    slsaProvenances: fields.slsaProvenances ?? [],
    attestations: fields.attestations ?? [],
    registries: it.key.system === 'GO' ? [] : [registry(it.key.system)],
    relatedProjects: fields.relatedProjects ?? [],
    upstreamIdentifiers: fields.upstreamIdentifiers ?? spelledUpstream(it),
    ...(it.projectStatus && { projectStatus: it.projectStatus }),
  };
}

/** A version of which nothing is known but the advisories that affect it. Its key is canonical. */
export function affectedAnswer(key: VersionKey, advisories: readonly string[]): object {
  const { name, version } = key;
  return { ...versionAnswer({ key, published: { name, version }, fields: {}, advisories }), registries: [] };
}

export function advisoryAnswer(it: AdvisoryRecord): object {
  return {
    advisoryKey: { id: it.id },
    url: it.url,
    title: it.title,
    aliases: it.aliases,
    cvss3Score: it.cvss3Score,
    cvss3Vector: it.cvss3Vector,
    // Beyond the contract, and there only where they say more.
    ...(it.cvss4Score !== undefined && { cvss4Score: it.cvss4Score }),
    ...(it.cvss4Vector !== undefined && { cvss4Vector: it.cvss4Vector }),
    ...(it.severity !== undefined && { severity: it.severity }),
    ...(it.knownExploited && { knownExploited: true }),
    ...fixedVersionsOf(it),
  };
}

/** The first version behind each affected range, by package. */
function fixedVersionsOf({ affected }: AdvisoryRecord): object {
  const fixedVersions = affected.flatMap(({ system, name, ranges = [] }) => {
    const versions = ranges.flatMap((it) => it.fixed ?? []);
    return versions.length === 0 ? [] : [{ packageKey: { system, name: canonicalName(system, name) }, versions }];
  });
  return fixedVersions.length > 0 ? { fixedVersions } : {};
}

/** Counts and texts are present even when nothing is known of them; a project that was not scored has no scorecard. */
export function projectAnswer(it: ProjectRecord): object {
  const { scorecard } = it;
  return {
    projectKey: { id: it.projectId },
    openIssuesCount: it.openIssuesCount ?? 0,
    starsCount: it.starsCount ?? 0,
    forksCount: it.forksCount ?? 0,
    license: it.license ?? '',
    description: it.description ?? '',
    homepage: it.homepage ?? '',
    ...(scorecard && {
      scorecard: {
        date: scorecard.date,
        repository: { name: it.projectId, commit: scorecard.commit },
        scorecard: { version: scorecard.version, commit: '' },
        checks: scorecard.checks.map(({ name, description, url, score, reason, details = [] }) => ({
          name,
          documentation: { shortDescription: description, url },
          score,
          reason,
          details,
        })),
        overallScore: scorecard.overallScore,
        metadata: [],
      },
    }),
  };
}

export function similarAnswer({ system, name }: PackageKey, names: readonly string[]): object {
  return {
    packageKey: { system, name },
    packages: names.map((it) => ({ packageKey: { system, name: canonicalName(system, it) } })),
  };
}

/** Where the file of a version would be fetched; absent where its name is not known. */
export function artifactUrl(it: CatalogVersion): string | undefined {
  const { artifact } = it.fields;
  return artifact === undefined
    ? undefined
    : `${registry(it.key.system)}${encodeURIComponent(it.key.name)}/${encodeURIComponent(artifact)}`;
}

function summary(it: CatalogVersion): object {
  const { fields } = it;
  return {
    versionKey: it.key,
    purl: formatPurl(it.key, it.key.version),
    ...(fields.publishedAt === undefined ? {} : { publishedAt: fields.publishedAt }),
    isDefault: fields.isDefault ?? false,
    isDeprecated: fields.deprecated !== undefined,
  };
}

/** The catalog names no real registry: the documentation's example host represents each. */
function registry(system: System): string {
  return `https://registry.example/${system.toLowerCase()}/`;
}

function spelledUpstream(it: CatalogVersion): readonly UpstreamRecord[] {
  const { name, version } = it.published;
  if (name === it.key.name && version === it.key.version) return [];
  return [{ packageName: name, versionString: version, source: registry(it.key.system) }];
}
