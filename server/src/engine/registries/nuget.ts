import * as l10n from '@vscode/l10n';
import { isRecord, oneLine } from '../base/text.ts';
import { nuget } from '../ecosystems/nuget/versions.ts';
import { type LicenseDetail, type Link, listOf, type VersionFacts, type VersionSummary } from '../model/facts.ts';
import { type AdvisoryId, canonicalName, type PackageKey } from '../model/keys.ts';
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
import { sendAbout } from './another.ts';
import { type Fields, fieldsAt, parseFields, textAt } from './json.ts';
import { spdxOfLicense } from './license-names.ts';
import { requirementsOfEntry, requirementsOfNuspec } from './nuget-requirements.ts';
import { listedFacts, sharing } from './version-facts.ts';

/**
 * A feed of NuGet, version 3. Its index names its resources, and the registration of a package has pages of versions,
 * each with all that is known of it.
 *
 *     …/index.json                      { "resources": [{ "@type": "RegistrationsBaseUrl/3.6.0", "@id": "…" }] }
 *     …/registration/acme.core/index.json    { "items": [{ "@id": "…/page/1.json", "items": […] }] }
 *
 * Source: NuGet, “Server API”, with its resources “Package metadata” and “Package content”.
 */
export const nugetClient: RegistryClient = { protocol: 'nuget', list, requirements };

/** A page has 64 versions at the largest feed; the packages with the most versions have some 5000. */
const MAX_PAGES = 200;
const MAX_VERSIONS = 20_000;
/** Pages that are requested at once. */
const MAX_AT_ONCE = 6;
/** Of one version. */
const MAX_ADVISORIES = 100;
/** In characters. */
const MAX_VERSION_LENGTH = 256;

/** The best resource of each kind that a feed has. */
interface Resources {
  /** Ends with a slash. */
  readonly registrations?: string;
  /** Ends with a slash. */
  readonly content?: string;
}

/** In the order of NuGet's own choice. The others lack versions with build metadata or several labels. */
const registrationTypes = [
  'RegistrationsBaseUrl/Versioned',
  'RegistrationsBaseUrl/3.6.0',
  'RegistrationsBaseUrl/3.4.0',
  'RegistrationsBaseUrl/3.0.0-rc',
  'RegistrationsBaseUrl/3.0.0-beta',
  'RegistrationsBaseUrl',
];
const contentTypes = ['PackageBaseAddress/3.0.0'];

/** The resources of feeds that answered. A feed is asked again once one of its addresses fails. */
const known = new WeakMap<AskedRegistry, Resources>();

async function list(question: RegistryQuestion): Promise<RegistryAnswer<ListedPackage>> {
  const id = idOf(question);
  if (id === undefined) return { kind: 'absent' };
  const resources = await resourcesOf(question);
  if (resources.kind !== 'found') return resources;
  const { registrations, content } = resources.value;
  const answer =
    registrations !== undefined
      ? await registration(question, `${registrations}${id}/index.json`)
      : content !== undefined
        ? await versionsOnly(question, `${content}${id}/index.json`)
        : ({ kind: 'failed', reason: l10n.t('its index names no versions') } as const);
  if (answer.kind === 'failed') known.delete(question.registry);
  return answer.kind === 'found' ? listed(question, answer.value) : answer;
}

/** From the nuspec, which is one file, rather than from all pages of versions. */
async function requirements(question: RegistryQuestion, version: string): Promise<RegistryAnswer<Requirements>> {
  const id = idOf(question);
  const canonical = nuget.canonical(version).toLowerCase();
  if (id === undefined || !isSegment.test(canonical)) return { kind: 'absent' };
  const resources = await resourcesOf(question);
  if (resources.kind !== 'found') return resources;
  const { registrations, content } = resources.value;
  if (content !== undefined) {
    const url = `${content}${id}/${canonical}/${id}.nuspec`;
    const reply = await sendAbout(question, { url, isConstant: true }, (text) => isNuspecOf(text, id));
    const without = withoutFacts(reply);
    if (without === undefined && reply.kind === 'reply')
      return { kind: 'found', value: requirementsOfNuspec(reply.text) };
    if (without && (without.kind !== 'absent' || registrations === undefined)) return without;
  }
  if (registrations === undefined) return { kind: 'absent' };
  const answer = await registration(question, `${registrations}${id}/index.json`);
  if (answer.kind !== 'found') return answer;
  const entries = answer.value.leaves.map((it) => fieldsAt(it, 'catalogEntry'));
  const entry = entries.find(
    (it) => isOf(it, id) && nuget.canonical(textAt(it, 'version') ?? '').toLowerCase() === canonical,
  );
  return entry ? { kind: 'found', value: requirementsOfEntry(entry) } : { kind: 'absent' };
}

