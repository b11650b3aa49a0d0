import * as l10n from '@vscode/l10n';
import {
  type BoundedRanges,
  type RangeReading,
  type Rewrite,
  refuse,
  type Versioning,
} from '../../model/versioning.ts';
import { compareParsed } from '../shared/parsed-versions.ts';
import { numbersAbove, refuseBounded } from '../shared/range-bounds.ts';
import {
  comparePep440,
  formatPep440,
  formatRelease,
  isPrerelease,
  type Pep440,
  parsePep440,
  publicVersion,
} from './pep440.ts';
import {
  admitsPrereleases,
  type Clause,
  fixedNumbers,
  readRange,
  readSpecifier,
  satisfiesAll,
  satisfiesAny,
  splitRange,
  type VersionClause,
} from './specifiers.ts';

/** Versions of PyPI: PEP 440, as pip implements it, and the ranges that Poetry adds to it. */
export const pypi: Versioning = {
  system: 'PYPI',
  compare,
  satisfies,
  keeps,
  read,
  pick,
  isStable,
  canonical,
  rewrite,
};

function compare(a: string, b: string): number {
  return compareParsed(a, b, parsePep440, comparePep440);
}

function satisfies(text: string, range: string): boolean {
  const alternatives = readRange(range);
  if (alternatives === undefined) return false;
  const version = parsePep440(text);
  const isPassedOver = version !== undefined && isPrerelease(version);
  return satisfiesAny(isPassedOver ? alternatives.filter(admitsPrereleases) : alternatives, text, version);
}

/** A locked pre-release stays, also if the range does not admit pre-releases. Source: uv, pip 26 and packaging 26, Poetry. */
function keeps(text: string, range: string): boolean {
  const alternatives = readRange(range);
  return alternatives !== undefined && satisfiesAny(alternatives, text, parsePep440(text));
}

function read(range: string): RangeReading {
  const alternatives = readRange(range);
  if (alternatives === undefined) return { kind: 'invalid' };
  if (alternatives.some((it) => it.length === 0)) return { kind: 'any' };
  const [clauses = [], another] = alternatives;
  if (another !== undefined) return { kind: 'range' };
  const pin = clauses.find(
    (it) =>
      (it.operator === '===' || (it.operator === '==' && !it.wildcard)) &&
      satisfiesAll(clauses, it.text, parsePep440(it.text)),
  );
  return pin ? { kind: 'pin', version: pin.text, exact: true } : { kind: 'range' };
}

/** The highest version in the range. Pre-releases count if the specifier names one, or if no other version satisfies it. */
function pick(range: string, versions: readonly string[]): string | undefined {
  const alternatives = readRange(range);
  if (alternatives === undefined) return undefined;
  const admitting = alternatives.filter(admitsPrereleases);
  let best: { readonly text: string; readonly version: Pep440; readonly passedOver: boolean } | undefined;
  let unordered: string | undefined;
  for (const text of versions) {
    const version = parsePep440(text);
    if (!satisfiesAny(alternatives, text, version)) continue;
    if (version === undefined) {
      // Only `===` matches it.
      unordered ??= text;
      continue;
    }
    const passedOver = isPrerelease(version) && !satisfiesAny(admitting, text, version);
    if (best === undefined || (best.passedOver && !passedOver)) best = { text, version, passedOver };
    else if (best.passedOver === passedOver && comparePep440(version, best.version) > 0)
      best = { text, version, passedOver };
  }
  return best?.text ?? unordered;
}

function isStable(text: string): boolean {
  const version = parsePep440(text);
  return version !== undefined && !isPrerelease(version);
}

/** As the service spells it, with at least three numbers. A text that is no version stays. */
function canonical(text: string): string {
  const version = parsePep440(text);
  return version === undefined ? text : formatPep440(version, 3);
}

