import type { Span } from '../model/span.ts';
import { compareMavenVersions, type MavenVersion, parseMavenVersion } from './maven-version.ts';

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
