import * as l10n from '@vscode/l10n';
import type { Span } from '../../model/span.ts';
import { type RangeReading, type Rewrite, refuse, type Versioning } from '../../model/versioning.ts';
import { compareMavenVersions, type MavenVersion, parseMavenVersion } from './maven-version-order.ts';

/**
 * Maven's versions and ranges. A version that stands alone is a recommendation, and the one taken. A range takes the
 * highest that is in it, pre-releases included: `[1.0,2.0)` is met by `2.0-rc1`, which comes before `2.0`.
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
      return setWith(range.sets, parseMavenVersion(version)) !== undefined;
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
  // Of two spellings of one version (`1.0`, `1.0.0`) the one that is written.
  const written = range?.kind === 'sets' && kind === 'pin' ? range.sets[0]?.floor?.text : undefined;
  if (written !== undefined && versions.includes(written)) return written;
  return highest(versions.filter((it) => satisfies(it, text) && (kind !== 'tag' || isWanted(it, text.trim()))));
}

/** `RELEASE` passes over snapshots, `LATEST` over nothing. */
function isWanted(version: string, tag: string): boolean {
  return tag === 'LATEST' || tag === 'latest.integration' || !version.toUpperCase().endsWith('-SNAPSHOT');
}

function highest(versions: readonly string[]): string | undefined {
  let best: string | undefined;
  for (const it of versions) if (best === undefined || compare(it, best) > 0) best = it;
  return best;
}

/**
 * Words that say a version is not finished. A word we don't know is no reason for doubt: `-jre`, `-android`, `.Final`,
 * `.SEC01`, `-redhat-00001`, `-incubating` (which Apache releases like any other).
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
/** What a snapshot is called once it is deployed: `1.0-20240131.120000-1`. */
const deployedSnapshot = /-\d{8}\.\d{6}-\d+$/;

function isStable(version: string): boolean {
  if (!isMavenVersion(version) || deployedSnapshot.test(version)) return false;
  for (const [, word = '', number] of version.toLowerCase().matchAll(/([a-z]+)(?:-?(\d+))?/g)) {
    if (unfinished.has(word) || (number !== undefined && unfinishedBeforeNumber.has(word))) return false;
  }
  return true;
}

function rewrite(text: string, version: string): Rewrite {
  if (!isMavenVersion(version)) return refuse(l10n.t('`{0}` is no version of Maven', version));
  const range = parseMavenRange(text);
  switch (range?.kind) {
    case 'soft':
      return { ok: true, text: text.replace(range.text, () => version) };
    case 'sets':
      return rewriteSets(text, range.sets, version);
    case 'prefix':
      return rewritePrefix(range.prefix, version);
    case 'tag':
      return refuse(l10n.t('`{0}` takes whatever was published last', text.trim()));
    case undefined:
      return refuse(l10n.t('it is neither a version nor a range'));
  }
}

/** `1.2.+` → `2.3.+`: as many numbers as were fixed, and no more. */
function rewritePrefix(prefix: string, version: string): Rewrite {
  if (version.startsWith(prefix)) return refuse(l10n.t('it allows {0} already', version));
  const fixed = prefix.split('.').length - 1;
  const parts = version.split('.');
  if (!prefix.endsWith('.') || parts.length <= fixed)
    return refuse(l10n.t('it takes only what begins with {0}', prefix));
  return { ok: true, text: `${parts.slice(0, fixed).join('.')}.+` };
}

function rewriteSets(text: string, sets: readonly MavenSet[], version: string): Rewrite {
  const [first] = sets;
  if (sets.length === 1 && first?.single && first.floor) {
    const { start, end } = first.floor.span;
    return { ok: true, text: text.slice(0, start) + version + text.slice(end) };
  }
  const parsed = parseMavenVersion(version);
  const set = setWith(sets, parsed);
  if (sets.length === 1 && first?.numbers) return rewriteNumbers(text, first, version);
  if (set?.numbers) return refuse(l10n.t('it allows {0} already', version));
  if (!set) return refuse(whyOutside(sets, version));
  if (!set.floor) return refuse(l10n.t('it has no lower bound to raise'));
  const { start, end } = set.floor.span;
  // The bracket is rewritten too: `(1.0,2.0)` raised to 1.5 must contain 1.5.
  const head = `${text.slice(0, set.span.start)}[${text.slice(set.span.start + 1, start)}`;
  return { ok: true, text: head + version + text.slice(end) };
}

/** `[1.2.*]` → `[2.3.*]` */
function rewriteNumbers(text: string, set: MavenSet, version: string): Rewrite {
  const { floor, numbers = [] } = set;
  if (setWith([set], parseMavenVersion(version))) return refuse(l10n.t('it allows {0} already', version));
  const moved = `${version.split('.').slice(0, numbers.length).join('.')}.*`;
  if (!floor || !satisfies(version, `[${moved}]`))
    return refuse(l10n.t('it takes only what begins with {0}', `${numbers.join('.')}.`));
  return { ok: true, text: text.slice(0, floor.span.start) + moved + text.slice(floor.span.end) };
}

