import * as l10n from '@vscode/l10n';
import type { CompletionItem, CompletionList, CompletionParams } from 'vscode-languageserver';
import { factsAbout, groupAdvisories, mayBeMalicious } from '../../engine/analysis/evaluate/advisories.ts';
import { defaultVersion } from '../../engine/analysis/evaluate/resolve.ts';
import { looksLikeDate, MAX_AGE_BEHIND_CURRENT } from '../../engine/analysis/evaluate/update-target.ts';
import { moveTo } from '../../engine/analysis/fixes.ts';
import { Definitions, MAX_REFERENCE_DEPTH } from '../../engine/analysis/link/definitions.ts';
import { worstRatingOf } from '../../engine/analysis/rules/advisory.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { dayOf } from '../../engine/base/dates.ts';
import { sameUri } from '../../engine/base/uri.ts';
import { flavorFilter } from '../../engine/ecosystems/shared/flavor.ts';
import { versioning } from '../../engine/ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  type LinkedDependency,
  type Place,
  placeOf,
} from '../../engine/model/evaluated-dependency.ts';
import {
  advisoriesOf,
  type Insight,
  type PackageFacts,
  rowsOf,
  type VersionFacts,
  type VersionSummary,
} from '../../engine/model/facts.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import type { Wanted } from '../../engine/model/ports.ts';
import { advisoriesUnknownText, isMalware, ratingText } from '../../engine/model/severity-rating.ts';
import { contains, type Span } from '../../engine/model/span.ts';
import { updateCommand } from '../command-names.ts';
import { placeIn, type UpdateRequest } from './commands.ts';
import type { AnswerContext, Feature } from './feature.ts';
import { describeVersion } from './hover/dependency.ts';
import { toMarkup } from './markup.ts';

/** An item with its document and version. */
type Item = CompletionItem & { readonly data: CompletionData };

/** The license, deprecation and advisories of the selected version. */
export const completionResolve: Feature<Item, CompletionItem> = {
  method: 'completionItem/resolve',
  patience: 800,
  // An item of a service document has no data, and is complete.
  uri: ({ data }) => (data as CompletionData | undefined)?.uri ?? '',
  emptyAnswer: (item) => item,
  neededFacts: (_, { data }, { facts }) => factsAbout(data.key, facts),
  answer(_, item, context) {
    const { client, facts } = context;
    const { key } = item.data;
    const known = facts.version(key);
    if (known.state !== 'ready') return item;
    const prose = describeVersion(known.value, groupAdvisories(known.value.advisories, facts));
    const list = facts.package(key);
    const isSample = list.state === 'ready' && list.value.isSample === true;
    return {
      ...item,
      // Rows with a place for it are not painted anew.
      ...(!client.labelDetails && { detail: textOf(noteOn(known.value, key, context, isSample)) }),
      documentation: toMarkup(prose, { ...client, markdownHover: client.markdownItems }, context.links),
    };
  },
};

/** The data of a completion item for completionItem/resolve. */
export interface CompletionData {
  readonly uri: string;
  readonly key: VersionKey;
}

/**
 * Items in one answer; typing narrows them. Some packages have thousands of nightly builds. Each is looked up, since it may
 * be malware, in at most three batches of the service.
 */
const MAX_ITEMS = 300;

/** Rows that show how severe the advisories of their version are. Source: VS Code shows 12 at once. */
const ROWS_IN_VIEW = 12;

/** Source: Language Server Protocol 3.17, CompletionItemKind.Value and CompletionItemTag.Deprecated. */
const [valueKind, deprecatedTag] = [12, 1] as const;

