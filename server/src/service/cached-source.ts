import type { CachedAnswers } from '../engine/model/cached-answers.ts';
import {
  type AdvisoryFacts,
  type PackageFacts,
  type Provenance,
  rowsOf,
  type VersionFacts,
  type VersionSummary,
} from '../engine/model/facts.ts';
import type { PackageKey, VersionKey } from '../engine/model/keys.ts';
import type { MavenDependency, MavenRequirements, Requirements } from '../engine/model/lookups.ts';
import type { ServiceFact } from '../engine/model/ports.ts';
import { formatPurl } from '../engine/model/purl.ts';
import { isSuspicion } from '../engine/model/severity-rating.ts';
import type { ProjectFacts } from '../engine/model/signals/project.ts';
import { attestedBy } from '../engine/model/signals/provenance.ts';
import type { SimilarFacts } from '../engine/model/signals/similar.ts';
import { type Answer, found, notKept, type Source, unknown } from './source.ts';

/**
 * Answers from cached facts, in the shape in which they once arrived. Fields that the cache lacks are empty. A package
 * that was never requested may exist, so it is reported as not kept, not as unknown.
 */
export function cachedSource(kept: CachedAnswers): Source {
  function tell<T>(wanted: ServiceFact, facts: T | undefined, answer: (facts: T) => object): Answer<object> {
    if (facts !== undefined) return found(answer(facts));
    return kept.isUnknown(wanted) ? unknown : notKept;
  }
  const version = (key: VersionKey) => tell({ kind: 'version', key }, kept.version(key), versionAnswer);
  return {
    version,
    package: (key) => tell({ kind: 'package', key }, kept.package(key), packageAnswer),
    advisory: (id) => tell({ kind: 'advisory', id }, kept.advisory(id), advisoryAnswer),
    project: (id) => tell({ kind: 'project', id: id.toLowerCase() }, kept.project(id.toLowerCase()), projectAnswer),
    similar: (key) => tell({ kind: 'similar', key }, kept.similar(key), (it) => similarAnswer(key, it)),
    requirements: (key) => tell({ kind: 'requirements', key }, kept.requirements(key), requirementsAnswer),
    query({ hash, key }) {
      if (hash === undefined) {
        const one = key ? version(key) : notKept;
        return one.kind === 'found' ? found([{ version: one.body, artifacts: [] }]) : one;
      }
      const query = { hash: { type: hash.type, digest: Buffer.from(hash.digest, 'hex') } };
      const matches = kept.query({ ...query, ...(key && { version: key }) }) ?? kept.query(query);
      const purl = key && formatPurl(key, key.version);
      if (matches === undefined) return notKept;
      return found(
        matches
          .filter((it) => purl === undefined || it.version.purl === purl)
          .map(({ version, artifacts }) => ({ version: versionAnswer(version), artifacts })),
      );
    },
  };
}

/** The answer to GetVersion. */
export function versionAnswer(facts: VersionFacts): object {
  const ids = facts.advisories.filter((id) => !isSuspicion(id));
  return {
    ...summary(facts.key, facts.purl, facts),
    deprecatedReason: facts.deprecatedReason ?? '',
    licenses: facts.licenses,
    licenseDetails: facts.licenseDetails,
    ...(facts.areAdvisoriesUnknown && { advisoriesComplete: false }),
    ...(facts.advisoriesAsOf !== undefined && { advisoriesAsOf: new Date(facts.advisoriesAsOf).toISOString() }),
    ...((!facts.areAdvisoriesUnknown || ids.length > 0) && { advisoryKeys: ids.map((id) => ({ id })) }),
    links: facts.links,
    slsaProvenances: facts.provenances.filter((it) => isSlsaEntry(it, facts)).map(({ type: _, ...it }) => it),
    attestations: facts.provenances.filter((it) => it.type !== ''),
    registries: facts.registries,
    relatedProjects: facts.projects.map(({ id, provenance, type }) => ({
      projectKey: { id },
      relationProvenance: provenance,
      relationType: type,
    })),
    upstreamIdentifiers: facts.upstream,
    ...(facts.projectStatus && { projectStatus: facts.projectStatus }),
    ...(facts.cooldownEnd !== undefined && { cooldown: { end: new Date(facts.cooldownEnd).toISOString() } }),
  };
}

