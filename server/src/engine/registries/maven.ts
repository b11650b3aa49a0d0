import * as l10n from '@vscode/l10n';
import { interpolationOf } from '../ecosystems/maven/pom-values.ts';
import { maven } from '../ecosystems/shared/maven-versions.ts';
import { parseXml } from '../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../formats/xml/tree.ts';
import {
  type LicenseDetail,
  type Link,
  listOf,
  type PackageFacts,
  rowOf,
  type VersionFacts,
  type VersionSummary,
} from '../model/facts.ts';
import type { Requirements } from '../model/lookups.ts';
import { formatPurl } from '../model/purl.ts';
import {
  type ListedPackage,
  type RegistryAnswer,
  type RegistryClient,
  type RegistryQuestion,
  withoutFacts,
} from '../model/registries/registry-client.ts';
import { sendAbout } from './another.ts';
import { spdxOfLicense } from './license-names.ts';
import { requirementsOfPom } from './maven-requirements.ts';
import { listedFacts } from './version-facts.ts';

/**
 * A repository of Maven: files at the addresses that coordinates make.
 *
 *     com/acme/core/maven-metadata.xml             the versions
 *     com/acme/core/1.2.0/core-1.2.0.pom           license, links, relocation; its time is that of the version
 *     com/acme/core/1.3-SNAPSHOT/maven-metadata.xml    the names of the files of a snapshot
 *
 * Source: Maven, “Repository Metadata” and “Repository Layout”.
 */
export const mavenClient: RegistryClient = { protocol: 'maven', list, version, requirements };

/** The longest list in wide use has some 3000. */
const MAX_VERSIONS = 20_000;
/** In characters, of a file. The longest list has 200,000, the longest POM in wide use 500,000. */
const MAX_XML_LENGTH = 4 * 1024 * 1024;
/** In characters. */
const MAX_VERSION_LENGTH = 200;
/** Parents that are read for a license: of widely used projects, few have more than five above them. */
const MAX_PARENTS = 8;
/** Licenses or links of one POM. Real ones have up to five. */
const MAX_ENTRIES = 20;
/** In characters, of any text that is shown. */
const MAX_TEXT_LENGTH = 2000;

interface Coordinates {
  readonly group: string;
  readonly artifact: string;
}

interface Pom {
  readonly root: XmlElement;
  readonly publishedAt?: number;
}

async function list(question: RegistryQuestion): Promise<RegistryAnswer<ListedPackage>> {
  const { registry, name } = question;
  const coordinates = coordinatesOf(name);
  if (!coordinates) return { kind: 'absent' };
  const url = `${directoryOf(question, coordinates)}/maven-metadata.xml`;
  const metadata = await read(question, coordinates, url, 'metadata');
  if (metadata.kind !== 'found') return metadata;
  const versioning = childOf(metadata.value.root, 'versioning');
  const all = [...new Set(childrenOf(childOf(versioning, 'versions'), 'version').map((it) => it.text.trim()))];
  const taken = all.filter((it) => isVersion(it) && isTaken(it, registry.takes));
  // Metadata of a group lists plugins and no versions.
  if (taken.length === 0) return { kind: 'absent' };
  const sorted = taken.sort(maven.compare).slice(-MAX_VERSIONS);
  const usual = defaultOf(sorted, childOf(versioning, 'release')?.text.trim());
  const key = { system: 'MAVEN', name } as const;
  const summaries = sorted.map((it): VersionSummary => ({ version: it, isDefault: it === usual, isDeprecated: false }));
  const facts: PackageFacts = {
    key,
    purl: formatPurl(key),
    versions: listOf(summaries),
    ...(sorted.length < taken.length && { isSample: true as const }),
  };
  const known = new Map(summaries.map((it) => [it.version, it]));
  return {
    kind: 'found',
    value: {
      facts,
      version: (asked) => {
        const summary = known.get(asked);
        return summary && factsOf(question, summary);
      },
    },
  };
}

/** `release` names what was deployed last, which may be a patch of an old version or a pre-release. */
function defaultOf(sorted: readonly string[], release: string | undefined): string | undefined {
  const released = sorted.filter((it) => !isSnapshot(it));
  return released.findLast(maven.isStable) ?? released.find((it) => it === release) ?? released.at(-1);
}

async function version(question: RegistryQuestion, asked: string): Promise<RegistryAnswer<VersionFacts>> {
  const coordinates = coordinatesOf(question.name);
  if (!coordinates || !isVersion(asked)) return { kind: 'absent' };
  const pom = await pomOf(question, coordinates, asked);
  if (pom.kind !== 'found') return pom;
  const { root, publishedAt } = pom.value;
  const poms = [root, ...(await parentsOf(question, root))];
  const listed = question.listed && rowOf(question.listed.facts.versions, asked);
  const relocated = relocationOf(root, coordinates, asked);
  const facts = factsOf(question, {
    version: asked,
    isDefault: listed?.isDefault ?? false,
    isDeprecated: relocated !== undefined,
    ...(publishedAt !== undefined && { publishedAt }),
  });
  const licenseDetails = first(poms, licensesOf);
  return {
    kind: 'found',
    value: {
      ...facts,
      ...(relocated !== undefined && { deprecatedReason: relocated }),
      licenses: [...new Set(licenseDetails.map((it) => it.spdx))],
      licenseDetails,
      links: links(poms),
    },
  };
}

