import * as l10n from '@vscode/l10n';
import Range from 'semver/classes/range.js';
import type SemVer from 'semver/classes/semver.js';
import semverCompare from 'semver/functions/compare.js';
import parseVersion from 'semver/functions/parse.js';
import gtr from 'semver/ranges/gtr.js';
import {
  type BoundedRanges,
  type RangeReading,
  type Rewrite,
  refuse,
  type Versioning,
} from '../../model/versioning.ts';
import { compareParsed, memoize } from '../shared/parsed-versions.ts';
import { refuseBounded } from '../shared/range-bounds.ts';
import {
  allows,
  ceiling,
  lowerBoundReason,
  type RangeSyntax,
  rewriteComparators,
  versionAt,
} from '../shared/semver-ranges.ts';

/** npm reads versions and ranges leniently everywhere: `v1.2.3`, `=1.2.3`, `1.2.3beta`. */
const loose = { loose: true };

/** Longer requirements are not read. Real ones are far shorter: npm's own limit for a version is 256. */
const MAX_RANGE_LENGTH = 1000;

export const npm: Versioning = {
  system: 'NPM',
  compare,
  satisfies,
  keeps: satisfies,
  read,
  pick,
  isStable: (version) => numbersOf(version) !== undefined || parse(version)?.prerelease.length === 0,
  canonical: (version) => parse(version)?.version ?? version.trim(),
  rewrite,
};

function compare(a: string, b: string): number {
  const [numbers, others] = [numbersOf(a), numbersOf(b)];
  if (numbers && others) return Math.sign(order(numbers, others));
  return compareParsed(a, b, parse, semverCompare);
}

function satisfies(version: string, range: string): boolean {
  const stretch = stretchOf(range);
  const numbers = stretch && numbersOf(version);
  if (numbers) return isWithin(numbers, stretch);
  const parsed = parse(version);
  return parsed !== null && (rangeOf(range)?.test(parsed) ?? false);
}

