import * as l10n from '@vscode/l10n';
import type SemVer from 'semver/classes/semver.js';
import { type BoundedRanges, type Rewrite, refuse } from '../../model/versioning.ts';
import { numbersAbove, refuseBounded } from './range-bounds.ts';

/**
 * One comparator of an npm or Cargo range, in parts so that its version can be replaced:
 *
 *     >= v1.2.x       operator `>=`, prefix `>= v`, parts `1` `2` `x`
 *     ^4.0.0-beta.1   operator `^`, prefix `^`, parts `4` `0` `0`, suffix `-beta.1`
 */
interface Comparator {
  readonly operator: string;
  /** The operator as it was written, with the space and the `v` behind it. */
  readonly prefix: string;
  /** One to three, numbers or wildcards. */
  readonly parts: readonly string[];
  /** Pre-release and build, with their marks; mostly empty. */
  readonly suffix: string;
}

/** The differences between the ranges of npm and Cargo. */
export interface RangeSyntax {
  /** The meaning of a version without an operator: `^` for Cargo, `x` (the written numbers and no others) for npm. */
  readonly bare: '^' | 'x';
  /** Matches the comparators of a range without `||`. */
  readonly comparators: RegExp;
  readonly satisfies: (version: string, range: string) => boolean;
}

const comparatorPattern = /^(\^|~>?|>=?|<=?|=)?([v=\s]*)(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?([-+\w.]*)$/;

function readComparator(text: string): Comparator | undefined {
  const [, operator = '', space = '', major, minor, patch, suffix = ''] = comparatorPattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  const parts = [major, minor, patch].filter((it) => it !== undefined);
  return { operator, prefix: operator + space, parts, suffix };
}

/** The numbers before the first wildcard: `1.2.x` → 1, 2. */
function numbersOf(comparator: Comparator): number[] {
  const wild = comparator.parts.findIndex((it) => !isNumber(it));
  return (wild < 0 ? comparator.parts : comparator.parts.slice(0, wild)).map(Number);
}

/** The first release that a caret (`^1.2`) or a tilde (`~1.2`) no longer accepts. */
export function ceiling(operator: '^' | '~', numbers: readonly number[]): readonly [number, number, number] {
  const [major = 0, minor, patch] = numbers;
  if (operator === '~') return minor === undefined ? [major + 1, 0, 0] : [major, minor + 1, 0];
  if (major > 0 || minor === undefined) return [major + 1, 0, 0];
  if (minor > 0 || patch === undefined) return [0, minor + 1, 0];
  return [0, 0, patch + 1];
}

/** A comparator of a range, with its place in the text. */
interface Written {
  readonly text: string;
  readonly start: number;
  readonly read: Comparator;
}

/**
 * Moves the comparator that sets where a range begins. If the range ends below the version, its end is moved as
 * `bounded` determines.
 *
 *     ^4.17.15 → ^4.18.1      1.2.x → 1.4.x      >=1.2 <2 → >=1.9.3 <2      >=1.2 <2 → >=1.2 <4
 */
export function rewriteComparators(
  range: string,
  version: SemVer,
  syntax: RangeSyntax,
  bounded: BoundedRanges,
): Rewrite {
  const found = readComparators(range, syntax);
  if (found === undefined) return refuse(l10n.t('invalid range'));
  const isExcluded = (it: Written): boolean => !allows(it.text, version, syntax);
  const above = found.find((it) => it.read.operator === '>' && isExcluded(it));
  if (above) return refuse(lowerBoundReason(above.text));
  const ends = found.filter((it) => isEnd(it.read) && isExcluded(it));
  if (ends.length > 0) return moveEnds(range, found, ends, version, syntax, bounded);

  const movable = found.filter((it) => !isEnd(it.read) && it.read.operator !== '>');
  const [main] = movable.toSorted((a, b) => compareNumbers(numbersOf(b.read), numbersOf(a.read)));
  if (main === undefined) return refuse(l10n.t('it already allows {0}', version.version));
  const edits = new Map<Written, string>();
  for (const it of movable) {
    if (it !== main && !isExcluded(it)) continue;
    const moved = moveComparator(it.text, it.read, version, syntax);
    if (!moved.ok) return moved;
    edits.set(it, moved.text);
  }
  const text = replaceComparators(range, edits);
  if (syntax.satisfies(version.version, text)) return { ok: true, text };
  return refuse(l10n.t('it would still not allow {0}', version.version));
}

/** Undefined if one of them is invalid. */
function readComparators(range: string, { comparators }: RangeSyntax): readonly Written[] | undefined {
  const found: Written[] = [];
  for (const { 0: text, index: start } of range.matchAll(comparators)) {
    const read = readComparator(text);
    if (read === undefined) return undefined;
    found.push({ text, start, read });
  }
  return found;
}

function replaceComparators(range: string, edits: ReadonlyMap<Written, string>): string {
  let text = range;
  for (const [{ start, text: before }, after] of [...edits].sort(([a], [b]) => b.start - a.start)) {
    text = text.slice(0, start) + after + text.slice(start + before.length);
  }
  return text;
}

/** Whether a comparator has nothing against a version. None alone accepts a pre-release that it does not name. */
export function allows(comparator: string, version: SemVer, { satisfies }: Pick<RangeSyntax, 'satisfies'>): boolean {
  const release = `${version.major}.${version.minor}.${version.patch}`;
  return satisfies(version.version, comparator) || satisfies(release, comparator);
}

/**
 * Moves the upper bounds of a range above a version. Lower bounds stay, or move along if `bounded` is `replace` or if
 * the range would otherwise not accept a pre-release.
 */
function moveEnds(
  range: string,
  found: readonly Written[],
  ends: readonly Written[],
  version: SemVer,
  syntax: RangeSyntax,
  bounded: BoundedRanges,
): Rewrite {
  if (bounded === 'never') return refuseBounded(ends[0]?.text ?? range, version.version);
  const raised = ends.map((it): [Written, string] => [it, endAt(it.read, version)]);
  for (const isFull of [false, true]) {
    const edits = new Map(raised);
    for (const it of found) {
      const isKept = bounded === 'widen' && !isFull && allows(it.text, version, syntax);
      if (isEnd(it.read) || isKept) continue;
      const moved = moveStart(it, version, syntax, isFull);
      if (!moved.ok) return moved;
      if (moved.text !== it.text) edits.set(it, moved.text);
    }
    const text = replaceComparators(range, edits);
    // Only the comparator that names a pre-release accepts it.
    const isWidened = edits.size === ends.length && ends.every((it) => !/^-(?!0$)/.test(it.read.suffix));
    const end = isWidened ? 'widened' : 'replaced';
    if (syntax.satisfies(version.version, text)) return { ok: true, text, end };
  }
  return refuse(l10n.t('it would still not allow {0}', version.version));
}

function moveStart({ text, read }: Written, version: SemVer, syntax: RangeSyntax, isFull: boolean): Rewrite {
  if (read.operator.startsWith('>')) {
    // `>` excludes the version that it names.
    const prefix = read.operator === '>' ? `>=${read.prefix.slice(1)}` : read.prefix;
    return {
      ok: true,
      text: prefix + (isFull && read.parts.every(isNumber) ? version.version : atPrecision(read, version)),
    };
  }
  const moved = moveComparator(text, read, version, syntax);
  return moved.ok || !allows(text, version, syntax) ? moved : { ok: true, text };
}

/** An upper bound that accepts a version: `<1.5` → `<1.8`, `<=1.4` → `<=1.7`. */
function endAt(read: Comparator, version: SemVer): string {
  if (read.operator === '<=') return read.prefix + atPrecision(read, version);
  const written = read.parts.slice(0, numbersOf(read).length);
  const above = numbersAbove(written, [version.major, version.minor, version.patch].map(String));
  return read.prefix + read.parts.map((it, index) => above[index] ?? it).join('.') + read.suffix;
}

/** A version as one end of a hyphen range is written: `2.0.0` → `3.1.0`, `2` → `3`. */
export function versionAt(text: string, version: SemVer): string {
  const read = readComparator(text);
  return read ? read.prefix + atPrecision(read, version) : version.version;
}

/** `<2`, `<=2` */
function isEnd({ operator }: Comparator): boolean {
  return operator.startsWith('<');
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = [0, 1, 2].find((it) => (a[it] ?? 0) !== (b[it] ?? 0)) ?? 0;
  return (a[at] ?? 0) - (b[at] ?? 0);
}

/** Moves one comparator. Its operator, its number of parts and its wildcards stay where they can express the version. */
function moveComparator(text: string, read: Comparator, version: SemVer, syntax: RangeSyntax): Rewrite {
  const wild = read.parts.some((it) => !isNumber(it));
  const accepted = syntax.satisfies(version.version, text);
  const full = read.prefix + version.version;
  if (wild && version.prerelease.length > 0) return refuse(l10n.t('a wildcard does not allow pre-releases'));
  const [major = 0, minor = 0, patch = 0] = numbersOf(read);
  const begins = wild ? undefined : `${major}.${minor}.${patch}${read.suffix}`;
  if (read.operator === '>=' && !wild) {
    if (!accepted && version.compareMain(`${major}.${minor}.${patch}`) <= 0) return refuse(lowerBoundReason(text));
    if (begins === version.version) return refuse(l10n.t('it already begins at {0}', version.version));
    return { ok: true, text: full };
  }
  const kept = read.prefix + atPrecision(read, version);
  if (kept !== text) return { ok: true, text: kept };
  if (full === text) return refuse(l10n.t('it already names {0}', version.version));
  // With as many parts it would be the same text: raising the floor needs more of them, if the ceiling stays.
  const operator = (read.operator || syntax.bare).charAt(0);
  const numbers = [version.major, version.minor, version.patch];
  if (!wild && (operator === '^' || operator === '~')) {
    const same = `${ceiling(operator, numbersOf(read))}` === `${ceiling(operator, numbers)}`;
    if (same && begins !== version.version) return { ok: true, text: full };
  }
  return refuse(l10n.t('it already allows {0}', version.version));
}

/** A version with as many numbers as a comparator has, and with its wildcards; whole where the comparator is whole. */
function atPrecision(read: Comparator, version: SemVer): string {
  const wild = read.parts.findIndex((it) => !isNumber(it));
  if (wild < 0 && (read.parts.length === 3 || version.prerelease.length > 0)) return version.version;
  const numbers = [version.major, version.minor, version.patch];
  return read.parts.map((it, index) => (wild >= 0 && index >= wild ? it : `${numbers[index]}`)).join('.');
}

/** Why a version below it is out of reach. */
export function lowerBoundReason(comparator: string): string {
  return l10n.t('its lower bound is {0}', comparator);
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}
