import * as l10n from '@vscode/l10n';
import { isRecord, oneLine } from '../base/text.ts';
import { type Link, listOf, type PackageFacts, type VersionFacts, type VersionSummary } from '../model/facts.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Required, Requirements } from '../model/lookups.ts';
import { formatPurl } from '../model/purl.ts';
import type { AskedRegistry } from '../model/registries/access.ts';
import {
  type Artifact,
  type ListedPackage,
  type RegistryAnswer,
  type RegistryClient,
  type RegistryQuestion,
  withoutFacts,
} from '../model/registries/registry-client.ts';
import { ofAnother } from './another.ts';
import { npmAttestations } from './attestations.ts';
import { digestOf, digestsOfIntegrity } from './digests.ts';
import { type Fields, fieldsAt, parseFields, textAt, textsOf } from './json.ts';
import { licensesFrom } from './licenses.ts';
import { listedFacts, sharing } from './version-facts.ts';

/**
 * A packument, `GET /@acme%2fcore`: all versions of a package with their manifests, and the times of their publication.
 *
 * Source: docs/responses/package-metadata.md of npm/registry
 */
export const npmRegistryClient: RegistryClient = {
  protocol: 'npm',
  async list(question) {
    const path = pathOf(question.name);
    if (path === undefined) return { kind: 'absent' };
    const url = `${question.registry.address}/${path}`;
    const full = await question.send({ url, accept: 'application/json' });
    // A packument may be larger than what is read of an answer. The abbreviated one has no times and no licenses.
    const isPartial = full.kind === 'failed' && full.isTooLarge === true;
    const reply = isPartial ? await question.send({ url, accept: ABBREVIATED }) : full;
    const without = withoutFacts(reply);
    if (without) return without;
    const packument = reply.kind === 'reply' ? parseFields(reply.text) : undefined;
    if (packument === undefined) return { kind: 'failed', reason: l10n.t('the answer is not JSON') };
    if (!isOf(packument, question)) return ofAnother();
    return listed(packument, question, isPartial);
  },
  /** What its attestations say, if it has any. */
  async version(question, version) {
    const answer = await manifestOf(question, version);
    const url = answer.kind === 'found' && answer.value.links.find((it) => it.label === ATTESTATION)?.url;
    if (!url || answer.kind !== 'found') return answer;
    return { kind: 'found', value: { ...answer.value, provenances: await npmAttestations(question, url) } };
  },
  async requirements(question, version) {
    const path = pathOf(question.name);
    if (path === undefined) return { kind: 'absent' };
    const one = await read(question, `${path}/${encodeURIComponent(version)}`, 'application/json', isNumbered(version));
    if (one.kind === 'found') return { kind: 'found', value: requirementsIn(one.value) };
    if (one.kind !== 'absent') return one;
    const packument = await read(question, path, ABBREVIATED);
    if (packument.kind !== 'found') return packument;
    const manifest = fieldsAt(packument.value, 'versions')[version];
    return isRecord(manifest) ? { kind: 'found', value: requirementsIn(manifest) } : { kind: 'absent' };
  },
};

/** The manifest of one version, `GET /@acme%2fcore/1.2.3`, only where the abbreviated packument was read. */
async function manifestOf(question: RegistryQuestion, version: string): Promise<RegistryAnswer<VersionFacts>> {
  const known = question.listed?.version(version);
  if (known === undefined) return { kind: 'absent' };
  const path = pathOf(question.name);
  if (path === undefined || !(question.listed && abbreviated.has(question.listed))) {
    return { kind: 'found', value: known };
  }
  const manifest = await read(
    question,
    `${path}/${encodeURIComponent(version)}`,
    'application/json',
    isNumbered(version),
  );
  // Not every registry has addresses of single versions.
  if (manifest.kind === 'absent') return { kind: 'found', value: known };
  if (manifest.kind !== 'found') return manifest;
  // A later deprecation is recorded only in the packument, which is newer.
  const { isDeprecated: _, deprecatedReason: __, ...facts } = manifestFacts(manifest.value);
  return { kind: 'found', value: { ...known, ...facts } };
}

const ATTESTATION = 'ATTESTATION';

/** Not a tag, which moves. */
function isNumbered(version: string): boolean {
  return /^\d+\.\d+\.\d+/.test(version);
}

/** Whether an answer is about the package that was asked for. Not every registry names it. */
function isOf(answer: Fields, { name }: RegistryQuestion): boolean {
  return (textAt(answer, 'name') ?? name) === name;
}