/** Builds of npm are in both lists. Source: the contract: `slsaProvenances` is npm's alone. */
function isSlsaEntry(it: Provenance, { key }: VersionFacts): boolean {
  return it.type === '' || (key.system === 'NPM' && attestedBy(it) === 'build');
}

/** The answer to GetPackage. */
export function packageAnswer({ key, purl, versions, isSample }: PackageFacts): object {
  return {
    packageKey: key,
    purl,
    versions: rowsOf(versions).map((it) => summary({ ...key, version: it.version }, formatPurl(key, it.version), it)),
    ...(isSample && { versionsComplete: false }),
  };
}

function summary(key: VersionKey, purl: string, { publishedAt, isDefault, isDeprecated }: VersionSummary): object {
  return {
    versionKey: key,
    purl,
    ...(publishedAt !== undefined && { publishedAt: wireTime(publishedAt) }),
    isDefault,
    isDeprecated,
  };
}

function advisoryAnswer({
  id,
  url,
  title,
  aliases,
  score = 0,
  vector = '',
  level,
  isExploited,
  fixed,
}: AdvisoryFacts): object {
  const isOfVersion4 = vector.startsWith('CVSS:4');
  return {
    advisoryKey: { id },
    url,
    title,
    aliases,
    ...(isOfVersion4
      ? { cvss3Score: 0, cvss3Vector: '', cvss4Score: score, cvss4Vector: vector }
      : { cvss3Score: score, cvss3Vector: vector }),
    ...(level && { severity: level.toUpperCase() }),
    ...(isExploited && { knownExploited: true }),
    ...(fixed && { fixedVersions: fixed.map(({ key, versions }) => ({ packageKey: key, versions })) }),
  };
}

/** What is kept of it: the counts and texts that nothing shows are empty. */
function projectAnswer({ id, stars = 0, score, scoredAt, checks }: ProjectFacts): object {
  return {
    projectKey: { id },
    openIssuesCount: 0,
    starsCount: stars,
    forksCount: 0,
    license: '',
    description: '',
    homepage: '',
    ...(score !== undefined && {
      scorecard: {
        ...(scoredAt !== undefined && { date: wireTime(scoredAt) }),
        repository: { name: id, commit: '' },
        scorecard: { version: '', commit: '' },
        checks: checks.map((it) => ({
          name: it.name,
          documentation: { shortDescription: '', url: it.url },
          score: it.score,
          reason: it.reason,
          details: [],
        })),
        overallScore: score,
        metadata: [],
      },
    }),
  };
}

function similarAnswer(key: PackageKey, { names }: SimilarFacts): object {
  const { system, name } = key;
  return {
    packageKey: { system, name },
    packages: names.map((it) => ({ packageKey: { system, name: it } })),
  };
}

/** Whole seconds are written without a fraction. */
function wireTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
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
    case 'PYPI':
      return {
        pypi: {
          dependencies: requirements.dependencies.map(({ name, extras, requirement, marker }) => ({
            projectName: name,
            extras,
            versionSpecifier: requirement,
            environmentMarker: marker,
          })),
          providedExtras: requirements.extras.map((name) => ({ name })),
          externalDependencies: [],
          requiredPythonVersion: requirements.python,
        },
      };
    case 'CARGO': {
      const { dependencies, features } = requirements;
      return {
        cargo: { dependencies: dependencies.map(({ alias, ...it }) => ({ ...it, packageAlias: alias })), features },
      };
    }
    case 'GO':
      return { go: { directDependencies: requirements.direct, indirectDependencies: requirements.indirect } };
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