/**
 * Moves a specifier. Of several alternatives that `||` joins, the one that already contains the target is moved.
 *
 *     ^1.2 || ^2.0        to 2.3.4   is     ^1.2 || ^2.3
 */
function rewrite(range: string, target: string, bounded: BoundedRanges = 'widen'): Rewrite {
  const alternatives = splitRange(range);
  if (alternatives.length === 1) return rewriteAlternative(range, target, bounded);
  if (readRange(range) === undefined) return refuse(l10n.t('invalid requirement'));
  const version = parsePep440(target);
  const held = alternatives.find(({ text }) => satisfiesAll(readSpecifier(text) ?? [], target, version));
  if (held === undefined) return addAlternative(range, target.trim(), bounded);
  const moved = rewriteAlternative(held.text, target, bounded);
  if (!moved.ok) return moved;
  const end = held.start + held.text.length;
  return { ok: true, text: range.slice(0, held.start) + moved.text + range.slice(end) };
}

/**
 * Adds an alternative for a version that one, or all, end below, in the shape of that one. Between alternatives only those
 * of a caret or tilde are continued: comparators may leave a gap on purpose.
 *
 *     ^1 || ^2            to 4.1.0   is     ^1 || ^2 || ^4
 *     ^0.2 || ^1          to 0.3.3   is     ^0.2 || ^0.3 || ^1
 */
function addAlternative(range: string, target: string, bounded: BoundedRanges): Rewrite {
  const version = parsePep440(target);
  const alternatives = splitRange(range);
  const read = readRange(range) ?? [];
  const isBelow = alternatives.map((_, at) => version !== undefined && read[at]?.some((it) => endsBelow(it, version)));
  const last = isBelow.lastIndexOf(true);
  const isAbove = isBelow.every((it) => it);
  const model = alternatives[last]?.text.trim() ?? '';
  if (last < 0 || !(isAbove || /^(?:\^|~(?!=))/.test(model)))
    return refuse(l10n.t('no part of the range contains {0}', target));
  if (bounded === 'never') return refuseBounded(isAbove ? range.trim() : model, target);
  const moved = rewriteAlternative(model, target, 'replace');
  if (!moved.ok) return moved;
  const [, before = '', after = ''] = /^(\s*).*?(\s*)$/s.exec(range) ?? [];
  const separator = /\s*\|\|?\s*/.exec(range)?.[0] ?? '||';
  if (bounded === 'replace') {
    const upper = alternatives.filter((_, at) => !isBelow[at]).map((it) => it.text.trim());
    return { ok: true, text: before + [moved.text, ...upper].join(separator) + after, end: 'replaced' };
  }
  const { text = '', start = 0 } = alternatives[last] ?? {};
  const begin = range.slice(0, start + text.length).trimEnd();
  return { ok: true, text: `${begin}${separator}${moved.text}${range.slice(begin.length)}`, end: 'widened' };
}

/** Whether a clause excludes a version since it ends below it. */
function endsBelow(clause: Clause, version: Pep440): boolean {
  switch (clause.operator) {
    case '===':
    case '!=':
    case '>':
    case '>=':
      return false;
    case '<':
    case '<=':
      return !satisfiesAll([clause], '', version);
    default:
      return !satisfiesAll([clause], '', version) && comparePep440(clause.version, version) < 0;
  }
}

/**
 * Moves the one clause of a specifier that sets its start. All others are bounds, and stay, unless they end below the
 * target and `bounded` moves them.
 *
 *     >= 1.2, <3, !=2.0   to 2.1     is     >= 2.1, <3, !=2.0
 *     >= 1.2, <3, !=2.0   to 4.1     is     >= 1.2, <5, !=2.0
 *     ~=2.1               to 2.3.4   is     ~=2.3
 *     ==1.*               to 2.3.4   is     ==2.*
 *     ^1.2                to 2.3.4   is     ^2.3
 */
