import * as l10n from '@vscode/l10n';
import type { Span } from '../../model/span.ts';
import {
  type BoundedRanges,
  type RangeReading,
  type Rewrite,
  refuse,
  type Versioning,
} from '../../model/versioning.ts';
import { compareMavenVersions, type MavenVersion, parseMavenVersion } from './maven-version-order.ts';
import { numbersAbove, refuseBounded } from './range-bounds.ts';

/**
 * Maven's versions and ranges. A version without brackets is a soft requirement, and the one that is resolved. A range
 * resolves to the highest version in it, pre-releases included: `2.0-rc1` satisfies `[1.0,2.0)`, since it comes before `2.0`.
 */
export const maven: Versioning = {
  system: 'MAVEN',
  compare,
  satisfies,
  keeps: satisfies,
  read,
  pick,
  isStable,
  canonical: (version) => version,
  rewrite,
};

function compare(a: string, b: string): number {
  const left = isMavenVersion(a);
  const right = isMavenVersion(b);
  if (!left || !right) return Number(left) - Number(right);
  return compareMavenVersions(parseMavenVersion(a), parseMavenVersion(b));
}

function satisfies(version: string, text: string): boolean {
  if (!isMavenVersion(version)) return false;
  const range = parseMavenRange(text);
  switch (range?.kind) {
    case 'soft':
      return compare(version, range.text) === 0;
    case 'sets':
      return findSet(range.sets, parseMavenVersion(version)) !== undefined;
    case 'prefix':
      return version.startsWith(range.prefix);
    case 'tag':
      return true;
    case undefined:
      return text.trim() === '';
  }
}

function read(text: string): RangeReading {
  const range = parseMavenRange(text);
  switch (range?.kind) {
    case 'soft':
      return { kind: 'pin', version: range.text, exact: false };
    case 'sets': {
      const [set] = range.sets;
      if (range.sets.length > 1 || !set) return { kind: 'range' };
      if (set.single && set.floor) return { kind: 'pin', version: set.floor.text, exact: true };
      return { kind: set.floor || set.ceiling ? 'range' : 'any' };
    }
    case 'prefix':
      return { kind: range.prefix === '' ? 'any' : 'range' };
    case 'tag':
      return { kind: 'tag' };
    case undefined:
      return { kind: text.trim() === '' ? 'any' : 'invalid' };
  }
}

function pick(text: string, versions: readonly string[]): string | undefined {
  const range = parseMavenRange(text);
  if (range?.kind === 'soft') return versions.includes(range.text) ? range.text : undefined;
  if (!range && text.trim() !== '') return undefined;
  const { kind } = read(text);
  // Of two spellings of one version (`1.0`, `1.0.0`) the declared one.
  const written = range?.kind === 'sets' && kind === 'pin' ? range.sets[0]?.floor?.text : undefined;
  if (written !== undefined && versions.includes(written)) return written;
  return highest(versions.filter((it) => satisfies(it, text) && (kind !== 'tag' || isCoveredByTag(it, text.trim()))));
}

/** `RELEASE` excludes snapshots, `LATEST` excludes nothing. */
function isCoveredByTag(version: string, tag: string): boolean {
  return tag === 'LATEST' || tag === 'latest.integration' || !version.toUpperCase().endsWith('-SNAPSHOT');
}

function highest(versions: readonly string[]): string | undefined {
  let best: string | undefined;
  for (const it of versions) if (best === undefined || compare(it, best) > 0) best = it;
  return best;
}

/**
 * Words for versions that are not finished. An unknown word does not make a version unstable: `-jre`, `-android`, `.Final`,
 * `.SEC01`, `-redhat-00001`, `-incubating` (of Apache's ordinary releases).
 */
const unfinished: ReadonlySet<string> = new Set([
  ...[
    'alpha',
    'beta',
    'milestone',
    'rc',
    'cr',
    'snapshot',
    'ea',
    'eap',
    'pre',
    'prerelease',
    'preview',
    'dev',
    'devel',
  ],
  ...['nightly', 'canary', 'experimental', 'unstable', 'candidate', 'draft', 'wip', 'edge', 'next'],
]);
/** Unfinished only right before a number: `1.0-m2`, `2.0-b3`, `2.10.0.pr1`. */
const unfinishedBeforeNumber: ReadonlySet<string> = new Set(['a', 'b', 'm', 'pr']);
/** The version of a deployed snapshot: `1.0-20240131.120000-1`. */
const deployedSnapshot = /-\d{8}\.\d{6}-\d+$/;