async function read(
  question: RegistryQuestion,
  path: string,
  accept: string = 'application/json',
  isConstant = false,
): Promise<RegistryAnswer<Fields>> {
  const { registry, send } = question;
  const reply = await send({
    url: `${registry.address}/${path}`,
    accept,
    ...(isConstant && { isConstant, isOf: (text: string) => isOf(parseFields(text) ?? {}, question) }),
  });
  const without = withoutFacts(reply);
  if (without) return without;
  const value = reply.kind === 'reply' ? parseFields(reply.text) : undefined;
  if (value === undefined) return { kind: 'failed', reason: l10n.t('the answer is not JSON') };
  return isOf(value, question) ? { kind: 'found', value } : ofAnother();
}

/** npm publishes what is optional among the other dependencies, too. */
function requirementsIn(manifest: Fields): Requirements {
  const of = (name: string): readonly Required[] =>
    Object.entries(fieldsAt(manifest, name))
      .slice(0, MAX_REQUIRED)
      .flatMap(([name, requirement]) => (typeof requirement === 'string' ? [{ name, requirement }] : []));
  const [all, optionalDependencies] = [of('dependencies'), of('optionalDependencies')];
  const optional = new Set(optionalDependencies.map((it) => it.name));
  const dependencies = all.filter((it) => !optional.has(it.name));
  const bundled: unknown = manifest['bundleDependencies'] ?? manifest['bundledDependencies'];
  return {
    system: 'NPM',
    dependencies,
    optionalDependencies,
    devDependencies: of('devDependencies'),
    peerDependencies: of('peerDependencies'),
    bundleDependencies: bundled === true ? dependencies.map((it) => it.name) : textsOf(bundled).slice(0, MAX_REQUIRED),
    bundled: [],
  };
}

/** Entries of one list of one version. Real ones have up to some hundred. */
const MAX_REQUIRED = 10_000;

/** Only what an installation needs. Source: the same document */
const ABBREVIATED = 'application/vnd.npm.install-v1+json';

/** The lists that were read from abbreviated packuments. */
const abbreviated = new WeakSet<ListedPackage>();

/** `@acme/core` → `@acme%2fcore`, as npm writes it; undefined for what is no name of a package. */
function pathOf(name: string): string | undefined {
  const [, scope, bare = ''] = /^(?:@([^/]+)\/)?([^/]+)$/.exec(name) ?? [];
  if (bare === '' || /^\.\.?$/.test(bare)) return undefined;
  return scope === undefined ? encodeURIComponent(bare) : `@${encodeURIComponent(scope)}%2f${encodeURIComponent(bare)}`;
}

function listed(
  packument: Fields,
  { name, registry }: RegistryQuestion,
  isPartial: boolean,
): RegistryAnswer<ListedPackage> {
  const key: PackageKey = { system: 'NPM', name };
  const latest = textAt(fieldsAt(packument, 'dist-tags'), 'latest');
  const times = timesIn(packument);
  const shared = sharing();
  const summaries = new Map<string, VersionSummary>();
  const details = new Map<string, ManifestFacts>();
  const files = new Map<string, NpmFile>();
  const all = Object.entries(fieldsAt(packument, 'versions'));
  // They are in the order of their publication.
  const newest = all.filter(([version], at) => at >= all.length - MAX_VERSIONS || version === latest);
  for (const [version, manifest] of newest) {
    if (!isRecord(manifest) || version === '' || version.length > MAX_VERSION) continue;
    const publishedAt = timeAt(times, version);
    const facts = shared(manifestFacts(manifest));
    const { isDeprecated } = facts;
    const dated = publishedAt !== undefined && { publishedAt };
    summaries.set(version, { version, ...dated, isDefault: version === latest, isDeprecated });
    details.set(version, facts);
    files.set(version, fileIn(manifest, registry, name, version));
  }
  // A package that was unpublished as a whole has only a time and no version left.
  if (summaries.size === 0) return { kind: 'absent' };
  const facts: PackageFacts = {
    key,
    purl: formatPurl(key),
    versions: listOf([...summaries.values()]),
    ...(newest.length < all.length && { isSample: true }),
  };
  const value: ListedPackage = {
    facts,
    version: versionsOf(key, registry, summaries, details),
    artifacts: artifactsOf(registry, name, files),
  };
  if (isPartial) abbreviated.add(value);
  return { kind: 'found', value };
}

/**
 * Facts are made when they are asked for: all of them would be as large as the packument. A function of its own, which
 * keeps no variable of its caller alive.
 */