function rewriteAlternative(range: string, target: string, bounded: BoundedRanges): Rewrite {
  const clauses = readSpecifier(range);
  if (clauses === undefined) return refuse(l10n.t('invalid requirement'));
  if (clauses.length === 0) return refuse(l10n.t('no version is specified'));
  const text = target.trim();
  const version = parsePep440(text);
  const main = mainClause(clauses);
  if (version === undefined && main?.operator !== '===') return refuse(l10n.t('invalid version: {0}', text));
  const outside = clauses.filter((it) => it !== main && !satisfiesAll([it], text, version));
  const fixed = outside.find((it) => version === undefined || !endsBelow(it, version));
  if (fixed !== undefined) return refuse(l10n.t('{0} excludes {1}', clauseText(fixed), text));
  if (version !== undefined && outside.length > 0) return moveEnds(range, clauses, outside, text, version, bounded);

  if (main === undefined) {
    const isExclusion = clauses.every((it) => it.operator === '!=');
    return refuse(isExclusion ? l10n.t('it only excludes versions') : l10n.t('it already allows {0}', text));
  }
  const build = main.text.includes('+') ? main.text.slice(main.text.indexOf('+')) : '';
  if (build !== '' && !text.includes('+'))
    return refuse(l10n.t('whether {0} has a build {1} is not known', text, build));
  const moved = moveClause(main, text, version);
  if (moved === undefined) return refuse(l10n.t('{0} has too few components for {1}', clauseText(main), text));
  const rewritten = replaceVersions(range, new Map([[main, moved]]));
  const problem = problemOf(rewritten, text, version);
  if (problem !== undefined) return refuse(problem);
  return rewritten === range ? refuse(l10n.t('it already allows {0}', text)) : { ok: true, text: rewritten };
}

/**
 * Moves the clauses that end below a version. The start of the specifier stays, or moves along if `bounded` is
 * `replace` or if the specifier would otherwise not admit a pre-release.
 */
function moveEnds(
  range: string,
  clauses: readonly Clause[],
  ends: readonly Clause[],
  text: string,
  version: Pep440,
  bounded: BoundedRanges,
): Rewrite {
  const [end] = ends;
  if (bounded === 'never') return refuseBounded(end ? clauseText(end) : range, text);
  const start = mainClause(clauses) ?? clauses.find((it) => it.operator === '>');
  let problem = '';
  for (const isFull of [false, true]) {
    const moving = new Set(ends);
    if (start && (bounded === 'replace' || isFull || !satisfiesAll([start], text, version))) moving.add(start);
    const edits = new Map<Clause, string>();
    for (const it of moving) {
      const isFloor = it.operator === '>=' || it.operator === '>';
      const moved = isFloor && !isFull ? startAt(it, version) : moveClause(it, text, version);
      if (moved === undefined) return refuse(l10n.t('{0} has too few components for {1}', clauseText(it), text));
      if (moved !== it.text) edits.set(it, moved);
    }
    const rewritten = replaceVersions(range, edits);
    const admits = admitsPrereleases(readSpecifier(rewritten) ?? []) === admitsPrereleases(clauses);
    const isWidened = admits && [...edits.keys()].every((it) => it.operator.startsWith('<'));
    const found = problemOf(rewritten, text, version);
    if (found === undefined) return { ok: true, text: rewritten, end: isWidened ? 'widened' : 'replaced' };
    problem = found;
  }
  return refuse(problem);
}

/** Writes other versions into clauses. `>` excludes the version that it names, so it becomes `>=`. */
function replaceVersions(range: string, edits: ReadonlyMap<Clause, string>): string {
  let text = range;
  for (const [clause, version] of [...edits].sort(([a], [b]) => b.start - a.start)) {
    const before = text.slice(0, clause.start);
    text = (clause.operator === '>' ? before.replace(/>(\s*)$/, '>=$1') : before) + version + text.slice(clause.end);
  }
  return text;
}

