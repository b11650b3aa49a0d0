import parse, { type Info } from 'spdx-expression-parse';
import { LruMap } from '../base/lru-map.ts';

/**
 * Whether two declarations of licenses are equal: `mit` and `MIT`, `A OR B` and `B OR A`, `GPL-2.0` and `GPL-2.0-only`.
 * A declaration of several licenses does not state their relation, so they are compared as a set. Undefined where one
 * declaration is empty, or has something that is not on the SPDX list.
 */
export function sameLicenses(one: readonly string[], other: readonly string[]): boolean | undefined {
  if (one.length === 0 || other.length === 0) return undefined;
  if (sameTexts(one, other)) return true;
  const id = JSON.stringify([one, other]);
  const known = compared.get(id) ?? { isSame: compare(one, other) };
  compared.set(id, known);
  return known.isSame;
}

/** Comparisons that are remembered. */
const MAX_COMPARISONS = 1000;

/** A BOM has thousands of packages and few licenses: each pair is compared once. */
const compared = new LruMap<string, { readonly isSame: boolean | undefined }>(MAX_COMPARISONS);

function compare(one: readonly string[], other: readonly string[]): boolean | undefined {
  const spelling = new Map([...one, ...other].flatMap(wordsOf).map((it) => [it.toLowerCase(), it]));
  const left = readAll(one, spelling);
  const right = readAll(other, spelling);
  if (left === undefined || right === undefined) return undefined;
  const [first, ...more] = left;
  const [second, ...others] = right;
  if (first && second && more.length + others.length === 0) return normalForm(first) === normalForm(second);
  return sameSets(namesIn(left), namesIn(right));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return sameSets(one.map(bare), other.map(bare));
}

function bare(text: string): string {
  return text.trim().toLowerCase();
}

function sameSets(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every((it) => right.has(it));
}

/**
 * Parses the expressions. Identifiers are case-insensitive, but the parser requires the spelling of the SPDX list. Where
 * one side has that spelling, the other side is respelled.
 */
function readAll(texts: readonly string[], spelling: ReadonlyMap<string, string>): LicenseExpression[] | undefined {
  const read = texts.map((text) => parseLicense(text) ?? parseLicense(withListSpelling(text, spelling)));
  const sound = read.filter((it) => it !== undefined);
  // `LicenseRef-…` is defined by its document and may mean any license.
  const isKnown =
    sound.length === texts.length && !namesIn(sound).some((it) => /(?:^|:)(?:License|Addition)Ref-/.test(it));
  return isKnown ? sound : undefined;
}

const word = /[\w.+:-]+/g;

/** The words of a valid expression. */
function wordsOf(text: string): readonly string[] {
  return parseLicense(text) ? (text.match(word) ?? []) : [];
}

/** Respells identifiers. The parser accepts operators in any case. */
function withListSpelling(text: string, spelling: ReadonlyMap<string, string>): string {
  return text.replace(word, (it) => spelling.get(it.toLowerCase()) ?? it);
}

function namesIn(expressions: readonly LicenseExpression[]): string[] {
  return expressions.flatMap(licensesIn).map(licenseText);
}

/** The same text for expressions that differ only in order, parentheses and repetition. */
function normalForm(expression: LicenseExpression): string {
  if (expression.kind === 'license') return expressionText(expression);
  const { kind } = expression;
  const sides = [...new Set(operandsOf(expression, kind).map(normalForm))].sort();
  return sides.length === 1 ? sides.join() : `(${sides.join(` ${kind} `)})`;
}

/** The operands of one operator, nested ones included. */
function operandsOf(expression: LicenseExpression, kind: 'and' | 'or'): LicenseExpression[] {
  return expression.kind === kind
    ? [...operandsOf(expression.left, kind), ...operandsOf(expression.right, kind)]
    : [expression];
}

/** An SPDX license expression: `MIT OR (GPL-2.0-only WITH Classpath-exception-2.0 AND BSD-3-Clause)`. */
export type LicenseExpression =
  | License
  | { readonly kind: 'and' | 'or'; readonly left: LicenseExpression; readonly right: LicenseExpression };

/** One license of an expression. */
export interface License {
  readonly kind: 'license';
  /** The current identifier: `GPL-2.0-only`, `MPL-1.1+`, `LicenseRef-ours`. */
  readonly id: string;
  /** `GPL` of `GPL-2.0-or-later`; the whole identifier where it has no version. */
  readonly family: string;
  /** `2.0` of `GPL-2.0-or-later`; empty where there is none. */
  readonly version: string;
  /** Whether any later version will do, too. */
  readonly orLater: boolean;
  /** The exception after `WITH`. */
  readonly exception?: string;
}

