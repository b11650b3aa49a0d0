import * as l10n from '@vscode/l10n';
import { isRecord } from '../base/text.ts';
import { isIndirect, readGoFile } from '../ecosystems/go/syntax.ts';
import { isPseudoVersion, parseGoVersion } from '../ecosystems/go/versions.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { parsePlainJson } from '../formats/json/plain.ts';
import { type Link, listOf, type VersionFacts, type VersionSummary } from '../model/facts.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Required, Requirements } from '../model/lookups.ts';
import { formatPurl } from '../model/purl.ts';
import {
  type ListedPackage,
  type RegistryAnswer,
  type RegistryClient,
  type RegistryQuestion,
  withoutFacts,
} from '../model/registries/registry-client.ts';
import { ofAnother, sendAbout } from './another.ts';
import { listedFacts } from './version-facts.ts';

/**
 * The protocol of module proxies. The go.mod of the newest version says which versions are retracted, and whether the
 * whole module is deprecated. Source: the Go modules reference, "GOPROXY protocol" and "retract directive".
 */
export const goProxy: RegistryClient = { protocol: 'go-proxy', list, version, requirements };

/** Versions of one module. The largest public ones have some thousand. */
const MAX_VERSIONS = 20_000;
/** Lines of a list that are read, in no order. */
const MAX_LINES = 100_000;

async function list(question: RegistryQuestion): Promise<RegistryAnswer<ListedPackage>> {
  const reply = await get(question, '@v/list');
  if (reply.kind !== 'found') return reply;
  // Further words of a line, such as a time, are left to other programs.
  const all = reply.value.split('\n', MAX_LINES + 1);
  const lines = all.slice(0, MAX_LINES).flatMap((it) => it.trim().split(/\s/, 1));
  const found = [...new Set(lines.filter((it) => parseGoVersion(it)?.written === 3 && !isPseudoVersion(it)))];
  if (found.length === 0) return listedLatest(question);
  const newest = await newestModule(question, found);
  if (newest.kind !== 'found') return newest;
  const { version, text } = newest.value;
  return { kind: 'found', value: listed(question, found, version, readNotices(text)) };
}

/** A module without tags has no list, and a commit as its latest version. */
async function listedLatest(question: RegistryQuestion): Promise<RegistryAnswer<ListedPackage>> {
  const reply = await get(question, '@latest');
  if (reply.kind !== 'found') return reply;
  const info = readInfo(reply.value);
  if (info === undefined) return { kind: 'failed', reason: l10n.t('the answer is not one of a module proxy') };
  const mod = await ownModule(question, info.version);
  if (mod.kind !== 'found' && mod.kind !== 'absent') return mod;
  const notices = readNotices(mod.kind === 'found' ? mod.value : '');
  return { kind: 'found', value: listed(question, [info.version], info.version, notices, info.publishedAt) };
}

/** When a version was made. Whatever the list says of it stays. */
async function version(question: RegistryQuestion, wanted: string): Promise<RegistryAnswer<VersionFacts>> {
  const reply = await get(question, `@v/${escaped(wanted)}.info`);
  if (reply.kind !== 'found') return reply;
  const info = readInfo(reply.value);
  if (info === undefined) return { kind: 'failed', reason: l10n.t('the answer is not one of a module proxy') };
  const summary = { version: wanted, isDefault: false, isDeprecated: false };
  const facts = question.listed?.version(wanted) ?? factsOf(question, summary, undefined);
  const { publishedAt, links } = info;
  return { kind: 'found', value: { ...facts, ...(publishedAt !== undefined && { publishedAt }), links } };
}

/** The go.mod of a version. What it replaces and excludes counts for its own builds alone. */
async function requirements(question: RegistryQuestion, wanted: string): Promise<RegistryAnswer<Requirements>> {
  const mod = await get(question, `@v/${escaped(wanted)}.mod`);
  if (mod.kind !== 'found') return mod;
  const [direct, indirect]: [Required[], Required[]] = [[], []];
  for (const { verb, words, comment } of readGoFile(mod.value).lines) {
    const [name, requirement] = words.map((it) => it.text);
    if (verb !== 'require' || name === undefined || requirement === undefined) continue;
    (isIndirect(comment) ? indirect : direct).push({ name, requirement });
  }
  return { kind: 'found', value: { system: 'GO', direct, indirect } };
}