function isStable(version: string): boolean {
  if (!isMavenVersion(version) || deployedSnapshot.test(version)) return false;
  for (const [, word = '', number] of version.toLowerCase().matchAll(/([a-z]+)(?:-?(\d+))?/g)) {
    if (unfinished.has(word) || (number !== undefined && unfinishedBeforeNumber.has(word))) return false;
  }
  return true;
}

function rewrite(text: string, version: string, bounded: BoundedRanges = 'widen'): Rewrite {
  if (!isMavenVersion(version)) return refuse(l10n.t('invalid Maven version: {0}', version));
  const range = parseMavenRange(text);
  switch (range?.kind) {
    case 'soft':
      return { ok: true, text: text.replace(range.text, () => version) };
    case 'sets':
      return rewriteSets(text, range.sets, version, bounded);
    case 'prefix':
      return rewritePrefix(range.prefix, version);
    case 'tag':
      return refuse(l10n.t('{0} always selects the latest version', text.trim()));
    case undefined:
      return refuse(l10n.t('invalid version or range'));
  }
}

/** `1.2.+` → `2.3.+`: the count of fixed numbers stays. */
function rewritePrefix(prefix: string, version: string): Rewrite {
  if (version.startsWith(prefix)) return refuse(l10n.t('it already allows {0}', version));
  const fixed = prefix.split('.').length - 1;
  const parts = version.split('.');
  if (!prefix.endsWith('.') || parts.length <= fixed)
    return refuse(l10n.t('it only allows versions that begin with {0}', prefix));
  return { ok: true, text: `${parts.slice(0, fixed).join('.')}.+` };
}

function rewriteSets(text: string, sets: readonly MavenSet[], version: string, bounded: BoundedRanges): Rewrite {
  const [first] = sets;
  if (sets.length === 1 && first?.single && first.floor) return { ok: true, text: replace(text, first.floor, version) };
  const parsed = parseMavenVersion(version);
  const set = findSet(sets, parsed);
  if (sets.length === 1 && first?.numbers) return rewriteNumbers(text, first, version);
  if (set?.numbers) return refuse(l10n.t('it already allows {0}', version));
  if (!set) return moveEnd(text, sets, version, bounded);
  if (!set.floor) return refuse(l10n.t('it already allows {0}', version));
  return { ok: true, text: moveFloor(text, set, version) };
}

/** The bracket changes, too: `(1.0,2.0)` raised to 1.5 must contain 1.5. */
function moveFloor(text: string, { floor, span }: MavenSet, version: string): string {
  if (!floor) return text;
  return `${text.slice(0, span.start)}[${text.slice(span.start + 1, floor.span.start)}${version}${text.slice(floor.span.end)}`;
}

function replace(text: string, { span }: Bound, version: string): string {
  return text.slice(0, span.start) + version + text.slice(span.end);
}

/**
 * Moves the end of a range above a version. Of several sets none moves: another one of the shape of the last is added.
 * A version between two sets stays excluded, since Maven would choose from the upper one.
 *
 *     [1.0,2.0)             to 3.1   is     [1.0,4.0)
 *     [1.0,2.0),[3.0,4.0)   to 5.1   is     [1.0,2.0),[3.0,4.0),[5.1,6.0)
 */
function moveEnd(text: string, sets: readonly MavenSet[], version: string, bounded: BoundedRanges): Rewrite {
  const last = sets.at(-1);
  const bound = last?.ceiling;
  if (!last || !bound || compareMavenVersions(parseMavenVersion(version), bound.version) < 0)
    return refuse(
      sets.length > 1
        ? l10n.t('no part of the range contains {0}', version)
        : l10n.t('its lower bound is above {0}', version),
    );
  if (bounded === 'never') return refuseBounded(text.slice(bound.span.start, last.span.end), version);
  const before = sets.at(-2)?.span.end;
  const isKept = before === undefined && bounded === 'widen';
  const starts = isKept ? [undefined] : [atPrecision(last.floor?.text ?? '', version), version];
  for (const start of starts) {
    const moved = moveSet(text, last, version, start);
    if (moved === undefined) break;
    const added =
      text.slice(0, last.span.end) + text.slice(before ?? 0, last.span.start) + moved + text.slice(last.span.end);
    const isAdded = before !== undefined && bounded === 'widen';
    const result = isAdded ? added : `${/^\s*/.exec(text)?.[0] ?? ''}${moved}${text.slice(last.span.end)}`;
    if (satisfies(version, result))
      return { ok: true, text: result, end: bounded === 'widen' ? 'widened' : 'replaced' };
  }
  return refuse(l10n.t('it would still not allow {0}', version));
}

/**
 * The text of a set with its end above a version; undefined where its bounds are no numbers.
 * @param start its new beginning, unless it stays
 */