/** Real licenses are far shorter. The parser recurses into each part. */
const MAX_EXPRESSION_LENGTH = 1000;

/** Parses an expression. Undefined for other text: `non-standard`, `SEE LICENSE IN x`, an unregistered identifier. */
export function parseLicense(text: string): LicenseExpression | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_EXPRESSION_LENGTH) return undefined;
  try {
    return fromInfo(parse(trimmed));
  } catch {
    // The parser throws on syntax errors.
    return undefined;
  }
}

/** The licenses of an expression, in its order. */
export function licensesIn(expression: LicenseExpression): License[] {
  return expression.kind === 'license'
    ? [expression]
    : [...licensesIn(expression.left), ...licensesIn(expression.right)];
}

/** `GPL-2.0-only WITH Classpath-exception-2.0` */
export function licenseText({ id, exception }: License): string {
  return exception === undefined ? id : `${id} WITH ${exception}`;
}

/** The expression with current identifiers: `GPL-2.0+ OR MIT` → `GPL-2.0-or-later OR MIT`. */
export function expressionText(expression: LicenseExpression): string {
  if (expression.kind === 'license') return licenseText(expression);
  const { kind, left, right } = expression;
  // AND binds tighter, so an OR within it needs its parentheses.
  const side = (it: LicenseExpression): string =>
    kind === 'and' && it.kind === 'or' ? `(${expressionText(it)})` : expressionText(it);
  return `${side(left)} ${kind.toUpperCase()} ${side(right)}`;
}

function fromInfo(info: Info): LicenseExpression {
  if ('conjunction' in info) {
    return { kind: info.conjunction, left: fromInfo(info.left), right: fromInfo(info.right) };
  }
  const plus = info.plus === true;
  const old = withException[info.license];
  const exception = info.exception ?? old?.exception;
  return { ...licenseOf(old?.id ?? renamed[info.license] ?? info.license, plus), ...(exception && { exception }) };
}

/**
 * `GPL-2.0` and `GPL-2.0-only` are one license, as are `GPL-2.0+` and `GPL-2.0-or-later`.
 * Source: SPDX License List 3.0, which introduced separate identifiers for both.
 */
function licenseOf(id: string, plus: boolean): License {
  const gnu = /^(AGPL|LGPL|GPL|GFDL)-(\d+\.\d+)(-only|-or-later)?$/.exec(id);
  if (gnu) {
    const [, family = id, version = '', suffix] = gnu;
    const orLater = plus || suffix === '-or-later';
    return { kind: 'license', id: `${family}-${version}${orLater ? '-or-later' : '-only'}`, family, version, orLater };
  }
  const [, family = id, version = ''] = /^(\D.*?)-(\d+(?:\.\d+)*)$/.exec(id) ?? [];
  return { kind: 'license', id: plus ? `${id}+` : id, family, version, orLater: plus };
}

/** Identifiers that mean a license with an exception. Source: SPDX License List, “Deprecated License Identifiers”. */
const withException: Readonly<Record<string, { readonly id: string; readonly exception: string }>> = {
  'GPL-2.0-with-autoconf-exception': { id: 'GPL-2.0', exception: 'Autoconf-exception-2.0' },
  'GPL-2.0-with-bison-exception': { id: 'GPL-2.0-or-later', exception: 'Bison-exception-2.2' },
  'GPL-2.0-with-classpath-exception': { id: 'GPL-2.0', exception: 'Classpath-exception-2.0' },
  'GPL-2.0-with-font-exception': { id: 'GPL-2.0', exception: 'Font-exception-2.0' },
  'GPL-2.0-with-GCC-exception': { id: 'GPL-2.0', exception: 'GCC-exception-2.0' },
  'GPL-3.0-with-autoconf-exception': { id: 'GPL-3.0', exception: 'Autoconf-exception-3.0' },
  'GPL-3.0-with-GCC-exception': { id: 'GPL-3.0', exception: 'GCC-exception-3.1' },
  'eCos-2.0': { id: 'GPL-2.0-or-later', exception: 'eCos-exception-2.0' },
  wxWindows: { id: 'LGPL-2.0-or-later', exception: 'WxWindows-exception-3.1' },
};

/** Identifiers that have been renamed. Source: as above. */
const renamed: Readonly<Record<string, string>> = {
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause-Views',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  'bzip2-1.0.5': 'bzip2-1.0.6',
  'StandardML-NJ': 'SMLNJ',
};