/** The published versions at a position for one: the default first, pre-releases last. */
export const completion: Feature<CompletionParams, CompletionList> = {
  method: 'textDocument/completion',
  patience: 800,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => ({ isIncomplete: false, items: [] }),
  // The list that the document has requested itself may be on its way: an editor closes an empty answer.
  awaitedFacts(snapshot, { position }, context) {
    const found = versionSlotAt(snapshot, context.positions(snapshot.uri).offset(position));
    return found?.evaluated.resolution.kind === 'pending' ? 'all' : undefined;
  },
  neededFacts(snapshot, { position }, context) {
    const offset = context.positions(snapshot.uri).offset(position);
    const found = versionSlotAt(snapshot, offset);
    if (found === undefined) return [];
    const { linked, resolution } = found.evaluated;
    // A name that may be private is not looked up here either.
    if (resolution.kind === 'pending' || resolution.kind === 'failed') return [];
    if ('isBeingTyped' in resolution && !isNameFinal(snapshot, linked, offset)) return [];
    // Private registries have no advisories, and some no batches.
    const isPublic = linked.key.registry === undefined;
    const list = context.facts.package(linked.key);
    const shown = list.state === 'ready' ? shownOf(list.value, found, snapshot, offset).versions : [];
    return [
      { kind: 'package', key: linked.key },
      ...shown.slice(0, ROWS_IN_VIEW).flatMap(({ version }) => factsAbout({ ...linked.key, version }, context.facts)),
      ...(isPublic ? shown.slice(ROWS_IN_VIEW, MAX_ITEMS) : []).map(
        ({ version }): Wanted => ({ kind: 'version', key: { ...linked.key, version } }),
      ),
    ];
  },
  answer(snapshot, { position }, context) {
    const positions = context.positions(snapshot.uri);
    const offset = positions.offset(position);
    const found = versionSlotAt(snapshot, offset);
    if (found === undefined) return { isIncomplete: false, items: [] };
    const { evaluated, place } = found;
    const list = context.facts.package(evaluated.linked.key);
    if (list.state !== 'ready') return { isIncomplete: list.state === 'pending', items: [] };
    const { token, versions } = shownOf(list.value, found, snapshot, offset);
    const range = positions.range(token.span);
    const isWhole = isWrittenOut(list.value, token);
    const rows = malwareLast(versions.slice(0, MAX_ITEMS), evaluated, context);
    const items = rows.map(({ it, isSuspect }, at): CompletionItem => {
      const key = { ...evaluated.linked.key, version: it.version };
      // Malware is written by the command alone, which asks first.
      const newText = isSuspect ? token.text : place.at.encode(it.version);
      return {
        label: it.version,
        ...(isSuspect && updateItem(evaluated, it.version, context)),
        kind: valueKind,
        ...labelOf(noteOn(it, key, context, list.value.isSample === true), context),
        sortText: String(at).padStart(4, '0'),
        // Editors hide items that do not begin with the text before the cursor. After a complete version that would be
        // all others.
        filterText: isWhole ? token.typed : place.at.encode(it.version),
        textEdit: { range, newText },
        ...(it.isDefault && at === 0 && !isSuspect && context.client.preselects && { preselect: true }),
        ...(it.isDeprecated && context.client.deprecatedItems && { tags: [deprecatedTag] }),
        data: { uri: snapshot.uri, key } satisfies CompletionData,
      };
    });
    const isAwaiting = versions.slice(0, ROWS_IN_VIEW).some(({ version }) => {
      const known = context.facts.version({ ...evaluated.linked.key, version });
      return known.state === 'pending';
    });
    return { isIncomplete: isWhole || isAwaiting || versions.length > MAX_ITEMS, items };
  },
};

interface Row {
  readonly it: VersionSummary;
  /** Whether it is malware, or may be: an advisory of it is not known yet, or nothing at all. */
  readonly isSuspect: boolean;
}

function malwareLast(
  versions: readonly VersionSummary[],
  evaluated: EvaluatedDependency,
  { facts, client }: AnswerContext,
): Row[] {
  const { key } = evaluated.linked;
  // What is late is left to the command, where it can write the version: not in a text that is no requirement yet.
  const isLate = ({ version }: VersionSummary, known: Insight<VersionFacts>): boolean =>
    known.state === 'pending' && key.registry === undefined && client.executesCommands && moveTo(evaluated, version).ok;
  const rows = versions.map((it): Row & { readonly isMalicious: boolean } => {
    const known = facts.version({ ...key, version: it.version });
    const isMalicious = groupAdvisories(advisoriesOf(known), facts).some(isMalware);
    return { it, isSuspect: mayBeMalicious(known, facts) || isLate(it, known), isMalicious };
  });
  return [...rows.filter((it) => !it.isMalicious), ...rows.filter((it) => it.isMalicious)];
}

/** The command of an item whose insertion must be confirmed. */
function updateItem(
  evaluated: EvaluatedDependency,
  version: string,
  { client }: AnswerContext,
): Pick<CompletionItem, 'command'> {
  const request: UpdateRequest = { ...placeIn(evaluated), version };
  const title = l10n.t('Update {0} to {1}', evaluated.linked.dependency.name, version);
  return client.executesCommands ? { command: { title, command: updateCommand, arguments: [request] } } : {};
}

