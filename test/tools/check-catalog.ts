import { versioning } from '../../server/src/engine/ecosystems/versioning.ts';
import { packageId } from '../../server/src/engine/model/keys.ts';
import type { System } from '../../server/src/engine/model/system.ts';
import { canonicalVersion } from '../../server/src/service/canonical.ts';
import type { Catalog } from '../../server/src/service/catalog/catalog.ts';
import type {
  AdvisoryRecord,
  HashType,
  PackageRecord,
  VersionFields,
} from '../../server/src/service/catalog/record.ts';
import { digestLengths } from '../../server/src/service/query.ts';

interface CheckOptions {
  /** Whether a text is an SPDX expression. */
  readonly isLicense: (text: string) => boolean;
  /** In ms since the epoch: nothing was published later. */
  readonly now: number;
}

/** Lists the contradictions and broken rules of a catalog, a sentence each. */
export function checkCatalog(catalog: Catalog, options: CheckOptions): string[] {
  const names = catalog.records.map(packageId);
  return [
    ...names.filter((it, index) => names.indexOf(it) !== index).map((it) => `${it}: stands there twice`),
    ...catalog.records.flatMap((it) => checkPackage(it, options).map((problem) => `${packageId(it)}: ${problem}`)),
    ...checkWhole(catalog),
    ...[...catalog.advisories.values()].flatMap((it) =>
      checkAdvisory(catalog, it).map((problem) => `${it.id}: ${problem}`),
    ),
  ];
}

function checkPackage(record: PackageRecord, options: CheckOptions): string[] {
  const problems: string[] = [];
  const versions = Object.entries(record.versions);
  const { compare } = versioning[record.system];
  const defaults = versions.filter(([, it]) => it.isDefault).length;
  if (defaults > 1) problems.push(`${defaults} versions are the default`);
  if (record.shared?.isDefault || record.shared?.hashes || record.shared?.artifact) {
    problems.push('isDefault, hashes and artifact cannot be shared');
  }
  // Integer keys such as 20040616 come first in every JavaScript object, regardless of the file.
  const ordered = versions.map(([it]) => it).filter((it) => !/^\d+$/.test(it));
  for (const [index, version] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before !== undefined && compare(before, version) >= 0) problems.push(`${version} stands after ${before}`);
  }
  const others = record.others ?? [];
  for (const [index, version] of others.entries()) {
    const before = others[index - 1];
    if (before !== undefined && compare(before, version) > 0) problems.push(`${version} stands after ${before}`);
  }
  const canonical = [...versions.map(([it]) => it), ...others].map((it) => canonicalVersion(record.system, it));
  problems.push(
    ...canonical.filter((it, index) => canonical.indexOf(it) !== index).map((it) => `${it} stands there twice`),
  );
  const used = [record.from, ...versions.map(([, it]) => it.from ?? [])].flat();
  problems.push(
    ...(record.from.length === 0 ? ['nothing vouches for it: from is empty'] : []),
    ...[...new Set(used)].filter((it) => !Object.hasOwn(record.sources, it)).map((it) => `${it} is no source`),
    ...registriesIn(record),
  );
  for (const [version, own] of versions) {
    const fields = { ...record.shared, ...own };
    problems.push(...checkFields(record.system, fields, options).map((it) => `${version}: ${it}`));
  }
  return problems;
}

