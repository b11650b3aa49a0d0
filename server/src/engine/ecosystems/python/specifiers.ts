import { memoize } from '../shared/parsed-versions.ts';
import { comparePep440, isPrerelease, type Pep440, parsePep440, publicVersion, startsWithRelease } from './pep440.ts';

/*
 * The specifiers of PEP 440, and the version constraints of Poetry and Pipenv. Their spellings do not overlap, so one parser
 * reads both. Source: Poetry, "Dependency specification", "Version constraints".
 *
 *     ^1.2          >=1.2, <2           ~1.2       >=1.2, <1.3        1.2      ==1.2
 *     ^0.2.3        >=0.2.3, <0.3       ~1         >=1, <2            1.2.*    ==1.2.*
 *     *             any version         >=1 <2     >=1, <2            ^1 || ^2 either
 */

/** One comparison of a specifier: `>=1.2` of `>=1.2, <2`. */
export type Clause = VersionClause | ArbitraryEqualityClause;

interface ClauseText {
  /** The literal version, and its offsets in the whole specifier. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface VersionClause extends ClauseText {
  /** A version without one is `==`. */
  readonly operator: '~=' | '==' | '!=' | '<=' | '>=' | '<' | '>' | '^' | '~';
  readonly version: Pep440;
  /** `==1.2.*`; the version is that before the dot. */
  readonly wildcard: boolean;
  /** Without an operator. */
  readonly bare?: true;
}

/** `===` compares texts, not versions. */
export interface ArbitraryEqualityClause extends ClauseText {
  readonly operator: '===';
}

const clausePattern = /^\s*(===|~=|==|!=|<=|>=|<|>|\^|~)?\s*(\S+)\s*$/;
/** A space in the place of a comma. */
const spaceBetween = /(?<!\s)\s+(?=[=~!<>^])/;

/** In characters. Longer specifiers are not parsed; no tool writes one that comes near it. */
const MAX_SPECIFIER_LENGTH = 1000;

/** The alternatives that `||` or `|` joins, each with its clauses; undefined where one of them is invalid. */
export const readRange = memoize((range): readonly (readonly Clause[])[] | undefined => {
  if (range.length > MAX_SPECIFIER_LENGTH) return undefined;
  const alternatives: (readonly Clause[])[] = [];
  const texts = splitRange(range);
  for (const { text } of texts) {
    const clauses = texts.length > 1 && text.trim() === '' ? undefined : readSpecifier(text);
    if (clauses === undefined) return undefined;
    alternatives.push(clauses);
  }
  return alternatives;
});

/** The texts between `||`, with their offsets. */
export function splitRange(range: string): readonly { readonly text: string; readonly start: number }[] {
  let start = 0;
  return range.split(/(\|\|?)/).flatMap((text, at) => {
    const alternative = { text, start };
    start += text.length;
    return at % 2 === 0 ? [alternative] : [];
  });
}

/** The clauses of a specifier; undefined where one of them is invalid. Empty ones and `*` are left out. */
export function readSpecifier(range: string): readonly Clause[] | undefined {
  const clauses: Clause[] = [];
  let start = 0;
  for (const part of range.split(',')) {
    let offset = start;
    for (const piece of part.split(spaceBetween)) {
      const at = range.indexOf(piece, offset);
      offset = at + piece.length;
      if (piece.trim() === '' || piece.trim() === '*') continue;
      const clause = readClause(piece, at);
      if (clause === undefined) return undefined;
      clauses.push(clause);
    }
    start += part.length + 1;
  }
  return clauses;
}

function readClause(part: string, offset: number): Clause | undefined {
  const [, operator, text] = clausePattern.exec(part) ?? [];
  if (text === undefined) return undefined;
  const start = offset + part.lastIndexOf(text);
  const written = { text, start, end: start + text.length };
  switch (operator) {
    case undefined: {
      const clause = /^v?\d/.test(text) ? readEquality(written, '==', /\.[*xX]$/) : undefined;
      return clause && { ...clause, bare: true };
    }
    case '===':
      return /[;)]/.test(text) ? undefined : { ...written, operator };
    case '==':
    case '!=':
      return readEquality(written, operator, /\.\*$/);
    case '~=':
    case '<=':
    case '>=':
    case '<':
    case '>':
    case '^':
    case '~': {
      const version = parsePep440(text);
      if (version === undefined || version.local.length > 0) return undefined;
      if (operator === '~=' && version.release.length < 2) return undefined;
      return { ...written, operator, version, wildcard: false };
    }
    default:
      return undefined;
  }
}

