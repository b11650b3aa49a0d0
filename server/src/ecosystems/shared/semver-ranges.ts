import * as l10n from '@vscode/l10n';
import type SemVer from 'semver/classes/semver.js';
import { type Rewrite, refuse } from '../../model/versioning.ts';

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

/**
 * Moves the one comparator that sets where a range begins, and keeps the others, which the version has to satisfy.
 *
 *     ^4.17.15 → ^4.18.1      1.2.x → 1.4.x      >=1.2 <2 → >=1.9.3 <2
 */
export function rewriteComparators(range: string, version: SemVer, syntax: RangeSyntax): Rewrite {
  const found = [...range.matchAll(syntax.comparators)].map((it) => ({
    text: it[0],
    start: it.index,
    read: readComparator(it[0]),
  }));
  const movable = found.filter((it) => it.read && !/^(?:<=?|>)$/.test(it.read.operator));
  const [first] = movable;
  if (first?.read === undefined || found.some((it) => !it.read))
    return refuseWithoutFloor(
      range,
      found.map((it) => it.text),
      version,
      syntax,
    );
  if (movable.length > 1) return refuse(l10n.t('it consists of several ranges'));
  for (const it of found) {
    if (it !== first && !syntax.satisfies(version.version, it.text) && !(version.prerelease.length > 0))
      return refuse(boundReason(it.text));
  }
  const moved = moveComparator(first.text, first.read, version, syntax);
  if (!moved.ok) return moved;
  const text = range.slice(0, first.start) + moved.text + range.slice(first.start + first.text.length);
  if (syntax.satisfies(version.version, text)) return { ok: true, text };
  // No comparator alone accepts a pre-release that it does not name, so the release shows which one excludes it.
  const release = `${version.major}.${version.minor}.${version.patch}`;
  const bound = found.find((it) => it !== first && !syntax.satisfies(release, it.text));
  return refuse(bound ? boundReason(bound.text) : l10n.t('it would still not allow {0}', version.version));
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
    if (!accepted && version.compareMain(`${major}.${minor}.${patch}`) <= 0) return refuse(boundReason(text));
    if (begins === version.version) return refuse(l10n.t('it already begins at {0}', version.version));
    return { ok: true, text: full };
  }
  const isFull = (read.parts.length === 3 && !wild) || version.prerelease.length > 0;
  const kept = isFull ? full : read.prefix + partial(read, version);
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

function partial(read: Comparator, version: SemVer): string {
  const numbers = [version.major, version.minor, version.patch];
  const wild = read.parts.findIndex((it) => !isNumber(it));
  return read.parts.map((it, index) => (wild >= 0 && index >= wild ? it : `${numbers[index]}`)).join('.');
}

function refuseWithoutFloor(
  range: string,
  comparators: readonly string[],
  version: SemVer,
  syntax: RangeSyntax,
): Rewrite {
  if (comparators.some((it) => !readComparator(it))) return refuse(l10n.t('invalid range'));
  const floor = comparators.find((it) => it.startsWith('>'));
  if (floor === undefined) return refuse(l10n.t('it only has an upper bound'));
  if (syntax.satisfies(version.version, range)) return refuse(l10n.t('it already allows {0}', version.version));
  return refuse(boundReason(comparators.find((it) => !syntax.satisfies(version.version, it)) ?? floor));
}

/** Why a version beyond it is out of reach: `it has the upper bound <2`. */
export function boundReason(comparator: string): string {
  return comparator.startsWith('<')
    ? l10n.t('its upper bound is {0}', comparator)
    : l10n.t('its lower bound is {0}', comparator);
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}
