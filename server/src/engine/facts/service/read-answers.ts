import { isRecord } from '../../base/text.ts';
import {
  type AdvisoryFacts,
  type FixedVersions,
  listOf,
  type PackageFacts,
  type ProjectStatus,
  type Provenance,
  projectStatuses,
  type VersionFacts,
  type VersionSummary,
} from '../../model/facts.ts';
import type { PackageKey, VersionKey } from '../../model/keys.ts';
import { levelOf, suspicions } from '../../model/severity-rating.ts';
import { distinctProvenances } from '../../model/signals/provenance.ts';
import { isSystem } from '../../model/system.ts';
import { isSamePackage, isSameVersion } from '../canonical-key.ts';
import {
  enumText,
  type Fields,
  fieldsOf,
  flag,
  inner,
  knownObjects,
  Malformed,
  moment,
  number,
  objects,
  place,
  requiredInner,
  requiredText,
  text,
  texts,
  unknownValue,
} from './fields.ts';

/*
 * Reads responses as facts. Each function throws `Malformed` for a wrong shape. Unknown fields are dropped, so nothing of
 * the raw response stays in memory.
 */

/** @param asked the facts of any other version are rejected */
export function readVersion(value: unknown, asked?: VersionKey): VersionFacts {
  const fields = fieldsOf(value);
  const key = versionKey(requiredInner(fields, 'versionKey'));
  if (asked && !isSameVersion(key, asked)) {
    throw new Malformed(`versionKey is of ${key.system} ${key.name} ${key.version}, which was not asked for`);
  }
  const deprecatedReason = text(fields, 'deprecatedReason');
  const projectStatus = readProjectStatus(fields);
  const cooldown = inner(fields, 'cooldown');
  const cooldownEnd = cooldown && moment(cooldown, 'end');
  const advisoriesAsOf = moment(fields, 'advisoriesAsOf');
  const advisories = objects(fields, 'advisoryKeys', (it) => requiredText(it, 'id'));
  return {
    ...summary(fields, key),
    key,
    purl: text(fields, 'purl'),
    ...(deprecatedReason !== '' && { deprecatedReason }),
    ...(projectStatus && { projectStatus }),
    ...(cooldownEnd !== undefined && { cooldownEnd }),
    licenses: texts(fields, 'licenses'),
    licenseDetails: objects(fields, 'licenseDetails', (it) => ({
      license: text(it, 'license'),
      spdx: text(it, 'spdx'),
    })),
    advisories: projectStatus?.status === 'quarantined' ? [...advisories, suspicions.quarantined] : advisories,
    // An addition to the contract. If it is absent, the list is complete.
    ...(fields.values['advisoriesComplete'] === false && { areAdvisoriesUnknown: true }),
    ...(advisoriesAsOf !== undefined && { advisoriesAsOf }),
    links: objects(fields, 'links', (it) => ({ label: text(it, 'label'), url: text(it, 'url') })),
    provenances: readProvenances(fields),
    registries: texts(fields, 'registries'),
    projects: knownObjects(fields, 'relatedProjects', (it) => {
      const key = inner(it, 'projectKey');
      if (key === undefined) throw unknownValue(it, 'projectKey', 'missing');
      return {
        id: text(key, 'id'),
        provenance: enumText(it, 'relationProvenance'),
        type: enumText(it, 'relationType'),
      };
    }),
    upstream: objects(fields, 'upstreamIdentifiers', (it) => ({
      packageName: text(it, 'packageName'),
      versionString: text(it, 'versionString'),
      source: text(it, 'source'),
    })),
  };
}

/** Undefined for a status that this program does not know. */
function readProjectStatus(fields: Fields): ProjectStatus | undefined {
  const given = inner(fields, 'projectStatus');
  if (given === undefined) return undefined;
  // The names of other enums of the service are upper case.
  const written = given.values['status'];
  const name = typeof written === 'string' ? written.toLowerCase() : '';
  const status = projectStatuses.find((it) => it === name);
  return status && { status, reason: text(given, 'reason') };
}