/** The dependency whose version is at an offset, in itself or in a definition of this file. */
function versionSlotAt(
  snapshot: Snapshot,
  offset: number,
): { evaluated: EvaluatedDependency; place: Place } | undefined {
  const definitions = Definitions.under(snapshot.chain.options, snapshot.chain.files);
  for (const evaluated of snapshot.dependencies) {
    const { linked, resolution } = evaluated;
    if (linked.isRecorded || (resolution.kind === 'none' && resolution.withheld)) continue;
    const place = [placeOf(linked), blankOf(linked, definitions)].find(
      (it) => it && contains(it.at.span, offset) && sameUri(it.uri) === sameUri(snapshot.uri),
    );
    if (place && place.frozen === undefined) return { evaluated, place };
  }
  return undefined;
}

/**
 * The text between a name and its version, by format, after which nothing can turn the entry into one from another
 * source. Elsewhere that is possible: a table may get a `registry`, a POM's dependency a `systemPath`, a line of
 * requirements an address, an npm value a scheme before the version.
 */
const textBeforeVersion: Readonly<Record<string, RegExp>> = {
  'package.json': /^"\s*:\s*"[\s\d.^~<>=*|x-]*$/i,
  'pnpm-workspace.yaml': /^["']?\s*:\s+["']?[\s\d.^~<>=*|x-]*$/i,
  '.yarnrc.yml': /^["']?\s*:\s+["']?[\s\d.^~<>=*|x-]*$/i,
  'global.json': /^"\s*:\s*"[^"]*$/,
  'dotnet-tools.json': /^"\s*:\s*\{\s*"version"\s*:\s*"[^"]*$/i,
  'Cargo.toml': /^["']?\s*=\s*["'][^"']*$/,
  'pyproject.toml': /^["']?\s*=\s*["'][^"']*$/,
  Pipfile: /^["']?\s*=\s*["'][^"']*$/,
  csproj: /^["'][^<>]*$/,
  msbuild: /^["'][^<>]*$/,
  'Directory.Build.props': /^["'][^<>]*$/,
  'Directory.Packages.props': /^["'][^<>]*$/,
  'packages.config': /^["'][^<>]*$/,
  nuspec: /^["'][^<>]*$/,
};

/** In characters. No real entry has more. */
const MAX_LENGTH_BEFORE_VERSION = 1000;

/** Whether an entry with an incomplete name is certainly complete except for its version. */
function isNameFinal({ uri, format, texts }: Snapshot, { dependency }: LinkedDependency, offset: number): boolean {
  const { end } = dependency.nameSpan;
  if (offset < end || offset - end > MAX_LENGTH_BEFORE_VERSION) return false;
  return textBeforeVersion[format.id]?.test(texts.get(uri)?.slice(end, offset) ?? '') === true;
}

/** The empty place for a version, in the dependency itself or in the definition that it references. */
function blankOf({ dependency, uri }: LinkedDependency, definitions: Definitions): Place | undefined {
  const { blank, requirement } = dependency;
  if (blank) return { uri, at: blank };
  let at = requirement;
  for (let depth = 0; at.kind === 'reference' && depth < MAX_REFERENCE_DEPTH; depth++) {
    const found = definitions.get(at.to.id);
    if (found === undefined) return undefined;
    if (found.definition.blank) return { uri: found.uri, at: found.definition.blank };
    at = found.definition.value;
  }
  return undefined;
}

/** The version at the cursor. */
interface Token {
  readonly span: Span;
  /** Up to the cursor. */
  readonly typed: string;
  /** All of it. */
  readonly text: string;
}

/**
 * The version of a requirement at the cursor: in `>=1.2,<2.0` with the cursor after the `1`, it is `1.2` of which `1`
 * is typed. Its operator stays.
 */
function tokenAt(text: string, { start, end }: Span, offset: number): Token {
  const typed = /(?:\d+!)?[\w.+*-]*$/.exec(text.slice(Math.max(start, offset - MAX_TOKEN_LENGTH), offset))?.[0] ?? '';
  const rest = /^[\w.+*-]*/.exec(text.slice(offset, Math.min(end, offset + MAX_TOKEN_LENGTH)))?.[0] ?? '';
  return { span: { start: offset - typed.length, end: offset + rest.length }, typed, text: typed + rest };
}

/** The version at the cursor, and those that are offered in its place. */
function shownOf(
  list: PackageFacts,
  { evaluated, place }: { readonly evaluated: EvaluatedDependency; readonly place: Place },
  snapshot: Snapshot,
  offset: number,
): { readonly token: Token; readonly versions: readonly VersionSummary[] } {
  const token = tokenAt(snapshot.texts.get(snapshot.uri) ?? '', place.at.span, offset);
  return { token, versions: sortVersions(list, token.typed, writtenAt(evaluated, token)) };
}

/** Whether the text is a whole version, or continues to none. */
function isWrittenOut({ versions }: PackageFacts, { typed, text }: Token): boolean {
  return versions.names.includes(text) || !versions.names.some((it) => it.startsWith(typed));
}

/** The characters of valid versions. Others could only come from the service, and would be inserted unescaped. */
const validVersion = /^[\w.+!~-]+$/;

/** In characters. No version is longer. */
const MAX_TOKEN_LENGTH = 200;

/** The version whose flavor is kept: the resolved one, or the written text. */
function writtenAt({ resolution }: EvaluatedDependency, { text }: Token): string {
  return resolution.kind === 'version' ? resolution.version : text;
}

/**
 * The default version, stable versions from the newest, those of other flavors, pre-releases, then versions numbered by
 * date that are much older than the others; of very many, those that continue the typed text.
 */
function sortVersions(list: PackageFacts, typed: string, written: string): VersionSummary[] {
  const { key } = list;
  const versions = rowsOf(list.versions);
  const { compare, isStable } = versioning[key.system];
  const keeps = written === '' ? () => true : flavorFilter(key.system, written, defaultVersion(list));
  const newest = versions.reduce(
    (max, it) => (looksLikeDate(it.version) ? max : Math.max(max, it.publishedAt ?? 0)),
    0,
  );
  const isLeftBehind = (it: VersionSummary): boolean =>
    looksLikeDate(it.version) && it.publishedAt !== undefined && newest - it.publishedAt > MAX_AGE_BEHIND_CURRENT;
  const rank = (it: VersionSummary): number => {
    if (isLeftBehind(it)) return 4;
    if (!isStable(it.version) && !it.isDefault) return 3;
    return keeps(it.version) ? (it.isDefault ? 0 : 1) : 2;
  };
  const all = versions.filter((it) => validVersion.test(it.version));
  const fitting = all.filter((it) => it.version.startsWith(typed));
  const shown = all.length > MAX_ITEMS && fitting.length > 0 ? fitting : all;
  return shown.sort((a, b) => rank(a) - rank(b) || compare(b.version, a.version));
}

/** What a row says of its version beside its number. What is not known is left out: it is not clean. */
interface Note {
  /** `latest`, `deprecated`, `⚠ 2 vulnerabilities (high)` */
  readonly marks: readonly string[];
  /** The day of its publication. */
  readonly day?: string;
}

function noteOn(it: VersionSummary, key: VersionKey, context: AnswerContext, ofSample: boolean): Note {
  return {
    marks: [
      ...(it.isDefault ? [l10n.t('latest')] : []),
      ...(it.isDeprecated ? [l10n.t('deprecated')] : []),
      ...noteOnAdvisories(key, context),
      ...(versioning[key.system].isStable(it.version) ? [] : [l10n.t('pre-release')]),
      // Otherwise the first one would appear to be the newest.
      ...(ofSample ? [l10n.t({ message: 'a known version', comment: 'a version, of which others may exist' })] : []),
    ],
    ...(it.publishedAt !== undefined && { day: dayOf(it.publishedAt) }),
  };
}

function noteOnAdvisories(key: VersionKey, { facts }: AnswerContext): string[] {
  const known = facts.version(key);
  const advisories = groupAdvisories(advisoriesOf(known), facts);
  if (advisories.length === 0)
    return known.state === 'ready' && known.value.areAdvisoriesUnknown ? [advisoriesUnknownText()] : [];
  // Its records need no score.
  if (advisories.some(isMalware)) return [`⛔ ${ratingText('malicious')}`];
  const rating = worstRatingOf(advisories);
  if (rating === undefined) return [`⚠ ${l10n.t('has known vulnerabilities')}`];
  const worst = ratingText(rating);
  return [
    advisories.length === 1
      ? `⚠ ${l10n.t('1 vulnerability ({0})', worst)}`
      : `⚠ ${l10n.t('{0} vulnerabilities ({1})', advisories.length, worst)}`,
  ];
}

/** In a row of a client that has a place for it, the marks follow the version and the day is at the end of the line. */
function labelOf(note: Note, { client }: AnswerContext): Pick<CompletionItem, 'detail' | 'labelDetails'> {
  if (!client.labelDetails) return { detail: textOf(note) };
  const { marks, day } = note;
  return {
    labelDetails: {
      // It follows the label without a space.
      ...(marks.length > 0 && { detail: `  ${marks.join(' · ')}` }),
      ...(day !== undefined && { description: day }),
    },
  };
}

/** `latest · 2024-05-01` */
function textOf({ marks, day }: Note): string {
  return [...marks, ...(day === undefined ? [] : [day])].join(' · ');
}