function readEquality(written: ClauseText, operator: '==' | '!=', anything: RegExp): VersionClause | undefined {
  const { text } = written;
  const wildcard = anything.test(text);
  const version = parsePep440(wildcard ? text.slice(0, -2) : text);
  const plain = version && !isPrerelease(version) && version.post === undefined && version.local.length === 0;
  return version === undefined || (wildcard && !plain) ? undefined : { ...written, operator, version, wildcard };
}

/** Whether a clause other than `!=` names a pre-release, which admits pre-releases. */
export function admitsPrereleases(clauses: readonly Clause[]): boolean {
  return clauses.some((it) => {
    if (it.operator === '!=') return false;
    const version = it.operator === '===' ? parsePep440(it.text) : it.version;
    return version !== undefined && isPrerelease(version);
  });
}

/** Whether a version satisfies one of several alternatives. A text that is no version satisfies only `===`. */
export function satisfiesAny(
  alternatives: readonly (readonly Clause[])[],
  text: string,
  version: Pep440 | undefined,
): boolean {
  return alternatives.some((it) => (version !== undefined || it.length > 0) && satisfiesAll(it, text, version));
}

/**
 * How many leading numbers a caret or a tilde fixes: 1 of `^1.2.3`, 2 of `^0.2.3`, 2 of `~1.2.3`.
 */
export function fixedNumbers(operator: '^' | '~', { release }: Pep440): number {
  if (operator === '~') return Math.min(release.length, 2);
  const first = release.slice(0, 3).findIndex((it) => it > 0);
  return first < 0 ? Math.min(release.length, 3) : first + 1;
}

/**
 * Whether a version satisfies all clauses; pre-releases count like any other version.
 * @param text the published version, which `===` compares
 * @param version the parsed version; undefined where it is not a version of PEP 440
 */
export function satisfiesAll(clauses: readonly Clause[], text: string, version: Pep440 | undefined): boolean {
  return clauses.every((it) => {
    if (it.operator === '===') return it.text.toLowerCase() === text.trim().toLowerCase();
    return version !== undefined && satisfiesClause(it, version);
  });
}

function satisfiesClause(clause: VersionClause, version: Pep440): boolean {
  const wanted = clause.version;
  switch (clause.operator) {
    case '==':
      return equals(clause, version);
    case '!=':
      return !equals(clause, version);
    case '>=':
      return comparePep440(publicVersion(version), wanted) >= 0;
    case '<=':
      return comparePep440(publicVersion(version), wanted) <= 0;
    case '~=':
      return (
        comparePep440(publicVersion(version), wanted) >= 0 &&
        startsWithRelease(version, wanted, wanted.release.length - 1)
      );
    case '^':
    case '~':
      return (
        comparePep440(publicVersion(version), wanted) >= 0 &&
        startsWithRelease(version, wanted, fixedNumbers(clause.operator, wanted))
      );
    case '<':
      // `<2.0` excludes the pre-releases of 2.0 itself, unless it names one of them.
      return comparePep440(version, isPrerelease(wanted) ? wanted : { ...wanted, dev: 0 }) < 0;
    case '>':
      // `>1.7` excludes 1.7.post1 and 1.7+local, which are corrected builds of the version it names.
      if (isPostOf(version, wanted)) return false;
      return comparePep440(publicVersion(version), wanted) > 0;
  }
}

function isPostOf(version: Pep440, wanted: Pep440): boolean {
  if (version.post === undefined || wanted.post !== undefined || wanted.dev !== undefined) return false;
  const { post: _post, dev: _dev, ...before } = publicVersion(version);
  return comparePep440(before, wanted) === 0;
}

function equals({ version: wanted, wildcard }: VersionClause, version: Pep440): boolean {
  if (wildcard) return startsWithRelease(version, wanted, wanted.release.length);
  return comparePep440(wanted.local.length > 0 ? version : publicVersion(version), wanted) === 0;
}