/** Whether a nuspec is that of the package with this canonical name. */
function isNuspecOf(text: string, name: string): boolean {
  const [, id = name] = /<id>\s*([^<]*?)\s*<\/id>/i.exec(text) ?? [];
  return /<metadata[\s>]/i.test(text) && canonicalName('NUGET', id) === name;
}

/** Whether an entry is about the package with this canonical name. A list of versions alone names none. */
function isOf(entry: Fields, name: string): boolean {
  const id = textAt(entry, 'id');
  return id === undefined || canonicalName('NUGET', id) === name;
}

/** Undefined for a name that would lead to another address. */
function idOf({ name }: RegistryQuestion): string | undefined {
  const id = canonicalName('NUGET', name);
  return /^\w[\w.-]{0,199}$/.test(id) && !id.includes('..') ? id : undefined;
}

/** A version as a part of an address. */
const isSegment = /^\w[\w.+-]*$/;

async function resourcesOf(question: RegistryQuestion): Promise<RegistryAnswer<Resources>> {
  const { registry } = question;
  const before = known.get(registry);
  if (before) return { kind: 'found', value: before };
  const index = await read(question, registry.address);
  // A feed without an index is no feed, rather than one without the package.
  if (index.kind === 'absent') return { kind: 'failed', reason: 'HTTP 404' };
  if (index.kind !== 'found') return index;
  const { fields, url } = index.value;
  const resources = recordsAt(fields, 'resources');
  const best = (types: readonly string[]): string | undefined => {
    for (const type of types) {
      for (const it of resources) {
        const address = typesOf(it).includes(type) ? addressOf(textAt(it, '@id'), url) : undefined;
        if (address !== undefined) return address.endsWith('/') ? address : `${address}/`;
      }
    }
    return undefined;
  };
  const [registrations, content] = [best(registrationTypes), best(contentTypes)];
  const value: Resources = { ...(registrations && { registrations }), ...(content && { content }) };
  if (registrations || content) known.set(registry, value);
  return { kind: 'found', value };
}

function typesOf(resource: Fields): readonly unknown[] {
  const type = resource['@type'];
  return Array.isArray(type) ? type : [type];
}

/** All versions of a package with their metadata; `isCut` if there are more than are read. */
interface Versions {
  readonly leaves: readonly Fields[];
  readonly isCut: boolean;
}

async function registration(question: RegistryQuestion, url: string): Promise<RegistryAnswer<Versions>> {
  const index = await read(question, url);
  if (index.kind !== 'found') return index;
  const pages = recordsAt(index.value.fields, 'items');
  const chosen = pages.slice(-MAX_PAGES);
  const leaves: Fields[] = [];
  // A page that is referred to twice, perhaps by itself, is read once.
  const asked = new Set<string>();
  for (let at = 0; at < chosen.length; at += MAX_AT_ONCE) {
    const answers = await Promise.all(
      chosen.slice(at, at + MAX_AT_ONCE).map((page): readonly Fields[] | Promise<RegistryAnswer<readonly Fields[]>> => {
        if (Array.isArray(page['items'])) return recordsAt(page, 'items');
        const address = addressOf(textAt(page, '@id'), index.value.url);
        if (address === undefined || asked.has(address)) return [];
        asked.add(address);
        return itemsOfPage(question, address);
      }),
    );
    for (const answer of answers) {
      if (isList(answer)) leaves.push(...answer);
      // Without one page, a version that is missing would look as if it did not exist.
      else if (answer.kind !== 'found') return answer.kind === 'absent' ? incomplete() : answer;
      else leaves.push(...answer.value);
    }
    if (leaves.length > MAX_VERSIONS) return { kind: 'found', value: { leaves, isCut: true } };
  }
  return { kind: 'found', value: { leaves, isCut: chosen.length < pages.length } };
}