function whyOutside(sets: readonly MavenSet[], version: string): string {
  if (sets.length > 1) return l10n.t('{0} is in none of its sets', version);
  const [set] = sets;
  const parsed = parseMavenVersion(version);
  if (!isAtLeast(set?.floor, parsed)) return l10n.t('it has a lower bound above {0}', version);
  const ceiling = set?.ceiling?.text ?? '';
  return set?.ceiling?.inclusive
    ? l10n.t('it has an upper bound of {0}', ceiling)
    : l10n.t('it has an upper bound below {0}', ceiling);
}

/** One set of a range: `[1.0,2.0)`. */
export interface MavenSet {
  readonly floor?: Bound;
  readonly ceiling?: Bound;
  /** `[1.0]`: one version stands for both bounds. */
  readonly single: boolean;
  /** `1`, `2` of `[1.2.*]`: what the versions begin with. Its bounds are the first and the last of these. */
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

/** What Maven understands of a text that stands as a version. */
export type MavenRange =
  /** A recommendation: this version, where nobody else in the tree asks for another. */
  | { readonly kind: 'soft'; readonly text: string }
  | { readonly kind: 'sets'; readonly sets: readonly MavenSet[] }
  /** `1.+` of Gradle: every version that begins with `1.`. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** `LATEST` and `RELEASE`, and in Gradle `latest.release` and its like. */
  | { readonly kind: 'tag' };

/**
 * White space, what nobody sees and what no file name may hold can't be in a version, nor can a reference that is half typed.
 * It is looked for: to match all that may be there takes the stack along, and the text may be of any length.
 */
const neverInVersion = /[\s\p{Cc}\p{Cf}\p{Cs}\\/:"'`<>|?*[\](),;${}!@#%&=]/u;

/**
 * Maven reads anything as a version; this is what could ever be published as one, and is not broken off. What Maven and
 * Gradle read as a tag, a prefix or a notation (`1.+`, `LATEST`, `1.0@aar`, `1.0!!`) is not, whoever says so.
 */
export function isMavenVersion(text: string): boolean {
  return text !== '' && !neverInVersion.test(text) && !/[.+-]$/.test(text) && !isTag(text);
}

/** What Gradle reads as a tag. Source: its user guide, on dynamic versions. */
const gradleTag = /^latest\.(?:release|milestone|integration)$/;

function isTag(text: string): boolean {
  return text === 'LATEST' || text === 'RELEASE' || gradleTag.test(text);
}

/** Undefined for a text that is neither a version nor a range. */
export function parseMavenRange(text: string): MavenRange | undefined {
  const trimmed = text.trim();
  if (isTag(trimmed)) return { kind: 'tag' };
  const prefix = trimmed.endsWith('+') ? trimmed.slice(0, -1) : undefined;
  if (prefix !== undefined && !neverInVersion.test(prefix)) return { kind: 'prefix', prefix };
  if (isMavenVersion(trimmed)) return { kind: 'soft', text: trimmed };
  const sets: MavenSet[] = [];
  const separator = /\s*,?\s*/y;
  // Gradle also writes the bracket that leaves its bound out the other way round: `[1.0,2.0[`.
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
    const numbers = opening === '[' && closing === ']' && floor ? numbersOf(floor.text) : undefined;
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

/** Source: Maven's resolver, GenericVersionRange, which takes the asterisk in this one place. */
function numbersOf(text: string): readonly string[] | undefined {
  const [, numbers] = /^(\d{1,20}(?:\.\d{1,20}){0,19})\.\*$/.exec(text) ?? [];
  return numbers?.split('.').map((it) => it.replace(/^0+(?=\d)/, ''));
}

function boundOf(raw: string, at: number, inclusive: boolean): Bound | undefined {
  const text = raw.trim();
  if (text === '') return undefined;
  const start = at + raw.length - raw.trimStart().length;
  return { text, version: parseMavenVersion(text), inclusive, span: { start, end: start + text.length } };
}

/** Sets must not overlap, and stand in their order. */
function isAfter(set: MavenSet, before: MavenSet | undefined): boolean {
  if (!before?.ceiling) return before === undefined;
  return set.floor !== undefined && compareMavenVersions(set.floor.version, before.ceiling.version) >= 0;
}

/** The set of a range that a version is in. */
export function setWith(sets: readonly MavenSet[], version: MavenVersion): MavenSet | undefined {
  return sets.find((it) =>
    it.numbers ? begins(version, it.numbers) : isAtLeast(it.floor, version) && isAtMost(it.ceiling, version),
  );
}

/** Zeros at the end of its numbers are not kept: 1 and 1-jre begin with 1.0. */
function begins([first = []]: MavenVersion, numbers: readonly string[]): boolean {
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
