import * as l10n from '@vscode/l10n';
import { type RangeReading, type Rewrite, refuse, type Versioning } from '../../model/versioning.ts';
import { compareParsed } from '../shared/parsed-versions.ts';
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
function rewrite(range: string, target: string): Rewrite {
  const alternatives = splitRange(range);
  if (alternatives.length === 1) return rewriteAlternative(range, target);
  if (readRange(range) === undefined) return refuse(l10n.t('invalid requirement'));
  const version = parsePep440(target);
  const held = alternatives.find(({ text }) => satisfiesAll(readSpecifier(text) ?? [], target, version));
  if (held === undefined) return refuse(l10n.t('no part of the range contains {0}', target.trim()));
  const moved = rewriteAlternative(held.text, target);
  if (!moved.ok) return moved;
  const end = held.start + held.text.length;
  return { ok: true, text: range.slice(0, held.start) + moved.text + range.slice(end) };
}

/**
 * Moves the one clause of a specifier that sets its start. All others are bounds, and stay.
 *
 *     >= 1.2, <3, !=2.0   to 2.1     is     >= 2.1, <3, !=2.0
 *     ~=2.1               to 2.3.4   is     ~=2.3
 *     ==1.*               to 2.3.4   is     ==2.*
 *     ^1.2                to 2.3.4   is     ^2.3
 */
function rewriteAlternative(range: string, target: string): Rewrite {
  const clauses = readSpecifier(range);
  if (clauses === undefined) return refuse(l10n.t('invalid requirement'));
  if (clauses.length === 0) return refuse(l10n.t('no version is specified'));
  const text = target.trim();
  const version = parsePep440(text);
  const found = movableClause(clauses, text, version);
  if (found.kind === 'none') return refuse(found.reason);
  const { clause } = found;
  if (version === undefined && clause.operator !== '===') return refuse(l10n.t('invalid version: {0}', text));
  const bound = clauses.find((it) => it !== clause && !satisfiesAll([it], text, version));
  if (bound !== undefined) return refuse(l10n.t('{0} excludes {1}', clauseText(bound), text));
  const moved = moveClause(clause, text, version);
  if (moved === undefined) return refuse(l10n.t('{0} has too few components for {1}', clauseText(clause), text));
  const rewritten = range.slice(0, clause.start) + moved + range.slice(clause.end);
  const result = readSpecifier(rewritten);
  if (result === undefined || !satisfiesAll(result, text, version))
    return refuse(l10n.t('{0} cannot be changed to {1}', clauseText(clause), text));
  if (version && isPrerelease(version) && !admitsPrereleases(result))
    return refuse(l10n.t('it does not allow pre-releases'));
  return rewritten === range ? refuse(l10n.t('it already allows {0}', text)) : { ok: true, text: rewritten };
}

type MovableClause =
  | { readonly kind: 'one'; readonly clause: Clause }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * The clause that sets the start of a specifier: a pin before a floor, a floor before a compatible release, which then
 * is its bound, and that before a wildcard.
 */
function movableClause(clauses: readonly Clause[], text: string, version: Pep440 | undefined): MovableClause {
  const kinds: readonly ((it: Clause) => boolean)[] = [
    (it) => it.operator === '===' || (it.operator === '==' && !it.wildcard),
    (it) => it.operator === '>=',
    (it) => it.operator === '~=' || it.operator === '^' || it.operator === '~',
    (it) => it.operator === '==',
  ];
  for (const isKind of kinds) {
    const [clause, another] = clauses.filter(isKind);
    if (another !== undefined) return { kind: 'none', reason: l10n.t('it has several lower bounds') };
    if (clause !== undefined) return { kind: 'one', clause };
  }
  if (clauses.some((it) => it.operator === '>')) {
    // `>` excludes the version it names, so no version in its place would mean the target.
    const bound = clauses.find((it) => !satisfiesAll([it], text, version));
    const reason = bound ? l10n.t('{0} excludes {1}', clauseText(bound), text) : l10n.t('it already allows {0}', text);
    return { kind: 'none', reason };
  }
  const below = clauses.find((it) => it.operator === '<' || it.operator === '<=');
  return {
    kind: 'none',
    reason: below ? l10n.t('it only has an upper bound, {0}', clauseText(below)) : l10n.t('it only excludes versions'),
  };
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
      // Only an equality may have a local part.
      return text.replace(/\+.*$/s, '');
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