function moveSet(text: string, set: MavenSet, version: string, start: string | undefined): string | undefined {
  const { span, ceiling, single, numbers } = set;
  const whole = text.slice(0, span.end);
  if (!ceiling) return undefined;
  if (single) return replace(whole, ceiling, version).slice(span.start);
  if (numbers)
    return replace(whole, ceiling, `${numbersOf(version).slice(0, numbers.length).join('.')}.*`).slice(span.start);
  const end = ceiling.inclusive ? lastAt(ceiling, version) : endAbove(ceiling, version);
  if (end === undefined) return undefined;
  const raised = replace(whole, ceiling, end);
  return (start === undefined ? raised : moveFloor(raised, set, start)).slice(span.start);
}

/** The numbers that a version begins with. */
function numbersOf(version: string): readonly string[] {
  return /^\d+(?:\.\d+)*/.exec(version)?.[0].split('.') ?? [];
}

/** As many numbers of a version as another text has, or the whole version. */
function atPrecision(written: string, version: string): string {
  const numbers = numbersOf(version);
  const { length } = numbersOf(written);
  return length > 0 && numbers.length > length ? numbers.slice(0, length).join('.') : version;
}

/** `2.0` → `3.0` for 3.0.0, and `3.1.4` for 3.1.4. */
function lastAt(bound: Bound, version: string): string {
  const short = atPrecision(bound.text, version);
  return compare(short, version) >= 0 ? short : version;
}

/** `2.0` → `4.0` for 3.1.4. */
function endAbove({ text }: Bound, version: string): string | undefined {
  const written = numbersOf(text);
  const numbers = numbersOf(version);
  if (written.length === 0 || numbers.length === 0) return undefined;
  return numbersAbove(written, numbers).join('.') + text.slice(written.join('.').length);
}

/** `[1.2.*]` → `[2.3.*]` */
function rewriteNumbers(text: string, set: MavenSet, version: string): Rewrite {
  const { floor, numbers = [] } = set;
  if (findSet([set], parseMavenVersion(version))) return refuse(l10n.t('it already allows {0}', version));
  const moved = `${version.split('.').slice(0, numbers.length).join('.')}.*`;
  if (!floor || !satisfies(version, `[${moved}]`))
    return refuse(l10n.t('it only allows versions that begin with {0}', `${numbers.join('.')}.`));
  return { ok: true, text: text.slice(0, floor.span.start) + moved + text.slice(floor.span.end) };
}

/** One set of a range: `[1.0,2.0)`. */
export interface MavenSet {
  readonly floor?: Bound;
  readonly ceiling?: Bound;
  /** `[1.0]`: one version is both bounds. */
  readonly single: boolean;
  /** `1`, `2` of `[1.2.*]`, which the versions in it begin with. */
  readonly numbers?: readonly string[];
  /** From its opening to behind its closing bracket. */
  readonly span: Span;
}

export interface Bound {
  readonly text: string;
  readonly version: MavenVersion;
  readonly inclusive: boolean;
  /** Inside the range's text. */
  readonly span: Span;
}

/** The text of a `<version>`, as Maven reads it. */
export type MavenRange =
  /** A soft requirement: this version, unless another dependency of the tree requires another one. */
  | { readonly kind: 'soft'; readonly text: string }
  | { readonly kind: 'sets'; readonly sets: readonly MavenSet[] }
  /** `1.+` of Gradle: every version that begins with `1.`. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** `LATEST` and `RELEASE`, and in Gradle `latest.release` and its like. */
  | { readonly kind: 'tag' };

/**
 * Characters that no version contains: white space, invisible characters, characters that no file name may contain, and
 * those of a half-typed reference. The pattern matches one of them instead of a whole version, since a repeated group
 * exhausts the stack for a long text.
 */
