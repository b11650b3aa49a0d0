import parse, { type Info } from 'spdx-expression-parse';

/**
 * Whether two statements of the licences of one thing come to the same: `mit` and `MIT`, `A OR B` and `B OR A`, `GPL-2.0`
 * and `GPL-2.0-only`. How several licences of a statement relate is not stated, so any relation will do for them.
 * Undefined where nobody can tell: one of them says nothing, or something that is no licence of the SPDX list.
 */
export function sameLicenses(one: readonly string[], other: readonly string[]): boolean | undefined {
  if (one.length === 0 || other.length === 0) return undefined;
  if (sameTexts(one, other)) return true;
  const id = JSON.stringify([one, other]);
  if (!compared.has(id)) {
    if (compared.size >= remembered) compared.clear();
    compared.set(id, compare(one, other));
  }
  return compared.get(id);
}

/** A bill of materials has thousands of packages and a handful of licences: each pair is compared once. */
const compared = new Map<string, boolean | undefined>();
const remembered = 1000;

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
 * The expressions, once identifiers are spelt alike: they are the same in any case, but the reader knows the list's own
 * spelling alone. Where one side has it, the other is read by it.
 */
function readAll(texts: readonly string[], spelling: ReadonlyMap<string, string>): LicenseExpression[] | undefined {
  const read = texts.map((text) => parseLicense(text) ?? parseLicense(respelt(text, spelling)));
  const sound = read.filter((it) => it !== undefined);
  // A licence of the document's own may be any licence, under a name that only the document knows.
  const isKnown =
    sound.length === texts.length && !namesIn(sound).some((it) => /(?:^|:)(?:License|Addition)Ref-/.test(it));
  return isKnown ? sound : undefined;
}

const word = /[\w.+:-]+/g;

/** The words of a text that is sound as it stands. */
function wordsOf(text: string): readonly string[] {
  return parseLicense(text) ? (text.match(word) ?? []) : [];
}

/** Operators are read in any case as they stand. */
function respelt(text: string, spelling: ReadonlyMap<string, string>): string {
  return text.replace(word, (it) => spelling.get(it.toLowerCase()) ?? it);
}

function namesIn(expressions: readonly LicenseExpression[]): string[] {
  return expressions.flatMap(licensesIn).map(licenseText);
}

/** The same text for expressions that differ in order, in parentheses and in what they say twice. */
function normalForm(expression: LicenseExpression): string {
  if (expression.kind === 'license') return expressionText(expression);
  const { kind } = expression;
  const sides = [...new Set(alike(expression, kind).map(normalForm))].sort();
  return sides.length === 1 ? sides.join() : `(${sides.join(` ${kind} `)})`;
}

/** What is joined by one operator, however it is nested. */
function alike(expression: LicenseExpression, kind: 'and' | 'or'): LicenseExpression[] {
  return expression.kind === kind ? [...alike(expression.left, kind), ...alike(expression.right, kind)] : [expression];
}

/** An SPDX licence expression: `MIT OR (GPL-2.0-only WITH Classpath-exception-2.0 AND BSD-3-Clause)`. */
export type LicenseExpression =
  | License
  | { readonly kind: 'and' | 'or'; readonly left: LicenseExpression; readonly right: LicenseExpression };

/** One licence of an expression. */
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
  /** What stands behind `WITH`. */
  readonly exception?: string;
}

/** No licence of a package comes near it; the parser calls itself for each part. */
const longest = 1000;

/** Reads an expression. Undefined for text that is none: `non-standard`, `SEE LICENSE IN x`, an identifier nobody registered. */
export function parseLicense(text: string): LicenseExpression | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > longest) return undefined;
  try {
    return fromInfo(parse(trimmed));
  } catch {
    // The parser throws at what it cannot read.
    return undefined;
  }
}

/** The licences of an expression, in its order. */
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
 * `GPL-2.0` and `GPL-2.0-only` are one licence, as are `GPL-2.0+` and `GPL-2.0-or-later`.
 * Source: SPDX License List 3.0, which gave the GNU licences identifiers of their own for both.
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

/** Identifiers that stand for a licence with an exception. Source: SPDX License List, “Deprecated License Identifiers”. */
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

/** Identifiers that were given another spelling. Source: as above. */
const renamed: Readonly<Record<string, string>> = {
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause-Views',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  'bzip2-1.0.5': 'bzip2-1.0.6',
  'StandardML-NJ': 'SMLNJ',
};