function isList(answer: readonly Fields[] | RegistryAnswer<readonly Fields[]>): answer is readonly Fields[] {
  return Array.isArray(answer);
}

function incomplete(): RegistryAnswer<never> {
  return { kind: 'failed', reason: l10n.t('a part of its list of versions is missing') };
}

async function itemsOfPage(question: RegistryQuestion, url: string): Promise<RegistryAnswer<readonly Fields[]>> {
  const page = await read(question, url);
  return page.kind === 'found' ? { kind: 'found', value: recordsAt(page.value.fields, 'items') } : page;
}

/** `{ "versions": ["1.0.0"] }`, for feeds that have no metadata. */
async function versionsOnly(question: RegistryQuestion, url: string): Promise<RegistryAnswer<Versions>> {
  const answer = await read(question, url);
  if (answer.kind !== 'found') return answer;
  const versions = answer.value.fields['versions'];
  const leaves = (Array.isArray(versions) ? versions : []).map((version: unknown) => ({ catalogEntry: { version } }));
  return { kind: 'found', value: { leaves, isCut: false } };
}

async function read(
  question: RegistryQuestion,
  url: string,
): Promise<RegistryAnswer<{ readonly fields: Fields; readonly url: string }>> {
  const reply = await question.send({ url, accept: 'application/json' });
  const without = withoutFacts(reply);
  if (without) return without;
  if (reply.kind !== 'reply') return reply;
  const fields = parseFields(reply.text);
  return fields === undefined
    ? { kind: 'failed', reason: l10n.t('the answer is not JSON') }
    : { kind: 'found', value: { fields, url: reply.url } };
}

function listed(question: RegistryQuestion, { leaves, isCut }: Versions): RegistryAnswer<ListedPackage> {
  const { name } = question;
  const key: PackageKey = { system: 'NUGET', name };
  const canonicalId = canonicalName('NUGET', name);
  const found = new Map<string, Row>();
  const shared = sharing();
  for (const leaf of leaves.slice(0, MAX_VERSIONS)) {
    const entry = fieldsAt(leaf, 'catalogEntry');
    if (!isOf(entry, canonicalId)) continue;
    const version = textAt(entry, 'version');
    if (version === undefined || version.length > MAX_VERSION_LENGTH) continue;
    const canonical = nuget.canonical(version);
    found.set(canonical.toLowerCase(), rowOf(canonical, entry, shared));
  }
  if (found.size === 0) return { kind: 'absent' };
  // What is not listed is still installed where a project requires it, but is not suggested.
  const suggested = [...found.values()].filter((it) => it.isListed).map((it) => it.summary);
  const sorted = suggested.sort((a, b) => nuget.compare(a.version, b.version));
  const usual = (sorted.findLast((it) => nuget.isStable(it.version)) ?? sorted.at(-1))?.version;
  const versions = sorted.map((it) => ({ ...it, isDefault: it.version === usual }));
  const isSample = isCut || leaves.length > MAX_VERSIONS || undefined;
  return {
    kind: 'found',
    value: {
      facts: { key, purl: formatPurl(key), versions: listOf(versions), ...(isSample && { isSample }) },
      version: versionsOf(question, key, found, usual),
    },
  };
}

/** What is kept of a version. */
interface Row {
  readonly summary: VersionSummary;
  readonly details: Pick<VersionFacts, 'deprecatedReason' | 'licenses' | 'licenseDetails' | 'advisories' | 'links'>;
  readonly isListed: boolean;
}

/** Facts are made when they are asked for. A function of its own, which keeps no variable of its caller alive. */
function versionsOf(
  { registry: { address } }: RegistryQuestion,
  key: PackageKey,
  found: ReadonlyMap<string, Row>,
  usual: string | undefined,
): ListedPackage['version'] {
  return (asked) => {
    const row = found.get(nuget.canonical(asked).toLowerCase());
    if (row === undefined) return undefined;
    const { summary, details } = row;
    return { ...listedFacts(key, { ...summary, isDefault: summary.version === usual }, address), ...details };
  };
}

