import { expressionText, type LicenseExpression, licensesIn, licenseText, parseLicense } from './expression.ts';

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