async function requirements(question: RegistryQuestion, asked: string): Promise<RegistryAnswer<Requirements>> {
  const coordinates = coordinatesOf(question.name);
  if (!coordinates || !isVersion(asked)) return { kind: 'absent' };
  const pom = await pomOf(question, coordinates, asked);
  return pom.kind === 'found' ? { kind: 'found', value: requirementsOfPom(pom.value.root) } : pom;
}

function factsOf({ name, registry }: RegistryQuestion, summary: VersionSummary): VersionFacts {
  return listedFacts({ system: 'MAVEN', name }, summary, registry.address);
}

/** The POM of a version. That of a snapshot has the time of its build in its name, unless its repository keeps one build. */
async function pomOf(question: RegistryQuestion, it: Coordinates, asked: string): Promise<RegistryAnswer<Pom>> {
  const directory = `${directoryOf(question, it)}/${encodeURIComponent(asked)}`;
  let built = asked;
  if (isSnapshot(asked)) {
    const metadata = await read(question, it, `${directory}/maven-metadata.xml`, 'metadata');
    if (metadata.kind === 'found') built = snapshotBuild(metadata.value.root, asked) ?? asked;
    else if (metadata.kind !== 'absent') return metadata;
  }
  const isConstant = !isSnapshot(built);
  return read(question, it, `${directory}/${encodeURIComponent(`${it.artifact}-${built}.pom`)}`, 'project', isConstant);
}

/** `1.3-SNAPSHOT` → `1.3-20261123.101112-7` */
function snapshotBuild(metadata: XmlElement, asked: string): string | undefined {
  const versioning = childOf(metadata, 'versioning');
  const files = childrenOf(childOf(versioning, 'snapshotVersions'), 'snapshotVersion');
  const pom = files.find((it) => textOf(it, 'extension') === 'pom' && textOf(it, 'classifier') === '');
  const snapshot = childOf(versioning, 'snapshot');
  const build = snapshot && `${textOf(snapshot, 'timestamp')}-${textOf(snapshot, 'buildNumber')}`;
  const named = pom ? textOf(pom, 'value') : build && asked.replace(/SNAPSHOT$/i, build);
  return named !== undefined && isVersion(named) ? named : undefined;
}

/** The parents in the same registry, for what a POM inherits; as far as they are there. */
async function parentsOf(question: RegistryQuestion, root: XmlElement): Promise<readonly XmlElement[]> {
  const found: XmlElement[] = [];
  for (let it = root; found.length < MAX_PARENTS; ) {
    const parent = childOf(it, 'parent');
    const coordinates = parent && coordinatesOf(`${textOf(parent, 'groupId')}:${textOf(parent, 'artifactId')}`);
    const asked = parent && textOf(parent, 'version');
    // What is not inherited needs no request.
    if (!coordinates || !asked || !isVersion(asked) || (licensesOf(it).length > 0 && links([it]).length > 0)) break;
    const pom = await pomOf(question, coordinates, asked);
    if (pom.kind !== 'found') break;
    it = pom.value.root;
    found.push(it);
  }
  return found;
}

/** Reads a file of XML with this root. Many repositories answer with a page of HTML where they should refuse. */
async function read(
  question: RegistryQuestion,
  coordinates: Coordinates,
  url: string,
  rootName: string,
  isConstant = false,
): Promise<RegistryAnswer<Pom>> {
  const accept = 'application/xml, text/xml, */*;q=0.5';
  let parsed: { readonly text: string; readonly root: XmlElement | undefined } | undefined;
  const rootOf = (text: string): XmlElement | undefined => {
    if (parsed?.text !== text) parsed = { text, root: parseXml(text).root };
    return parsed.root;
  };
  const isOf = (text: string): boolean => text.length > MAX_XML_LENGTH || isAbout(rootOf(text), coordinates);
  const reply = await sendAbout(question, { url, accept, ...(isConstant && { isConstant }) }, isOf);
  const without = withoutFacts(reply);
  if (without) return without;
  if (reply.kind !== 'reply') return reply;
  if (reply.text.length > MAX_XML_LENGTH) return { kind: 'failed', reason: l10n.t('the answer exceeds {0} MiB', 4) };
  const root = rootOf(reply.text);
  if (root?.name !== rootName) return { kind: 'failed', reason: l10n.t('the answer is not XML of Maven') };
  const time = Date.parse(reply.headers['last-modified'] ?? '');
  return { kind: 'found', value: { root, ...(Number.isFinite(time) && { publishedAt: time }) } };
}

