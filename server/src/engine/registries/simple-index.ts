import * as l10n from '@vscode/l10n';
import { formatPep440, type Pep440, parsePep440 } from '../ecosystems/python/pep440.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { listOf, type VersionFacts, type VersionSummary } from '../model/facts.ts';
import { canonicalName } from '../model/keys.ts';
import type { Requirements } from '../model/lookups.ts';
import { formatPurl } from '../model/purl.ts';
import type { AskedRegistry } from '../model/registries/access.ts';
import {
  type ListedPackage,
  type RegistryAnswer,
  type RegistryClient,
  type RegistryQuestion,
  withoutFacts,
} from '../model/registries/registry-client.ts';
import { ofAnother, sendAbout } from './another.ts';
import { pythonAttestations } from './attestations.ts';
import { isMetadataOf, readCoreMetadata, readPythonRequirements } from './core-metadata.ts';
import { type ListedFile, readSimplePage, type SimplePage } from './simple-page.ts';
import { listedFacts } from './version-facts.ts';

/** JSON before HTML, as the clients ask. Source: PEP 691, "Version + Format Selection". */
const accept = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/**
 * The simple index of Python: one page lists the files of a package, and their names have the versions. A version is
 * yanked once all of its files are. Which Python a version requires is left open: nothing tells which one the project
 * has, so the highest stable version is the default one, as for the public service.
 */
export const simpleIndex: RegistryClient = { protocol: 'simple-index', list, version, requirements };

async function list(question: RegistryQuestion): Promise<RegistryAnswer<ListedPackage>> {
  const { registry } = question;
  const name = canonicalName('PYPI', question.name);
  if (!isName.test(name)) return { kind: 'absent' };
  const reply = await question.send({ url: `${registry.address}/${name}/`, accept });
  const other = withoutFacts(reply);
  if (other || reply.kind !== 'reply') return other ?? { kind: 'absent' };
  const page = readSimplePage(reply.text, reply.headers['content-type'] ?? '', reply.url);
  if (page === undefined) return { kind: 'failed', reason: l10n.t('the answer is not a page of a package index') };
  if (page.name !== undefined && canonicalName('PYPI', page.name) !== name) return ofAnother();
  return { kind: 'found', value: listed(page, registry, name) };
}

/** A name with a slash, or `%2e%2e`, would lead to another address. Source: PEP 508, “Names”, and PEP 503. */
const isName = /^[a-z0-9](?:[a-z0-9-]{0,198}[a-z0-9])?$/;

/** The licenses and links of a version, where the index has its metadata apart from the files. */
async function version(question: RegistryQuestion, wanted: string): Promise<RegistryAnswer<VersionFacts>> {
  const found = await listOnce(question);
  if (found.kind !== 'found') return found;
  const facts = found.value.version(wanted);
  if (facts === undefined) return { kind: 'absent' };
  const metadata = await metadataOf(question, found.value, wanted);
  // An index that loses the metadata still has the version.
  if (metadata.kind !== 'found' && metadata.kind !== 'absent') return metadata;
  const described = metadata.kind === 'found' ? readCoreMetadata(metadata.value) : {};
  // Files of one version are published together.
  const url = filesOf
    .get(found.value)
    ?.get(idOf(wanted))
    ?.files.find((it) => it.provenance !== undefined)?.provenance;
  const attested = url === undefined ? {} : { provenances: await pythonAttestations(question, url) };
  return { kind: 'found', value: { ...facts, ...described, ...attested } };
}

async function requirements(question: RegistryQuestion, wanted: string): Promise<RegistryAnswer<Requirements>> {
  const found = await listOnce(question);
  if (found.kind !== 'found') return found;
  const metadata = await metadataOf(question, found.value, wanted);
  return metadata.kind === 'found' ? { kind: 'found', value: readPythonRequirements(metadata.value) } : metadata;
}

async function listOnce(question: RegistryQuestion): Promise<RegistryAnswer<ListedPackage>> {
  const { listed } = question;
  return listed && filesOf.has(listed) ? { kind: 'found', value: listed } : list(question);
}

/** Absent where the index has none apart from the files. */
async function metadataOf(
  question: RegistryQuestion,
  listed: ListedPackage,
  wanted: string,
): Promise<RegistryAnswer<string>> {
  const files = filesOf.get(listed)?.get(idOf(wanted))?.files ?? [];
  // Metadata over an open connection is not asked for where the index has a safe one.
  const isOpen = question.registry.address.startsWith('http:');
  const withMetadata = files.filter((it) => it.hasMetadata && (isOpen || it.url.startsWith('https:')));
  const described = withMetadata.find((it) => it.name.endsWith('.whl')) ?? withMetadata[0];
  if (described === undefined) return { kind: 'absent' };
  const name = canonicalName('PYPI', question.name);
  const request = { url: metadataAddress(described.url), isConstant: true } as const;
  const reply = await sendAbout(question, request, (text) => isMetadataOf(text, name));
  const other = withoutFacts(reply);
  if (other || reply.kind !== 'reply') return other ?? { kind: 'absent' };
  return { kind: 'found', value: reply.text };
}