function readProvenances(fields: Fields): readonly Provenance[] {
  const read = (it: Fields): Provenance => ({
    type: enumText(it, 'type'),
    sourceRepository: text(it, 'sourceRepository'),
    commit: text(it, 'commit'),
    url: text(it, 'url'),
    verified: flag(it, 'verified'),
  });
  const [built, attested] = [knownObjects(fields, 'slsaProvenances', read), knownObjects(fields, 'attestations', read)];
  return distinctProvenances(attested.length === 0 ? built : [...built, ...attested]);
}

/** @param asked the facts of any other package are rejected */
export function readPackage(value: unknown, asked: PackageKey): PackageFacts {
  const fields = fieldsOf(value);
  const key = packageKey(requiredInner(fields, 'packageKey'));
  if (!isSamePackage(key, asked)) {
    throw new Malformed(`packageKey is of ${key.system} ${key.name}, which was not asked for`);
  }
  return {
    key,
    purl: text(fields, 'purl'),
    // Versions of other packages are skipped: no update may lead to them.
    versions: listOf(
      knownObjects(fields, 'versions', (it) => {
        const of = versionKey(requiredInner(it, 'versionKey'));
        return isSamePackage(of, key) ? summary(it, of) : undefined;
      }).filter((it) => it !== undefined),
    ),
    // An addition to the contract. If it is absent, the list is complete.
    ...(fields.values['versionsComplete'] === false && { isSample: true }),
  };
}

export function readAdvisory(value: unknown, asked: string): AdvisoryFacts {
  const fields = fieldsOf(value);
  const id = requiredText(requiredInner(fields, 'advisoryKey'), 'id');
  if (id.toUpperCase() !== asked.toUpperCase()) throw new Malformed(`advisoryKey is ${id}, which was not asked for`);
  const score = number(fields, 'cvss3Score');
  const vector = text(fields, 'cvss3Vector');
  return {
    id,
    url: text(fields, 'url'),
    title: text(fields, 'title'),
    aliases: texts(fields, 'aliases'),
    ...(isScore(score) && { score }),
    ...(vector !== '' && { vector }),
    ...(!isScore(score) && ratingBeyond(fields)),
    ...(fields.values['knownExploited'] === true && { isExploited: true }),
    ...fixedBeyond(fields),
  };
}

/** What a service says beyond the contract of the versions that fix it. In another form it says something else. */
function fixedBeyond({ values }: Fields): Pick<AdvisoryFacts, 'fixed'> {
  const { fixedVersions } = values;
  if (!Array.isArray(fixedVersions)) return {};
  const fixed = fixedVersions.flatMap((it: unknown): FixedVersions[] => {
    const { packageKey: of, versions } = isRecord(it) ? it : {};
    const { system, name } = isRecord(of) ? of : {};
    const named = Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : [];
    if (typeof system !== 'string' || !isSystem(system) || typeof name !== 'string' || named.length === 0) return [];
    return [{ key: { system, name }, versions: named }];
  });
  return fixed.length > 0 ? { fixed } : {};
}

/** What a service says of the severity beyond the contract. In another form it says something else. */
function ratingBeyond({ values }: Fields): Pick<AdvisoryFacts, 'score' | 'vector' | 'level'> {
  const { cvss4Score: score, cvss4Vector: vector, severity } = values;
  if (isScore(score)) return { score, ...(typeof vector === 'string' && vector !== '' && { vector }) };
  const level = typeof severity === 'string' ? levelOf(severity) : undefined;
  return level ? { level } : {};
}

/** A score of 0 means that there is none; CVSS ends at 10. */
function isScore(score: unknown): score is number {
  return typeof score === 'number' && score > 0 && score <= 10;
}

export function versionKey(fields: Fields): VersionKey {
  return { ...packageKey(fields), version: requiredText(fields, 'version') };
}

export function packageKey(fields: Fields): PackageKey {
  const system = enumText(fields, 'system').toUpperCase();
  if (system === '') throw new Malformed(`${place(fields, 'system')} is missing`);
  if (!isSystem(system)) throw unknownValue(fields, 'system', system);
  return { system, name: requiredText(fields, 'name') };
}

function summary(fields: Fields, { version }: VersionKey): VersionSummary {
  const publishedAt = moment(fields, 'publishedAt');
  return {
    version,
    ...(publishedAt !== undefined && { publishedAt }),
    isDefault: flag(fields, 'isDefault'),
    isDeprecated: flag(fields, 'isDeprecated'),
  };
}