/** Whether a file is about an artifact. Some name none, or leave it to a property. */
function isAbout(root: XmlElement | undefined, { group, artifact }: Coordinates): boolean {
  const isSame = (said: string, wanted: string): boolean => said === '' || said === wanted || said.includes('${');
  const saidGroup = textOf(root, 'groupId') || textOf(childOf(root, 'parent'), 'groupId');
  return isSame(saidGroup, group) && isSame(textOf(root, 'artifactId'), artifact);
}

/** Undefined for a name that is no address of a file. */
function coordinatesOf(name: string): Coordinates | undefined {
  const [group = '', artifact = '', ...rest] = name.split(':');
  const isUsable = rest.length === 0 && segments.test(group) && segments.test(artifact) && !dots.test(`${artifact}.`);
  return isUsable && name.length <= MAX_TEXT_LENGTH ? { group, artifact } : undefined;
}

/** Source: Maven's DefaultModelValidator. */
const segments = /^[\w-][\w.-]*$/;
const dots = /\.\./;

function directoryOf({ registry }: RegistryQuestion, { group, artifact }: Coordinates): string {
  return `${registry.address}/${group.split('.').join('/')}/${artifact}`;
}

function isVersion(text: string): boolean {
  return text.length <= MAX_VERSION_LENGTH && /^\w[^\s/\\:*?"<>|${}\p{Cc}]*$/u.test(text) && !dots.test(text);
}

function isSnapshot(text: string): boolean {
  return /-SNAPSHOT$/i.test(text) || /^SNAPSHOT$/i.test(text);
}

function isTaken(text: string, takes: 'releases' | 'snapshots' | undefined): boolean {
  return takes === undefined || isSnapshot(text) === (takes === 'snapshots');
}

/** Where a package moved to, for people. What the relocation leaves out stays the same. */
function relocationOf(root: XmlElement, { group, artifact }: Coordinates, asked: string): string | undefined {
  const relocation = childOf(childOf(root, 'distributionManagement'), 'relocation');
  if (!relocation) return undefined;
  const target = [
    textOf(relocation, 'groupId') || group,
    textOf(relocation, 'artifactId') || artifact,
    textOf(relocation, 'version') || asked,
  ];
  const message = textOf(relocation, 'message');
  const moved = l10n.t('moved to {0}', target.join(':'));
  return message === '' ? moved : `${moved}: ${message}`.slice(0, MAX_TEXT_LENGTH);
}

function first<T>(poms: readonly XmlElement[], of: (pom: XmlElement) => readonly T[]): readonly T[] {
  for (const it of poms) {
    const found = of(it);
    if (found.length > 0) return found;
  }
  return [];
}

function licensesOf(pom: XmlElement): readonly LicenseDetail[] {
  const written = childrenOf(childOf(pom, 'licenses'), 'license').slice(0, MAX_ENTRIES);
  return written.flatMap((it): LicenseDetail[] => {
    const [name, url] = [textOf(it, 'name'), textOf(it, 'url')];
    const license = name || url;
    return license === '' ? [] : [{ license, spdx: spdxOfLicense(name, url) }];
  });
}

/** The nearest POM that has a link of a kind. */
function links(poms: readonly XmlElement[]): readonly Link[] {
  const kinds: readonly (readonly [label: string, of: (pom: XmlElement) => string])[] = [
    ['HOMEPAGE', (pom) => textOf(pom, 'url')],
    ['SOURCE_REPO', (pom) => scmOf(childOf(pom, 'scm'))],
    ['ISSUE_TRACKER', (pom) => textOf(childOf(pom, 'issueManagement'), 'url')],
  ];
  return kinds.flatMap(([label, of]) => {
    const [url] = first(poms, (pom) => {
      const written = interpolated(of(pom), pom);
      return isWebAddress(written) ? [written] : [];
    });
    return url === undefined ? [] : [{ label, url }];
  });
}

/** `scm:git:https://code.example/core.git` → `https://code.example/core.git` */
function scmOf(scm: XmlElement | undefined): string {
  return textOf(scm, 'url') || textOf(scm, 'connection').replace(/^scm:\w+:/, '');
}

function interpolated(text: string, pom: XmlElement): string {
  if (!text.includes('${')) return text;
  const own = new Map((childOf(pom, 'properties')?.children ?? []).map((it) => [it.name, it.text]));
  const parent = childOf(pom, 'parent');
  const coordinates = (['groupId', 'artifactId', 'version'] as const).map(
    (it) => [`project.${it}`, textOf(pom, it) || textOf(parent, it)] as const,
  );
  return interpolationOf(own, new Map(coordinates)).interpolate(text);
}

function isWebAddress(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH && /^https?:\/\/[^\s${}]+$/i.test(text) && URL.canParse(text);
}

function textOf(it: XmlElement | undefined, name: string): string {
  return (childOf(it, name)?.text ?? '').trim().slice(0, MAX_TEXT_LENGTH);
}
