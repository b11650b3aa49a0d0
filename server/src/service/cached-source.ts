import type { CachedAnswers } from '../model/cached-answers.ts';
import type { AdvisoryFacts, PackageFacts, VersionFacts, VersionSummary } from '../model/facts.ts';
import type { VersionKey } from '../model/keys.ts';
import type { MavenDependency, MavenRequirements, Requirements } from '../model/lookups.ts';
import type { ServiceFact } from '../model/ports.ts';
import { formatPurl } from '../model/purl.ts';
import type { Source, SourceAnswer } from './source.ts';

/**
 * Answers from cached facts, in the shape in which they once arrived. Fields that the cache lacks are empty. A package
 * that was never requested may exist, so it is reported as not kept, not as unknown.
 */
export function cachedSource(kept: CachedAnswers): Source {
  function tell<T>(wanted: ServiceFact, facts: T | undefined, answer: (facts: T) => object): SourceAnswer<object> {
    if (facts !== undefined) return answer(facts);
    return kept.isUnknown(wanted) ? undefined : 'not kept';
  }
  const version = (key: VersionKey) => tell({ kind: 'version', key }, kept.version(key), versionAnswer);
  return {
    version,
    package: (key) => tell({ kind: 'package', key }, kept.package(key), packageAnswer),
    advisory: (id) => tell({ kind: 'advisory', id }, kept.advisory(id), advisoryAnswer),
    requirements: (key) => tell({ kind: 'requirements', key }, kept.requirements(key), requirementsAnswer),
    query({ hash, key }) {
      if (hash === undefined) {
        const found = key && version(key);
        return typeof found === 'object' ? [{ version: found, artifacts: [] }] : found;
      }
      const query = { hash: { type: hash.type, digest: Buffer.from(hash.digest, 'hex') } };
      const found = kept.query({ ...query, ...(key && { version: key }) }) ?? kept.query(query);
      const purl = key && formatPurl(key, key.version);
      if (found === undefined) return 'not kept';
      return found
        .filter((it) => purl === undefined || it.version.purl === purl)
        .map(({ version, artifacts }) => ({ version: versionAnswer(version), artifacts }));
    },
  };
}

function versionAnswer(facts: VersionFacts): object {
  return {
    ...summary(facts.key, facts.purl, facts),
    deprecatedReason: facts.deprecatedReason ?? '',
    licenses: facts.licenses,
    licenseDetails: facts.licenseDetails,
    advisoryKeys: facts.advisories.map((id) => ({ id })),
    links: facts.links,
    slsaProvenances: facts.provenances,
    attestations: [],
    registries: facts.registries,
    relatedProjects: facts.projects.map(({ id, provenance, type }) => ({
      projectKey: { id },
      relationProvenance: provenance,
      relationType: type,
    })),
    upstreamIdentifiers: facts.upstream,
  };
}

function packageAnswer({ key, purl, versions, isSample }: PackageFacts): object {
  return {
    packageKey: key,
    purl,
    versions: versions.map((it) => summary({ ...key, version: it.version }, formatPurl(key, it.version), it)),
    ...(isSample && { versionsComplete: false }),
  };
}

function summary(key: VersionKey, purl: string, { publishedAt, isDefault, isDeprecated }: VersionSummary): object {
  return {
    versionKey: key,
    purl,
    // Whole seconds are written without a fraction.
    ...(publishedAt !== undefined && { publishedAt: new Date(publishedAt).toISOString().replace('.000Z', 'Z') }),
    isDefault,
    isDeprecated,
  };
}

function advisoryAnswer({ id, url, title, aliases, score = 0, vector = '' }: AdvisoryFacts): object {
  return { advisoryKey: { id }, url, title, aliases, cvss3Score: score, cvss3Vector: vector };
}

/** The requirements of a version, in the shape of the wire. */
export function requirementsAnswer(requirements: Requirements): object {
  switch (requirements.system) {
    case 'NPM': {
      const { system: _, bundled, ...dependencies } = requirements;
      return { npm: { dependencies, bundled } };
    }
    case 'NUGET':
      return { nuget: { dependencyGroups: requirements.groups } };
    case 'MAVEN': {
      const { parent, profiles } = requirements;
      return {
        maven: {
          ...(parent && { parent: { system: 'MAVEN', ...parent } }),
          ...declared(requirements),
          repositories: [],
          profiles: profiles.map((it) => ({ id: it.id, ...declared(it) })),
        },
      };
    }
  }
}

function declared({ dependencies, dependencyManagement, properties }: MavenRequirements): object {
  return {
    dependencies: dependencies.map(dependency),
    dependencyManagement: dependencyManagement.map(dependency),
    properties,
  };
}

function dependency({ name, version, classifier, type, scope, optional, exclusions }: MavenDependency): object {
  return { name, version, classifier, type, scope, optional, exclusions };
}