/** The text of an endpoint below the module. */
async function get({ registry, name, send }: RegistryQuestion, path: string): Promise<RegistryAnswer<string>> {
  // A name or a version with such a part would lead to another address.
  if (`${name}/${path}`.split('/').some((it) => /^(?:\.{1,2})?$/.test(it))) return { kind: 'absent' };
  // What a proxy has of a version never changes. Source: the Go modules reference, "Module proxy"
  const isConstant = /^@v\/v\d+\.\d+\.\d+[^/]*\.(?:info|mod)$/.test(path);
  const isOf = (text: string): boolean => !path.endsWith('.mod') || isModule(text, name);
  const url = `${registry.address}/${escaped(name)}/${path}`;
  const reply = await sendAbout({ send }, { url, ...(isConstant && { isConstant }) }, isOf);
  const other = withoutFacts(reply);
  if (other) return other;
  return reply.kind === 'reply' ? { kind: 'found', value: reply.text } : { kind: 'absent' };
}

/** The go.mod of a version; absent where it is that of a module with another name: its author has renamed it since. */
async function ownModule(question: RegistryQuestion, version: string): Promise<RegistryAnswer<string>> {
  const mod = await get(question, `@v/${escaped(version)}.mod`);
  return mod.kind === 'failed' && mod.reason === ofAnother().reason ? { kind: 'absent' } : mod;
}

/** Whether a go.mod is that of a module. One that a proxy makes has this line alone. */
function isModule(text: string, name: string): boolean {
  if (text.length > MAX_MOD) return false;
  return readGoFile(text).lines.find((it) => it.verb === 'module')?.words[0]?.text === name;
}

/** In characters, of a go.mod. Real ones have up to some ten thousand. */
const MAX_MOD = 1024 * 1024;

/** `github.com/Azure/x` → `github.com/!azure/x`: file systems may ignore case. Source: golang.org/x/mod/module. */
function escaped(path: string): string {
  return path
    .replace(/[A-Z]/g, (it) => `!${it.toLowerCase()}`)
    .split('/')
    .map((it) => encodeURIComponent(it).replace(/%2B/gi, '+'))
    .join('/');
}

/**
 * The version that `latest` means before retractions, and its go.mod. Versions that are incompatible count only where
 * the highest compatible one has no go.mod, for which a proxy makes one of a single line.
 */
async function newestModule(
  question: RegistryQuestion,
  versions: readonly string[],
): Promise<RegistryAnswer<{ readonly version: string; readonly text: string }>> {
  const newest = highest(versions.filter((it) => !it.endsWith('+incompatible'))) ?? highest(versions) ?? '';
  const mod = await ownModule(question, newest);
  // Without it nothing is known of retractions.
  if (mod.kind !== 'found' && mod.kind !== 'absent') return mod;
  const text = mod.kind === 'found' ? mod.value : '';
  const isMade = mod.kind === 'found' && readGoFile(text).lines.every((it) => it.verb === 'module');
  const above = isMade ? highest(versions) : undefined;
  return { kind: 'found', value: { version: above ?? newest, text } };
}

/** The highest release, else the highest pre-release. */
function highest(versions: readonly string[]): string | undefined {
  return versioning.GO.pick('<v999999999.0.0', versions);
}

/** What the author of a module says of its versions. */
interface Notices {
  /** Set if the module is deprecated; empty without a reason. */
  readonly deprecated?: string;
  readonly retractions: readonly Retraction[];
}

interface Retraction {
  readonly low: string;
  readonly high: string;
  /** Empty without one. */
  readonly reason: string;
}

/** Retractions of one module. Real ones have a few. */
const MAX_RETRACTIONS = 200;

/**
 *     // Deprecated: use example.com/v2 instead.
 *     module example.com/v1
 *
 *     retract v1.0.5 // Published by accident.
 *     // Contains a leak.
 *     retract [v1.1.0, v1.1.9]
 */
function readNotices(text: string): Notices {
  const rows = text.split('\n').map((it) => it.trim());
  const retractions: Retraction[] = [];
  let deprecated: string | undefined;
  let row = 0;
  let start = 0;
  for (const { verb, words, comment = '', end } of readGoFile(text).lines) {
    for (let feed = text.indexOf('\n', start); feed >= 0 && feed < end; feed = text.indexOf('\n', start)) {
      start = feed + 1;
      row++;
    }
    if (verb !== 'module' && verb !== 'retract') continue;
    const own = [...commentsAbove(rows, row), ...(comment === '' ? [] : [comment])];
    const said = (own.length > 0 ? own : commentsAbove(rows, openingOf(rows, row, verb))).join('\n');
    if (verb === 'module') deprecated = deprecation.exec(said)?.[1]?.trim();
    else if (retractions.length < MAX_RETRACTIONS) {
      const [low, high] = words.map((it) => it.text).filter((it) => parseGoVersion(it) !== undefined);
      if (low !== undefined) retractions.push({ low, high: high ?? low, reason: said.trim() });
    }
  }
  return { retractions, ...(deprecated !== undefined && { deprecated }) };
}