const forbiddenInVersion = /[\s\p{Cc}\p{Cf}\p{Cs}\\/:"'`<>|?*[\](),;${}!@#%&=]/u;

/**
 * Whether a text could be a published version. Maven reads any text as one. Not here: a half-typed version, a tag, a
 * prefix, a notation of Maven or Gradle (`1.+`, `LATEST`, `1.0@aar`, `1.0!!`).
 */
export function isMavenVersion(text: string): boolean {
  return text !== '' && !forbiddenInVersion.test(text) && !/[.+-]$/.test(text) && !isTag(text);
}

/** The tags of Gradle. Source: its user guide, on dynamic versions. */
const gradleTag = /^latest\.(?:release|milestone|integration)$/;

function isTag(text: string): boolean {
  return text === 'LATEST' || text === 'RELEASE' || gradleTag.test(text);
}

/** Undefined for a text that is neither a version nor a range. */
export function parseMavenRange(text: string): MavenRange | undefined {
  const trimmed = text.trim();
  if (isTag(trimmed)) return { kind: 'tag' };
  const prefix = trimmed.endsWith('+') ? trimmed.slice(0, -1) : undefined;
  if (prefix !== undefined && !forbiddenInVersion.test(prefix)) return { kind: 'prefix', prefix };
  if (isMavenVersion(trimmed)) return { kind: 'soft', text: trimmed };
  const sets: MavenSet[] = [];
  const separator = /\s*,?\s*/y;
  // Gradle also writes an exclusive bracket the other way round: `[1.0,2.0[`.
  const oneSet = /([[(\]])([^[\](),]*)(?:(,)([^[\](),]*))?([\])[])/y;
  for (let at = text.length - text.trimStart().length; at < text.trimEnd().length; ) {
    oneSet.lastIndex = at;
    const found = oneSet.exec(text);
    const set = found && readSet(found, at);
    if (!set || !isAfter(set, sets.at(-1))) return undefined;
    sets.push(set);
    separator.lastIndex = oneSet.lastIndex;
    separator.exec(text);
    at = separator.lastIndex;
  }
  return sets.length > 0 ? { kind: 'sets', sets } : undefined;
}

function readSet(found: RegExpExecArray, at: number): MavenSet | undefined {
  const [whole, opening, first = '', comma, second = '', closing] = found;
  const span = { start: at, end: at + whole.length };
  const floor = boundOf(first, at + 1, opening === '[');
  if (comma === undefined) {
    const numbers = opening === '[' && closing === ']' && floor ? wildcardNumbers(floor.text) : undefined;
    if (numbers && floor) return { floor, ceiling: floor, single: false, numbers, span };
    const isVersion = opening === '[' && closing === ']' && floor !== undefined && isMavenVersion(floor.text);
    return isVersion ? { floor, ceiling: floor, single: true, span } : undefined;
  }
  const ceiling = boundOf(second, at + 1 + first.length + 1, closing === ']');
  if ((floor && !isMavenVersion(floor.text)) || (ceiling && !isMavenVersion(ceiling.text))) return undefined;
  if (floor && ceiling) {
    const order = compareMavenVersions(floor.version, ceiling.version);
    if (order > 0 || (order === 0 && !(floor.inclusive && ceiling.inclusive))) return undefined;
  }
  return { ...(floor && { floor }), ...(ceiling && { ceiling }), single: false, span };
}

/** The numbers of `1.2.*`. Source: Maven's resolver, GenericVersionRange, which accepts the asterisk only here. */
function wildcardNumbers(text: string): readonly string[] | undefined {
  const [, numbers] = /^(\d{1,20}(?:\.\d{1,20}){0,19})\.\*$/.exec(text) ?? [];
  return numbers?.split('.').map((it) => it.replace(/^0+(?=\d)/, ''));
}

function boundOf(raw: string, at: number, inclusive: boolean): Bound | undefined {
  const text = raw.trim();
  if (text === '') return undefined;
  const start = at + raw.length - raw.trimStart().length;
  return { text, version: parseMavenVersion(text), inclusive, span: { start, end: start + text.length } };
}

/** Sets must not overlap, and must be in ascending order. */
function isAfter(set: MavenSet, before: MavenSet | undefined): boolean {
  if (!before?.ceiling) return before === undefined;
  return set.floor !== undefined && compareMavenVersions(set.floor.version, before.ceiling.version) >= 0;
}

/** The set of a range that contains a version. */
export function findSet(sets: readonly MavenSet[], version: MavenVersion): MavenSet | undefined {
  return sets.find((it) =>
    it.numbers ? startsWithNumbers(version, it.numbers) : isAtLeast(it.floor, version) && isAtMost(it.ceiling, version),
  );
}

/** A parsed version has no zeros at the end of its numbers: 1 and 1-jre begin with 1.0. */
function startsWithNumbers([first = []]: MavenVersion, numbers: readonly string[]): boolean {
  return numbers.every((it, at) => {
    const item = first[at];
    return item === undefined ? it === '0' : item.kind === 'number' && item.digits === it;
  });
}

export function isAtLeast(floor: Bound | undefined, version: MavenVersion): boolean {
  if (!floor) return true;
  const order = compareMavenVersions(version, floor.version);
  return floor.inclusive ? order >= 0 : order > 0;
}

function isAtMost(ceiling: Bound | undefined, version: MavenVersion): boolean {
  if (!ceiling) return true;
  const order = compareMavenVersions(version, ceiling.version);
  return ceiling.inclusive ? order <= 0 : order < 0;
}