/** PEP 658: beside the file. A query, such as a signature, belongs to the file alone. */
function metadataAddress(file: string): string {
  const url = new URL(file);
  url.pathname += '.metadata';
  return url.href;
}

interface ListedVersion {
  readonly summary: VersionSummary;
  readonly files: readonly ListedFile[];
}

/** The files of the packages that are listed now, by the normal form of their versions. */
const filesOf = new WeakMap<ListedPackage, ReadonlyMap<string, ListedVersion>>();

function listed(page: SimplePage, registry: AskedRegistry, name: string): ListedPackage {
  const key = { system: 'PYPI', name } as const;
  const spelled = new Map(page.versions.map((it) => [idOf(it), it]));
  const found = new Map<string, { readonly version: string; readonly files: ListedFile[] }>();
  for (const file of page.files) {
    const text = versionOfFile(file.name, name);
    const parsed = text === undefined ? undefined : parsePep440(text);
    if (parsed === undefined) continue;
    const id = formatPep440(parsed, 3);
    const known = found.get(id);
    if (known) known.files.push(file);
    else found.set(id, { version: spelled.get(id) ?? formatPep440(parsed), files: [file] });
  }
  const installable = [...found.values()].filter(({ files }) => !isYanked(files)).map((it) => it.version);
  const usual = versioning.PYPI.pick('', installable);
  const versions = new Map<string, ListedVersion>();
  const { status } = page;
  for (const [id, { version, files }] of found) {
    const publishedAt = Math.min(...files.slice(0, MAX_TIMES).map((it) => it.uploadedAt ?? Number.POSITIVE_INFINITY));
    const summary: VersionSummary = {
      version,
      ...(Number.isFinite(publishedAt) && { publishedAt }),
      isDefault: version === usual,
      isDeprecated: isYanked(files),
    };
    versions.set(id, { summary, files });
  }
  const result: ListedPackage = {
    facts: {
      key,
      purl: formatPurl(key),
      versions: listOf(
        [...versions.values()].map((it) => it.summary).sort((a, b) => versioning.PYPI.compare(a.version, b.version)),
      ),
      ...(page.isCut && { isSample: true }),
    },
    version: (wanted) => {
      const it = versions.get(idOf(wanted));
      return it && { ...factsOf(it, registry, name), ...(status && { projectStatus: status }) };
    },
    artifacts: (wanted) => (versions.get(idOf(wanted))?.files ?? []).filter((it) => it.digests.length > 0),
  };
  filesOf.set(result, versions);
  return result;
}

/** Files of one version whose times are compared. */
const MAX_TIMES = 10_000;

function isYanked(files: readonly ListedFile[]): boolean {
  return files.every((it) => it.yanked !== undefined);
}

function factsOf({ summary, files }: ListedVersion, registry: AskedRegistry, name: string): VersionFacts {
  const key = { system: 'PYPI', name } as const;
  const deprecatedReason = summary.isDeprecated ? files.map((it) => it.yanked).find((it) => it) : undefined;
  return {
    ...listedFacts(key, summary, registry.address),
    ...(deprecatedReason !== undefined && { deprecatedReason }),
  };
}

/** One text for all spellings of a version. */
function idOf(version: string): string {
  const parsed: Pep440 | undefined = parsePep440(version);
  return parsed ? formatPep440(parsed, 3) : version;
}

/**
 * The version in the name of a file, as pip finds it; undefined for files of other packages and of formats that no
 * client installs, such as eggs.
 *
 *     acme_core-1.0-1-py3-none-any.whl      1.0
 *     acme-core-1.0.post1.tar.gz            1.0.post1
 */
function versionOfFile(file: string, name: string): string | undefined {
  const [, wheel] = /^(.+)\.whl$/i.exec(file) ?? [];
  if (wheel !== undefined) {
    const parts = wheel.split('-');
    const isWheel = parts.length === 5 || parts.length === 6;
    return isWheel && canonicalName('PYPI', parts[0] ?? '') === name ? parts[1]?.replaceAll('_', '-') : undefined;
  }
  const [, source] = /^(.+)\.(?:tar\.(?:gz|bz2|xz|Z|lzma)|zip|tgz|tbz|txz|tlz|tar)$/i.exec(file) ?? [];
  if (source === undefined || source.length > MAX_NAME_LENGTH) return undefined;
  // A name may have dashes, as may a version.
  for (let at = source.indexOf('-'); at >= 0; at = source.indexOf('-', at + 1)) {
    if (canonicalName('PYPI', source.slice(0, at)) === name) return source.slice(at + 1);
  }
  return undefined;
}

/** In characters, of a file. Source: the limit of most file systems is 255. */
const MAX_NAME_LENGTH = 500;