/** Older feeds give versions that are not listed a time in 1900. */
function isListed(entry: Fields): boolean {
  return entry['listed'] !== false && !(textAt(entry, 'published') ?? '').startsWith('1900-');
}

function rowOf(version: string, entry: Fields, shared: ReturnType<typeof sharing>): Row {
  const time = Date.parse(textAt(entry, 'published') ?? '');
  const licenseDetails = licenseOf(entry);
  const { advisories, others } = advisoriesOf(entry);
  const deprecation = entry['deprecation'];
  const reason = isRecord(deprecation) ? reasonOf(deprecation) : '';
  return {
    summary: {
      version,
      ...(Number.isFinite(time) && isListed(entry) && { publishedAt: time }),
      isDefault: false,
      isDeprecated: isRecord(deprecation),
    },
    details: shared({
      ...(reason !== '' && { deprecatedReason: reason }),
      licenses: licenseDetails.map((it) => it.spdx),
      licenseDetails,
      advisories,
      links: [...linkAt(entry, 'projectUrl', 'HOMEPAGE'), ...others.map((url) => ({ label: 'ADVISORY', url }))],
    }),
    isListed: isListed(entry),
  };
}

/** An expression, or the address of a text. A text within the package has no address that says anything. */
function licenseOf(entry: Fields): readonly LicenseDetail[] {
  const expression = textAt(entry, 'licenseExpression');
  const url = textAt(entry, 'licenseUrl') ?? '';
  const license = expression ?? url;
  if (license === '' || /\/deprecatelicenseurl$/i.test(license)) return [];
  return [{ license: oneLine(license), spdx: spdxOfLicense(expression ?? '', expression === undefined ? url : '') }];
}

/** The author's words, else the kinds of reasons; then what takes its place. */
function reasonOf(deprecation: Fields): string {
  const reasons = Array.isArray(deprecation['reasons']) ? deprecation['reasons'].slice(0, MAX_REASONS) : [];
  const kinds = reasons.flatMap((it: unknown) => (typeof it === 'string' ? (reasonTexts(it) ?? []) : []));
  const message = textAt(deprecation, 'message') ?? kinds.join(', ');
  const alternate = textAt(fieldsAt(deprecation, 'alternatePackage'), 'id');
  const instead = alternate === undefined ? '' : l10n.t('Suggested instead: {0}.', alternate);
  return oneLine([message, instead].filter((it) => it !== '').join(' — '));
}

const MAX_REASONS = 5;

/** Source: NuGet, “Package metadata”, `deprecation`. */
function reasonTexts(reason: string): string | undefined {
  switch (reason.toLowerCase()) {
    case 'legacy':
      return l10n.t('no longer maintained');
    case 'criticalbugs':
      return l10n.t('has critical bugs');
    default:
      return undefined;
  }
}

/** Advisories with a public identifier; the addresses of all others. */
function advisoriesOf(entry: Fields): {
  readonly advisories: readonly AdvisoryId[];
  readonly others: readonly string[];
} {
  const advisories = new Set<AdvisoryId>();
  const others = new Set<string>();
  for (const it of recordsAt(entry, 'vulnerabilities').slice(0, MAX_ADVISORIES)) {
    const url = textAt(it, 'advisoryUrl') ?? '';
    const [id] = /\b(?:GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|CVE-\d{4}-\d{4,7})\b/i.exec(url) ?? [];
    if (id !== undefined)
      advisories.add(/^cve/i.test(id) ? id.toUpperCase() : id.toLowerCase().replace('ghsa', 'GHSA'));
    else if (isWebAddress(url)) others.add(url);
  }
  return { advisories: [...advisories], others: [...others] };
}

function linkAt(entry: Fields, name: string, label: string): readonly Link[] {
  const url = textAt(entry, name) ?? '';
  return isWebAddress(url) ? [{ label, url }] : [];
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Feeds also give addresses relative to their own. */
function addressOf(text: string | undefined, base: string): string | undefined {
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.username = '';
  url.password = '';
  url.hash = '';
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function recordsAt(fields: Fields, name: string): readonly Fields[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
