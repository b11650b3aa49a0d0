import * as l10n from '@vscode/l10n';
import type SemVer from 'semver/classes/semver.js';
import compareBuild from 'semver/functions/compare-build.js';
import parseVersion from 'semver/functions/parse.js';
import type { RangeReading, Rewrite, Versioning } from '../model/versioning.ts';
import {
  type Comparator,
  ceiling,
  numbersOf,
  type RangeSyntax,
  readComparator,
  refuse,
  rewriteConditions,
} from './comparators.ts';
import { remembered } from './remembered.ts';

/** Longer requirements are not read. Source: Cargo takes at most 32 conditions, each shorter than this leaves room for. */
const longest = 1000;

export const cargo: Versioning = {
  system: 'CARGO',
  compare,
  satisfies,
  read,
  pick,
  isStable: (version) => parse(version)?.prerelease.length === 0,
  canonical: (version) => version.trim(),
  rewrite,
};

function compare(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  if (left && right) return compareBuild(left, right);
  return left ? 1 : right ? -1 : a < b ? -1 : a > b ? 1 : 0;
}

function satisfies(version: string, range: string): boolean {
  const parsed = parse(version);
  const conditions = conditionsOf(range);
  return parsed !== null && conditions !== undefined && meets(parsed, conditions);
}

function read(range: string): RangeReading {
  const conditions = conditionsOf(range);
  if (!conditions) return { kind: 'invalid' };
  if (conditions.length === 0) return { kind: 'any' };
  const [only] = conditions;
  const exact = conditions.length === 1 && only?.operator === '=' && only.numbers.length === 3;
  return exact ? { kind: 'pin', version: range.trim().slice(1).trim(), exact: true } : { kind: 'range' };
}

function pick(range: string, versions: readonly string[]): string | undefined {
  const conditions = conditionsOf(range);
  let best: { readonly text: string; readonly version: SemVer } | undefined;
  for (const text of conditions ? versions : []) {
    const version = parse(text);
    if (!version || !conditions || !meets(version, conditions)) continue;
    if (!best || compareBuild(version, best.version) > 0) best = { text, version };
  }
  return best?.text;
}

const syntax: RangeSyntax = { bare: '^', conditions: /[^\s,](?:[^,]*[^\s,])?/g, satisfies };

function rewrite(range: string, version: string): Rewrite {
  const target = parse(version);
  if (!target) return refuse(l10n.t('{0} is not a version', version));
  const reading = read(range);
  if (reading.kind === 'any') return refuse(l10n.t('it already accepts every version'));
  if (reading.kind === 'invalid') return refuse(l10n.t('it is not a requirement that can be read'));
  return rewriteConditions(range, target, syntax);
}

type Operator = '=' | '>' | '>=' | '<' | '<=' | '~' | '^';

interface Condition {
  readonly operator: Operator;
  /** One to three. */
  readonly numbers: readonly number[];
  /** The version with zeros for what is not written. */
  readonly bound: SemVer;
}

/** The conditions of a requirement, none for `*`; undefined where Cargo would not read it. */
const conditionsOf = remembered((range): readonly Condition[] | undefined => {
  const text = range.trim();
  if (/^[*xX](?:\.[*xX]){0,2}$/.test(text)) return [];
  if (text === '' || text.length > longest) return undefined;
  const conditions = text.split(',').map((it) => conditionOf(it.trim()));
  return conditions.every((it) => it !== undefined) ? conditions : undefined;
});

const parse = remembered((text) => parseVersion(text));

function conditionOf(text: string): Condition | undefined {
  const read = readComparator(text);
  if (!read || read.operator === '~>' || read.prefix.trim() !== read.operator) return undefined;
  const numbers = numbersOf(read);
  const full = numbers.length === 3;
  if (numbers.length === 0 || (read.suffix !== '' && !full)) return undefined;
  if (hasNumberBehindWildcard(read, numbers) || read.parts.some((it) => /^0\d/.test(it))) return undefined;
  const [major = 0, minor = 0, patch = 0] = numbers;
  const bound = parse(`${major}.${minor}.${patch}${read.suffix}`);
  // `1.2.*` stands for itself, `1.2` for `^1.2`.
  const bare = numbers.length < read.parts.length ? '=' : '^';
  return bound ? { operator: (read.operator || bare) as Operator, numbers, bound } : undefined;
}

function hasNumberBehindWildcard(read: Comparator, numbers: readonly number[]): boolean {
  return read.parts.slice(numbers.length).some((it) => /\d/.test(it));
}

/** A pre-release is taken only where a condition names a pre-release of the same three numbers. */
function meets(version: SemVer, conditions: readonly Condition[]): boolean {
  if (!conditions.every((it) => meetsCondition(version, it))) return false;
  return (
    version.prerelease.length === 0 ||
    conditions.some((it) => it.bound.prerelease.length > 0 && it.bound.compareMain(version) === 0)
  );
}

function meetsCondition(version: SemVer, { operator, numbers, bound }: Condition): boolean {
  switch (operator) {
    case '=':
      return equals(version, numbers, bound);
    case '>':
      return version.compare(bound) > 0 && !equals(version, numbers, bound);
    case '>=':
      return version.compare(bound) >= 0 || equals(version, numbers, bound);
    case '<':
      return version.compare(bound) < 0 && !equals(version, numbers, bound);
    case '<=':
      return version.compare(bound) <= 0 || equals(version, numbers, bound);
    case '~':
    case '^':
      return version.compare(bound) >= 0 && version.compareMain(ceiling(operator, numbers).join('.')) < 0;
  }
}

/** Whether a version has the numbers that are written: `1.2.9` has those of `1.2`. */
function equals(version: SemVer, numbers: readonly number[], bound: SemVer): boolean {
  if (numbers.length === 3) return version.compare(bound) === 0;
  const own = [version.major, version.minor, version.patch];
  return numbers.every((it, index) => it === own[index]);
}
