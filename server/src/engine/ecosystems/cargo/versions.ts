import * as l10n from '@vscode/l10n';
import parseTarget from 'semver/functions/parse.js';
import {
  type BoundedRanges,
  type RangeReading,
  type Rewrite,
  refuse,
  type Versioning,
} from '../../model/versioning.ts';
import { compareParsed, memoize } from '../shared/parsed-versions.ts';
import {
  compareLabels,
  compareReleases,
  compareSemantic,
  readLabels,
  readParts,
  type Semantic,
} from '../shared/semver.ts';
import { type RangeSyntax, rewriteComparators } from '../shared/semver-ranges.ts';

/** Longer requirements are not read. Source: Cargo takes at most 32 conditions, each shorter than this leaves room for. */
const MAX_REQUIREMENT_LENGTH = 1000;
/** Source: the semver crate, which is Cargo's own. */
const MAX_COMPARATORS = 32;
/** Source: the semver crate, whose numbers have 64 bits. */
const MAX_NUMBER = '18446744073709551615';

/** Versions and requirements as the semver crate has them. */
export const cargo: Versioning = {
  system: 'CARGO',
  compare,
  satisfies,
  keeps: satisfies,
  read,
  pick,
  isStable: (version) => parse(version)?.labels.length === 0,
  canonical: (version) => version.trim(),
  rewrite,
};

function compare(a: string, b: string): number {
  return compareParsed(a, b, parse, compareVersions);
}

/** Build metadata decides where nothing else does: of `2.0.9+1` and `2.0.9+2` Cargo takes the second. */
function compareVersions(a: Semantic, b: Semantic): number {
  return compareSemantic(a, b) || compareLabels(a.build, b.build);
}

function satisfies(version: string, range: string): boolean {
  const parsed = parse(version);
  const conditions = conditionsOf(range);
  return parsed !== undefined && conditions !== undefined && meets(parsed, conditions);
}

function read(range: string): RangeReading {
  const conditions = conditionsOf(range);
  if (!conditions) return { kind: 'invalid' };
  if (conditions.length === 0) return { kind: 'any' };
  const [only] = conditions;
  const exact = conditions.length === 1 && only?.operator === '=' && only.written === 3;
  return exact ? { kind: 'pin', version: range.trim().slice(1).trim(), exact: true } : { kind: 'range' };
}

function pick(range: string, versions: readonly string[]): string | undefined {
  const conditions = conditionsOf(range);
  let best: { readonly text: string; readonly version: Semantic } | undefined;
  for (const text of conditions ? versions : []) {
    const version = parse(text);
    if (!version || !conditions || !meets(version, conditions)) continue;
    if (!best || compareVersions(version, best.version) > 0) best = { text, version };
  }
  return best?.text;
}

const syntax: RangeSyntax = { bare: '^', comparators: /[^\s,](?:[^,]*[^\s,])?/g, satisfies };

function rewrite(range: string, version: string, bounded: BoundedRanges = 'widen'): Rewrite {
  const target = parseTarget(version);
  if (!target) return refuse(l10n.t('invalid version: {0}', version));
  const reading = read(range);
  if (reading.kind === 'any') return refuse(l10n.t('it already allows every version'));
  if (reading.kind === 'invalid') return refuse(l10n.t('invalid requirement'));
  return rewriteComparators(range, target, syntax, bounded);
}

type Operator = '=' | '>' | '>=' | '<' | '<=' | '~' | '^';

interface Condition {
  readonly operator: Operator;
  /** How many numbers are written. */
  readonly written: 1 | 2 | 3;
  /** The version with zeros for the missing parts. */
  readonly bound: Semantic;
}

/** The conditions of a requirement, none for `*`; undefined where Cargo would not read it. */
const conditionsOf = memoize((range): readonly Condition[] | undefined => {
  if (range.length > MAX_REQUIREMENT_LENGTH) return undefined;
  if (/^ *[*xX] *$/.test(range)) return [];
  const conditions = range.split(',').map(conditionOf);
  return conditions.length <= MAX_COMPARATORS && conditions.every((it) => it !== undefined) ? conditions : undefined;
});

const versionShape = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\dA-Za-z.-]+))?(?:\+([\dA-Za-z.-]+))?$/;

const parse = memoize((text): Semantic | undefined => {
  const [, major, minor, patch, labelled, built] = versionShape.exec(text) ?? [];
  const labels = readLabels(labelled);
  const build = readParts(built);
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  if (labels === undefined || build === undefined) return undefined;
  if ([major, minor, patch].some(isTooLarge)) return undefined;
  return { numbers: [major, minor, patch], labels, build };
});

function isTooLarge(number: string): boolean {
  return number.length > MAX_NUMBER.length || (number.length === MAX_NUMBER.length && number > MAX_NUMBER);
}

const conditionShape =
  /^ *(\^|~|>=?|<=?|=)? *(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?((?:-[\dA-Za-z.-]*)?(?:\+[\dA-Za-z.-]*)?) *$/;

function conditionOf(text: string): Condition | undefined {
  const [, operator, major, minor, patch, suffix = ''] = conditionShape.exec(text) ?? [];
  if (major === undefined) return undefined;
  const numbers = [minor, patch].filter((it) => it !== undefined);
  const wild = numbers.findIndex((it) => !/\d/.test(it));
  const isWild = wild >= 0;
  const fixed = isWild ? numbers.slice(0, wild) : numbers;
  // No number follows a wildcard, and no pre-release an incomplete version.
  if ((isWild && numbers.slice(wild).some((it) => /\d/.test(it))) || (suffix !== '' && fixed.length < 2)) {
    return undefined;
  }
  const bound = parse(`${major}.${fixed[0] ?? '0'}.${fixed[1] ?? '0'}${suffix}`);
  // `1.2.*` is itself, `1.2` means `^1.2`.
  const bare = isWild ? '=' : '^';
  return bound && { operator: (operator ?? bare) as Operator, written: (fixed.length + 1) as 1 | 2 | 3, bound };
}

/** A pre-release is taken only where a condition names a pre-release of the same three numbers. */
function meets(version: Semantic, conditions: readonly Condition[]): boolean {
  if (!conditions.every((it) => meetsCondition(version, it))) return false;
  return (
    version.labels.length === 0 ||
    conditions.some(({ bound }) => bound.labels.length > 0 && compareReleases(bound, version) === 0)
  );
}

/** Numbers that are not written do not count: `>1.2` begins at 1.3.0, and `=1.2` is met by 1.2.9. */
function meetsCondition(version: Semantic, condition: Condition): boolean {
  const { operator, written, bound } = condition;
  const isWhole = written === 3;
  const order = isWhole ? compareSemantic(version, bound) : compareReleases(version, bound, written);
  const isSame = order === 0 && (isWhole || version.labels.length === 0);
  switch (operator) {
    case '=':
      return isSame;
    case '>':
      return order > 0;
    case '>=':
      return order > 0 || isSame;
    case '<':
      return order < 0;
    case '<=':
      return order < 0 || isSame;
    case '~':
      return compareReleases(version, bound, Math.min(written, 2)) === 0 && (isWhole ? order >= 0 : isSame);
    case '^':
      return compareReleases(version, bound, heldByCaret(condition)) === 0 && order >= 0;
  }
}

/** Up to the first number that is not zero: 1 of `^1.2.3`, 2 of `^0.2.3`, 3 of `^0.0.3`, 1 of `^0`. */
function heldByCaret({ written, bound }: Condition): number {
  const first = bound.numbers.findIndex((it) => it !== '0');
  return first < 0 ? written : Math.min(first + 1, written);
}