/** Why a specifier does not mean a version. */
function problemOf(range: string, text: string, version: Pep440 | undefined): string | undefined {
  const clauses = readSpecifier(range);
  if (clauses === undefined || !satisfiesAll(clauses, text, version))
    return l10n.t('it would still not allow {0}', text);
  const isPassedOver = version && isPrerelease(version) && !admitsPrereleases(clauses);
  return isPassedOver ? l10n.t('it does not allow pre-releases') : undefined;
}

/**
 * The clause that sets the start of a specifier: a pin before a floor, a floor before a compatible release, which then
 * is its bound, and that before a wildcard. Of several floors it is the highest.
 */
function mainClause(clauses: readonly Clause[]): Clause | undefined {
  const kinds: readonly ((it: Clause) => boolean)[] = [
    (it) => it.operator === '===' || (it.operator === '==' && !it.wildcard),
    (it) => it.operator === '>=',
    (it) => it.operator === '~=' || it.operator === '^' || it.operator === '~',
    (it) => it.operator === '==',
  ];
  for (const isKind of kinds) {
    const [clause] = clauses.filter(isKind).sort((a, b) => pypi.compare(b.text, a.text));
    if (clause !== undefined) return clause;
  }
  return undefined;
}

/** The new text of a clause's version; undefined where its precision cannot express the target. */
function moveClause(clause: Clause, text: string, version: Pep440 | undefined): string | undefined {
  if (clause.operator === '===') return text;
  if (version === undefined) return undefined;
  const { length } = clause.version.release;
  if (clause.wildcard) return formatRelease(version, length) + clause.text.slice(-2);
  switch (clause.operator) {
    case '==':
      return text;
    case '>=':
    case '>':
      return withoutLocal(text);
    case '<':
      return endAbove(clause, version);
    case '<=': {
      const short = formatRelease(version, length);
      return pypi.compare(short, withoutLocal(text)) >= 0 && !isPrerelease(version) ? short : withoutLocal(text);
    }
    case '~=':
      if (!isPrerelease(version)) return formatRelease(version, length);
      return version.release.length > length ? undefined : formatPep440({ ...version, local: [] }, length);
    case '^':
    case '~':
      return moveCaretOrTilde(clause, clause.operator, version);
    default:
      return undefined;
  }
}

/** `<1.5` → `<1.8`, `<3.0.dev0` → `<5.0.dev0` */
function endAbove({ text, version: { release } }: VersionClause, version: Pep440): string {
  const [written = ''] = /^v?(?:\d+!)?\d+(?:\.\d+)*/i.exec(text) ?? [];
  const numbers = numbersAbove(release.map(String), version.release.map(String)).join('.');
  return `${Number(version.epoch) === 0 ? '' : `${version.epoch}!`}${numbers}${text.slice(written.length)}`;
}

/** A lower bound as precise as the written one. */
function startAt(clause: Clause, version: Pep440): string {
  const { length } = clause.operator === '===' ? [] : clause.version.release;
  return isPrerelease(version) ? formatPep440(publicVersion(version)) : formatRelease(version, length);
}

/** Only an equality may have a local part. */
function withoutLocal(version: string): string {
  return version.replace(/\+.*$/s, '');
}

/** Keeps the count of numbers. Where that is the same text again, all numbers, unless that lowers the bound. */
function moveCaretOrTilde(clause: Clause, operator: '^' | '~', version: Pep440): string | undefined {
  const before = parsePep440(clause.text);
  const whole = formatPep440({ ...version, local: [] });
  if (before && comparePep440(before, publicVersion(version)) === 0) return clause.text;
  if (before === undefined || isPrerelease(version)) return whole;
  const kept = formatRelease(version, before.release.length);
  if (kept !== clause.text) return kept;
  return fixedNumbers(operator, before) === fixedNumbers(operator, version) ? whole : kept;
}

function clauseText(clause: Clause): string {
  return clause.operator !== '===' && clause.bare ? clause.text : `${clause.operator}${clause.text}`;
}