/** Nearly every version and range: compared by its numbers, in a fifth of the time that the library takes. */
const release = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/;
const simple = /^(\^|~|>=|)(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?(?:\.(0|[1-9]\d{0,14}))?$/;

const numbersOf = memoize((version): readonly number[] | undefined => release.exec(version)?.slice(1).map(Number));

/** The releases from one up to another, exclusive. */
interface Stretch {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

const stretchOf = memoize((range): Stretch | undefined => {
  const [, operator, ...parts] = simple.exec(range) ?? [];
  if (operator === undefined) return undefined;
  const from = parts.filter((it) => it !== undefined).map(Number);
  const [major = 0, minor = 0, patch] = from;
  if (operator === '>=') return { from, to: [Number.POSITIVE_INFINITY] };
  if (operator === '' && patch !== undefined) return { from, to: [major, minor, patch + 1] };
  return { from, to: ceiling(operator === '^' ? '^' : '~', from) };
});

function isWithin(version: readonly number[], { from, to }: Stretch): boolean {
  return order(version, from) >= 0 && order(version, to) < 0;
}

/** Numbers that are not there count as 0. */
function order(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((it, index) => it !== (b[index] ?? 0));
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function read(range: string): RangeReading {
  const text = range.trim();
  if (isAny(text)) return { kind: 'any' };
  if (text.length > MAX_RANGE_LENGTH) return { kind: 'invalid' };
  if (release.test(text)) return { kind: 'pin', version: text, exact: true };
  if (simple.test(text)) return { kind: 'range' };
  const version = parse(text);
  if (version) return { kind: 'pin', version: version.version, exact: true };
  if (rangeOf(text)) return { kind: 'range' };
  return /^(?:[a-z]|\d+(?:\.\d+)*-)[\w.~-]*$/i.test(text) ? { kind: 'tag' } : { kind: 'invalid' };
}

/**
 * As npm picks: `latest` if it is among the versions and satisfies the range, else the highest. For `*` it
 * will do even where it is a pre-release, which no range without one accepts. Source: npm-pick-manifest.
 */
function pick(range: string, versions: readonly string[], preferred?: string): string | undefined {
  const text = range.trim();
  if (text === 'latest') return preferred;
  if (preferred !== undefined && versions.includes(preferred)) {
    if (text === '' || text === '*' || satisfies(preferred, range)) return preferred;
  }
  let best: string | undefined;
  for (const version of versions) {
    if (satisfies(version, range) && (best === undefined || compare(version, best) > 0)) best = version;
  }
  return best;
}

/** Of sides joined by `||` the one that holds the version is moved. */
function rewrite(range: string, version: string, bounded: BoundedRanges = 'widen'): Rewrite {
  const target = parse(version);
  if (!target) return refuse(l10n.t('invalid version: {0}', version));
  const reading = read(range);
  if (reading.kind === 'any') return refuse(l10n.t('it already allows every version'));
  if (reading.kind === 'tag') return refuse(l10n.t('{0} is a tag of the registry', range.trim()));
  if (reading.kind === 'invalid') return refuse(l10n.t('invalid range'));
  const sides = range.split('||');
  if (sides.length === 1) return rewriteSide(range, target, bounded);
  const index = sides.findIndex((it) => satisfies(target.version, it));
  const side = sides[index];
  if (side === undefined) return addSide(range, sides, target, bounded);
  if (isAny(side)) return refuse(l10n.t('it already allows every version'));
  const moved = rewriteSide(side, target, bounded);
  return moved.ok ? { ok: true, text: sides.with(index, moved.text).join('||') } : moved;
}

/**
 * Adds a side for a version that one side, or all, end below, in the shape of that side. Between sides only those of a caret
 * or tilde are continued: comparators may leave a gap on purpose.
 *
 *     ^1 || ^2             to 4.1.0   is     ^1 || ^2 || ^4
 *     ^0.2.1 || ^1.0.0     to 0.3.3   is     ^0.2.1 || ^0.3.3 || ^1.0.0
 *     <1 || >=2 <3         to 4.1.0   is     <1 || >=2 <3 || >=4 <5
 */
function addSide(range: string, sides: readonly string[], version: SemVer, bounded: BoundedRanges): Rewrite {
  // What the library says of a pre-release, which no side names, is about its order alone.
  const release = `${version.major}.${version.minor}.${version.patch}`;
  const isBelow = sides.map((it) => gtr(release, it, loose));
  const last = isBelow.lastIndexOf(true);
  const isAbove = !isBelow.includes(false);
  const below = sides.filter((_, at) => isBelow[at]);
  const hasStart = (it: string): boolean => !/^\s*(?:<[^<>]*)+$/.test(it);
  const model = (below.findLast(hasStart) ?? below.at(-1) ?? '').trim();
  if (last < 0 || !(isAbove || /^[\^~]/.test(model)))
    return refuse(l10n.t('no part of the range contains {0}', version.version));
  if (bounded === 'never') return refuseBounded(isAbove ? range.trim() : model, version.version);
  const moved = rewriteSide(model, version, 'replace');
  if (!moved.ok) return moved;
  const [, before = '', after = ''] = /^(\s*).*?(\s*)$/s.exec(range) ?? [];
  const separator = /\s*\|\|\s*/.exec(range)?.[0] ?? '||';
  const begin = sides
    .slice(0, last + 1)
    .join('||')
    .trimEnd();
  const widened = `${begin}${separator}${moved.text}${range.slice(begin.length)}`;
  const upper = sides.filter((_, at) => !isBelow[at]).map((it) => it.trim());
  const text = bounded === 'widen' ? widened : `${before}${[moved.text, ...upper].join(separator)}${after}`;
  if (satisfies(version.version, text)) return { ok: true, text, end: bounded === 'widen' ? 'widened' : 'replaced' };
  return refuse(l10n.t('it would still not allow {0}', version.version));
}

const syntax: RangeSyntax = { bare: 'x', comparators: /(?:[<>=~^]+\s*)?[^\s<>=~^]+/g, satisfies };

function rewriteSide(side: string, version: SemVer, bounded: BoundedRanges): Rewrite {
  const [, from, to] = /^\s*([^\s<>^~]\S*)\s+-\s+([^\s<>^~]\S*)\s*$/.exec(side) ?? [];
  if (from === undefined || to === undefined) return rewriteComparators(side, version, syntax, bounded);
  if (!allows(`>=${from}`, version, syntax)) return refuse(lowerBoundReason(`>=${from}`));
  if (!allows(`<=${to}`, version, syntax)) return moveHyphenEnd(side, from, to, version, bounded);
  const kept = rewriteComparators(from, version, syntax, bounded);
  if (!kept.ok && /[x*]/i.test(from)) return kept;
  const [prefix] = /^[=v]*/.exec(from) ?? [''];
  const floor = kept.ok ? kept.text : `${prefix}${version.version}`;
  if (floor === from) return refuse(l10n.t('it already begins at {0}', from));
  const text = side.replace(from, () => floor);
  if (satisfies(version.version, text)) return { ok: true, text };
  return refuse(l10n.t('it would still not allow {0}', version.version));
}

function moveHyphenEnd(side: string, from: string, to: string, version: SemVer, bounded: BoundedRanges): Rewrite {
  if (bounded === 'never') return refuseBounded(`<=${to}`, version.version);
  const [, before = '', between = '', after = ''] = /^(\s*)\S+(\s+-\s+)\S+(\s*)$/.exec(side) ?? [];
  const starts = [...(bounded === 'widen' ? [from] : []), versionAt(from, version)];
  for (const start of starts) {
    const text = `${before}${start}${between}${versionAt(to, version)}${after}`;
    const end = start === from ? 'widened' : 'replaced';
    if (satisfies(version.version, text)) return { ok: true, text, end };
  }
  return refuse(l10n.t('it would still not allow {0}', version.version));
}

function isAny(range: string): boolean {
  return /^\s*(?:|\*|x)\s*$/i.test(range);
}

const parse = memoize((text) => parseVersion(text, loose));

const rangeOf = memoize((range): Range | undefined => {
  if (range.length > MAX_RANGE_LENGTH) return undefined;
  try {
    return new Range(range, loose);
  } catch {
    return undefined;
  }
});

/** A range by its comparators: the same for ranges of the same versions. Undefined for a tag. */
export function plainRange(range: string): string | undefined {
  return rangeOf(range)?.range;
}

/** Whether two ranges have a version in common. */
export function rangesIntersect(one: string, other: string): boolean {
  const [first, second] = [rangeOf(one), rangeOf(other)];
  return first !== undefined && second !== undefined && first.intersects(second, loose);
}