function versionsOf(
  key: PackageKey,
  { address }: AskedRegistry,
  summaries: ReadonlyMap<string, VersionSummary>,
  details: ReadonlyMap<string, ManifestFacts>,
): ListedPackage['version'] {
  return (version) => {
    const summary = summaries.get(version);
    return summary && { ...listedFacts(key, summary, address), ...details.get(version) };
  };
}

/** What is kept of the file of a version: thousands of versions have one. */
interface NpmFile {
  readonly shasum: string | undefined;
  readonly integrity: string | undefined;
  /** Absent where it is the usual one. */
  readonly url?: string;
}

function fileIn(manifest: Fields, registry: AskedRegistry, name: string, version: string): NpmFile {
  const dist = fieldsAt(manifest, 'dist');
  const url = textAt(dist, 'tarball');
  return {
    shasum: textAt(dist, 'shasum'),
    integrity: textAt(dist, 'integrity'),
    ...(url !== undefined && url !== usualFile(registry, name, version) && { url }),
  };
}

function usualFile({ address }: AskedRegistry, name: string, version: string): string {
  return `${address}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

function artifactsOf(
  registry: AskedRegistry,
  name: string,
  files: ReadonlyMap<string, NpmFile>,
): (version: string) => readonly Artifact[] {
  return (version) => {
    const { shasum, integrity = '', url = usualFile(registry, name, version) } = files.get(version) ?? {};
    const digests = [...digestOf('sha1', shasum), ...digestsOfIntegrity(integrity)];
    return digests.length === 0 ? [] : [{ url, digests }];
  };
}

/** The package with the most versions has some 30,000. */
const MAX_VERSIONS = 50_000;

/** In characters. Source: MAX_LENGTH of semver, npm's own */
const MAX_VERSION = 256;

/** What a manifest says about its version. */
function manifestFacts(manifest: Fields): ManifestFacts {
  // `npm deprecate` with an empty text takes a deprecation back.
  const deprecated = manifest['deprecated'];
  const reason = typeof deprecated === 'string' ? oneLine(deprecated).trim() : '';
  return {
    isDeprecated: deprecated === true || reason !== '',
    ...(reason !== '' && { deprecatedReason: reason }),
    ...licensesFrom(licenseTexts(manifest)),
    links: linksOf(manifest),
  };
}

type ManifestFacts = Pick<VersionFacts, 'isDeprecated' | 'deprecatedReason' | 'licenses' | 'licenseDetails' | 'links'>;

/**
 *     "license": "MIT"                                     "license": { "type": "MIT", "url": "…" }
 *     "licenses": [{ "type": "MIT" }, { "type": "ISC" }]   "licenses": ["MIT"]   "license": ["MIT"]
 */
function licenseTexts(manifest: Fields): string[] {
  const written = manifest['license'] ?? manifest['licenses'];
  return (Array.isArray(written) ? written : [written]).flatMap((it: unknown) => {
    if (typeof it === 'string') return it;
    return isRecord(it) ? (textAt(it, 'type') ?? textAt(it, 'name') ?? []) : [];
  });
}

/** The address of attestations leads to a bundle that states the origin. It is read of versions in use alone. */
function linksOf(manifest: Fields): readonly Link[] {
  const repository = addressAt(manifest, 'repository');
  const of = (label: string, url: string | undefined): Link[] => (url === undefined ? [] : [{ label, url }]);
  return [
    ...of('SOURCE_REPO', repository?.replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1')),
    ...of('HOMEPAGE', textAt(manifest, 'homepage')),
    ...of('ISSUE_TRACKER', addressAt(manifest, 'bugs')),
    ...of(ATTESTATION, textAt(fieldsAt(fieldsAt(manifest, 'dist'), 'attestations'), 'url')),
  ];
}

/** `"bugs": "https://…"`, `"bugs": { "url": "https://…" }` */
function addressAt(manifest: Fields, name: string): string | undefined {
  return textAt(manifest, name) ?? textAt(fieldsAt(manifest, name), 'url');
}

/** A mirror without the time at which the package was created gives its own times, not those of publication. */
function timesIn(packument: Fields): Fields {
  const times = fieldsAt(packument, 'time');
  return textAt(times, 'created') === undefined ? {} : times;
}

function timeAt(times: Fields, version: string): number | undefined {
  const at = Date.parse(textAt(times, version) ?? '');
  return Number.isNaN(at) ? undefined : at;
}
