import type { AdvisoryFacts, PackageFacts, VersionFacts, VersionSummary } from '../model/facts.ts';
import type { KeptAnswers } from '../model/kept.ts';
import type { VersionKey } from '../model/keys.ts';
import { formatPurl } from '../model/purl.ts';
import { requirementsAnswer } from './kept-requirements.ts';
import type { Source } from './source.ts';

/** Answers from kept facts, in the shapes that they once arrived in. Fields that were not kept are empty. */
export function keptSource(kept: KeptAnswers): Source {
  return {
    version(key) {
      const facts = kept.version(key);
      return facts && versionAnswer(facts);
    },
    package(key) {
      const facts = kept.package(key);
      return facts && packageAnswer(facts);
    },
    advisory(id) {
      const facts = kept.advisory(id);
      return facts && advisoryAnswer(facts);
    },
    requirements(key) {
      const requirements = kept.requirements(key);
      return requirements && requirementsAnswer(requirements);
    },
    find({ hash, key }) {
      if (hash === undefined) {
        const facts = key && kept.version(key);
        return facts ? [{ version: versionAnswer(facts), artifacts: [] }] : [];
      }
      const query = { hash: { type: hash.type, digest: Buffer.from(hash.digest, 'hex') } };
      const found = kept.query({ ...query, ...(key && { version: key }) }) ?? kept.query(query) ?? [];
      const purl = key && formatPurl(key, key.version);
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

function packageAnswer({ key, purl, versions }: PackageFacts): object {
  return {
    packageKey: key,
    purl,
    versions: versions.map((it) => summary({ ...key, version: it.version }, formatPurl(key, it.version), it)),
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