/** A paragraph of its own. Source: the Go modules reference, "Deprecation". */
const deprecation = /(?:^|\n\n)Deprecated: *([\s\S]*?)(?:$|\n\n)/;

/** The lines of comment right above a row. */
function commentsAbove(rows: readonly string[], row: number): string[] {
  const comments: string[] = [];
  for (let at = row - 1; at >= 0 && comments.length < MAX_COMMENT_LINES; at--) {
    const line = rows[at] ?? '';
    if (!line.startsWith('//')) break;
    comments.unshift(line.slice(2).trim());
  }
  return comments;
}

/** Lines of one comment, and of one block. */
const MAX_COMMENT_LINES = 200;

/** The row that opens the block of a row; 0, which has nothing above it, without a block. */
function openingOf(rows: readonly string[], row: number, verb: string): number {
  for (let at = row; at >= Math.max(0, row - MAX_COMMENT_LINES); at--) {
    const line = rows[at] ?? '';
    if (line.startsWith(')')) return 0;
    if (line.startsWith(verb)) return at;
  }
  return 0;
}

function listed(
  question: RegistryQuestion,
  versions: readonly string[],
  newest: string,
  { deprecated, retractions }: Notices,
  publishedAt?: number,
): ListedPackage {
  const key = keyOf(question);
  const kept = [...versions].sort(versioning.GO.compare).slice(-MAX_VERSIONS);
  const retracted = retractedAmong(kept, retractions);
  const upTo = newest.endsWith('+incompatible') ? kept : kept.filter((it) => !it.endsWith('+incompatible'));
  const usual = kept.length === 1 ? kept[0] : highest(upTo.filter((it) => !retracted.has(it)));
  const summaries = kept.map(
    (it): VersionSummary => ({
      version: it,
      ...(publishedAt !== undefined && { publishedAt }),
      isDefault: it === usual,
      isDeprecated: deprecated !== undefined || retracted.has(it),
    }),
  );
  const known = new Map(summaries.map((it) => [it.version, it]));
  return {
    facts: {
      key,
      purl: formatPurl(key),
      versions: listOf(summaries),
      ...(versions.length > MAX_VERSIONS && { isSample: true }),
    },
    version: (wanted) => {
      const summary = known.get(wanted);
      return summary && factsOf(question, summary, retracted.get(wanted) || deprecated);
    },
    mayHave: isPseudoVersion,
  };
}

/**
 * The reasons of the versions that are retracted; the first of several.
 * @param sorted lowest first
 */
function retractedAmong(sorted: readonly string[], retractions: readonly Retraction[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { low, high, reason } of retractions) {
    const end = firstFrom(sorted, high, 'above');
    for (let at = firstFrom(sorted, low); at < end; at++) {
      const version = sorted[at] ?? '';
      if (!found.has(version)) found.set(version, reason);
    }
  }
  return found;
}

/** The index of the lowest version that is not below a bound, or above it. */
function firstFrom(sorted: readonly string[], bound: string, from: 'bound' | 'above' = 'bound'): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = versioning.GO.compare(sorted[middle] ?? '', bound);
    if (order < 0 || (order === 0 && from === 'above')) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keyOf({ name }: RegistryQuestion): PackageKey {
  return { system: 'GO', name };
}

function factsOf(question: RegistryQuestion, summary: VersionSummary, reason: string | undefined): VersionFacts {
  const facts = listedFacts(keyOf(question), summary, question.registry.address);
  return reason ? { ...facts, deprecatedReason: reason } : facts;
}

interface Info {
  readonly version: string;
  readonly publishedAt?: number;
  readonly links: readonly Link[];
}

/** `{ "Version": "v1.0.0", "Time": "2026-01-02T03:04:05Z", "Origin": { "VCS": "git", "URL": "https://…" } }` */
function readInfo(text: string): Info | undefined {
  const info = parsePlainJson(text)?.value;
  if (!isRecord(info) || typeof info.Version !== 'string' || parseGoVersion(info.Version) === undefined)
    return undefined;
  const time = typeof info.Time === 'string' ? Date.parse(info.Time) : Number.NaN;
  const address = isRecord(info.Origin) ? info.Origin.URL : undefined;
  const isLink = typeof address === 'string' && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return {
    version: info.Version,
    ...(Number.isFinite(time) && { publishedAt: time }),
    links: isLink ? [{ label: 'SOURCE_REPO', url: address }] : [],
  };
}