/** The sources that list every version of a package, by their first words. Other sources list some. */
const wholeLists: Readonly<Record<System, readonly RegExp[]>> = {
  NPM: [/^npm view /, /^names of versions through npm view\b/],
  PYPI: [/^the package index through pip \(files, hashes, yanked\)/],
  MAVEN: [/^maven-metadata through mvn\b/, /^names of versions through maven-metadata and mvn\b/],
  CARGO: [/^the registry's index through cargo \(versions, /],
  // The proxy serves versions that it does not list, such as any commit.
  GO: [],
  // No client was available.
  NUGET: [],
};

/** What says which version of a sample is its default, by its first words. It is a lower bound. */
const newest = /^the newest version that could be confirmed\b/;

/** Lists that are declared complete without evidence. */
function checkWhole(catalog: Catalog): string[] {
  const problems: string[] = [];
  for (const record of catalog.records) {
    const { whole, system, sources, versions, others = [], invented } = record;
    const expect = (holds: boolean, problem: string) =>
      void (holds || problems.push(`${packageId(record)}: ${problem}`));
    if (!whole) {
      const named = Object.values(versions).filter((it) => it.isDefault);
      const isVouchedFor = named.every((it) => it.from?.some((label) => newest.test(sources[label] ?? '')));
      expect(invented === true || isVouchedFor || system === 'GO', 'the default of a sample is not known');
      continue;
    }
    expect(invented !== true, 'what is invented has no list');
    const source = sources[whole.by] ?? '';
    expect(
      wholeLists[system].some((it) => it.test(source)),
      `${whole.by} does not list all versions of ${system}`,
    );
    expect(
      !/(?<!details of (?:\d+ )?)(?:pre-releases|versions) (?:are |were )?(?:left out|not )/.test(source),
      `${whole.by} leaves some out`,
    );
    expect(source.includes(`read ${whole.asOf}`), `${whole.by} was not read on ${whole.asOf}`);
    const count = Object.keys(versions).length + others.length;
    expect(count === whole.count, `${count} versions stand here, and ${whole.count} were listed`);
  }
  return [...problems, ...missingFromWhole(catalog)];
}

/** Versions that POMs in the catalog require, and that are missing in lists declared complete. */
function missingFromWhole(catalog: Catalog): string[] {
  const named = catalog.records.flatMap((record) =>
    Object.values(record.versions).flatMap(({ requirements }) => {
      const { parent, dependencies = [], dependencyManagement = [] } = (requirements?.['maven'] ?? {}) as Named;
      return [...(parent ? [parent] : []), ...dependencies, ...dependencyManagement].map((it) => ({
        ...it,
        by: record,
      }));
    }),
  );
  return named.flatMap(({ name, version, by }) => {
    const found = catalog.package({ system: 'MAVEN', name });
    const isLiteral = /^[\w.-]+$/.test(version);
    return found?.isWhole && isLiteral && !found.byVersion.has(version)
      ? [`${packageId(found.key)}: ${version} is missing, which ${by.name} names`]
      : [];
  });
}

interface Named {
  readonly parent?: { readonly name: string; readonly version: string };
  readonly dependencies?: readonly { readonly name: string; readonly version: string }[];
  readonly dependencyManagement?: readonly { readonly name: string; readonly version: string }[];
}

const linkLabels = ['SOURCE_REPO', 'HOMEPAGE', 'ISSUE_TRACKER', 'DOCUMENTATION', 'ORIGIN', 'ATTESTATION'];
const relationProvenances = ['SLSA_ATTESTATION', 'GO_ORIGIN', 'PYPI_PUBLISH_ATTESTATION', 'UNVERIFIED_METADATA'];
const relationTypes = ['SOURCE_REPO', 'ISSUE_TRACKER'];
/** The systems that GetRequirements serves. */
const withRequirements: readonly System[] = ['NPM', 'MAVEN', 'NUGET'];
/** No system is older, so an earlier date is an error. */
const earliest = Date.UTC(1995, 0);

function checkFields(system: System, fields: VersionFields, { isLicense, now }: CheckOptions): string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem));
  const time = Date.parse(fields.publishedAt ?? '');
  expect(Number.isNaN(time) || (time >= earliest && time <= now), `it cannot be published at ${fields.publishedAt}`);
  const licenses = fields.licenses ?? [];
  for (const it of licenses) expect(it === 'non-standard' || isLicense(it), `${it} is no SPDX expression`);
  for (const { spdx } of fields.licenseDetails ?? []) {
    expect(licenses.includes(spdx), `licenseDetails speak of ${spdx}, licenses do not`);
  }
  for (const { label } of fields.links ?? []) expect(linkLabels.includes(label), `${label} is no label of a link`);
  for (const it of fields.slsaProvenances ?? []) {
    expect(/^[0-9a-f]{40}$/.test(it.commit), `${it.commit} is no commit`);
  }
  for (const { projectKey, relationProvenance, relationType } of fields.relatedProjects ?? []) {
    const isProject = /^(github\.com|gitlab\.com|bitbucket\.org)\/[^/]+\/\S+$/.test(projectKey.id);
    expect(isProject && projectKey.id === projectKey.id.toLowerCase(), `${projectKey.id} is no project`);
    expect(relationProvenances.includes(relationProvenance), `${relationProvenance} is no provenance of a relation`);
    expect(relationTypes.includes(relationType), `${relationType} is no type of a relation`);
  }
  for (const [type, digest] of Object.entries(fields.hashes ?? {})) {
    expect(digest.length === 2 * digestLengths[type as HashType], `its ${type} has a wrong length`);
  }
  const { requirements } = fields;
  expect(
    requirements === undefined || (withRequirements.includes(system) && isOnlyKey(requirements, system.toLowerCase())),
    `its requirements are not those of ${system}`,
  );
  return problems;
}

function isOnlyKey(object: object, key: string): boolean {
  return Object.keys(object).join() === key;
}

function checkAdvisory(catalog: Catalog, record: AdvisoryRecord): string[] {
  const problems = registriesIn(record);
  const hasVector = /^CVSS:3\.[01]\//.test(record.cvss3Vector);
  if (hasVector !== record.cvss3Score > 0 || (!hasVector && record.cvss3Vector !== '')) {
    problems.push('its score and its vector contradict each other');
  }
  if (record.aliases.includes(record.id)) problems.push('it is an alias of itself');
  if (!record.affected.some((it) => catalog.package(it))) problems.push('it affects no package of the catalog');
  for (const { system, name, ranges = [], versions = [] } of record.affected) {
    if (ranges.length + versions.length === 0) problems.push(`no versions of ${packageId({ system, name })} are named`);
  }
  return problems;
}

/** Hosts of registries, which the catalog names nowhere; in pieces, so that this file does not either. */
const registryHosts = [
  ['np', 'mjs.org'],
  ['np', 'mjs.com'],
  ['yarn', 'pkg.com'],
  ['py', 'pi.org'],
  ['python', 'hosted.org'],
  ['crates', '.io'],
  ['ma', 'ven.org'],
  ['repo.', 'maven.apache.org'],
  ['nu', 'get.org'],
  ['proxy', '.golang.org'],
  ['sum', '.golang.org'],
  ['deb', '.debian.org'],
].map((it) => it.join(''));

function registriesIn(record: object): string[] {
  const text = JSON.stringify(record).toLowerCase();
  return registryHosts
    .filter((host) => new RegExp(`[/.@]${host.replaceAll('.', '\\.')}(?![\\w-])`).test(text))
    .map((host) => `it names the registry ${host}`);
}
