import type { DefinitionRef, Part, Requirement } from '../model/manifest.ts';
import type { Literal, Span } from '../model/span.ts';
import { catalogIds } from './gradle-ids.ts';
import { cut, markAt } from './gradle-statements.ts';
import type { Piece, Token } from './gradle-tokens.ts';

/** A text of a build script: one string, or several strings and expressions put together. */
export interface Value {
  /** Each with where it stands; those with nothing in them are left out. */
  readonly pieces: readonly ValuePiece[];
  /** The whole, with `hole` for each reference. */
  readonly text: string;
  /** The place between the quotes, where it is one empty string. */
  readonly blank?: Literal;
}

export type ValuePiece =
  | Extract<Piece, { readonly kind: 'text' }>
  | { readonly kind: 'reference'; readonly to: DefinitionRef; readonly span: Span };

/** Stands for a reference in a value's text. No coordinate has it. */
const hole = '\uFFFC';

/** The value of an expression, as far as it is text: `"g:a:$v"`, `'1.' + minor`, `libs.versions.kotlin.get()`. */
export function readValue(tokens: readonly Token[], source: string): Value | undefined {
  const pieces: ValuePiece[] = [];
  for (const operand of cut(tokens, '+')) {
    const [first] = operand;
    const last = operand.at(-1);
    if (first === undefined || last === undefined) return undefined;
    if (first.kind === 'string') {
      // `"1.0".toString()` and its like: only a string that stands alone is understood.
      if (operand.length > 1 || (first.pieces.length === 0 && first.span.end > first.span.start)) return undefined;
      for (const it of first.pieces) pieces.push(resolvePiece(it));
    } else {
      if (first.kind !== 'word') return undefined;
      const span = { start: first.span.start, end: endOf(last) };
      pieces.push({ kind: 'reference', to: referenceTo(source.slice(span.start, span.end)), span });
    }
  }
  const text = pieces.map((it) => (it.kind === 'text' ? it.text : hole)).join('');
  const [only] = tokens;
  if (pieces.length > 0 || tokens.length > 1 || only?.kind !== 'string') return { pieces, text };
  const quote = source[only.span.start - 1] === '"' ? '"' : "'";
  return { pieces, text, blank: literalOf({ kind: 'text', text, span: only.span, quote }) };
}

function endOf(token: Token): number {
  return token.kind === 'string' ? token.end : token.span.end;
}

function resolvePiece(piece: Piece): ValuePiece {
  if (piece.kind === 'text') return piece;
  return { kind: 'reference', to: referenceTo(piece.text), span: piece.span };
}

const owner = /^(?:(?:rootProject|project|this)\s*\.\s*)+/;
const holder = /^(?:ext|extra|properties)\s*\.\s*(?!get\b)/;
const byName =
  /^(?:(?:ext|extra|properties)\s*\[|(?:ext\.get|extra\.get|findProperty|property|getProperty|providers\.gradleProperty)\s*\()\s*["']([\w.-]+)["']\s*[\])]$/;
const element = /\[\s*["']([\w.-]+)["']\s*\]/g;
const ending = /(?:\s*\.\s*(?:get|toString|asProvider)\(\)|\s+as\s+String\??|\s*!!)$/;
const dotted = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;

/**
 * What an expression refers to.
 *
 *     springVersion   rootProject.ext.springVersion   extra["springVersion"]   property("springVersion")
 *     libs.versions.spring.get()
 */
export function referenceTo(expression: string): DefinitionRef {
  const label = shortened(expression.trim());
  let text = expression.trim().slice(0, longestExpression).replace(owner, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(ending, '');
  }
  const name = byName.exec(text)?.[1] ?? text.replace(holder, '').replace(element, '.$1');
  const [, catalog, version] = /^(\w+)\.versions\.([\w.]+)$/.exec(name) ?? [];
  if (version !== undefined && catalog === 'libs') return { id: catalogIds.version(version), label };
  // A map of versions would not be asked with `get`, which other catalogs are.
  if (version !== undefined && label.endsWith('.get()'))
    return { id: catalogIds.version(`${catalog}.${version}`), label };
  if (dotted.test(name) || name !== text) return { id: `property:${name}`, label };
  // A calculation or a call: an id that nothing defines.
  return { id: `expression:${label}`, label };
}

const longestExpression = 500;
/** Of a call more than this doesn't fit into a sentence. */
const longestLabel = 60;

function shortened(text: string): string {
  return text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text;
}

/** The pieces of a stretch of a value's text. */
export function slice(value: Value, from: number, to: number): readonly ValuePiece[] {
  const found: ValuePiece[] = [];
  let at = 0;
  for (const piece of value.pieces) {
    const length = piece.kind === 'text' ? piece.text.length : hole.length;
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, length);
    at += length;
    if (start >= end) continue;
    if (piece.kind === 'reference') found.push(piece);
    else {
      const span = { start: piece.span.start + start, end: piece.span.start + end };
      found.push({ ...piece, text: piece.text.slice(start, end), span });
    }
  }
  return found;
}

/** Text that stands here, a reference, or something put together, which is never edited. */
export function requirementOf(pieces: readonly ValuePiece[]): Requirement {
  const [first] = pieces;
  if (first === undefined) return { kind: 'none' };
  if (pieces.length === 1) {
    return first.kind === 'text'
      ? { kind: 'literal', at: literalOf(first) }
      : { kind: 'reference', to: first.to, span: first.span };
  }
  return { kind: 'template', parts: partsOf(pieces), span: spanOf(pieces) };
}

export function partsOf(pieces: readonly ValuePiece[]): Part[] {
  return pieces.map((it) => (it.kind === 'text' ? it.text : it.to));
}

/** From the first piece to the last. */
export function spanOf(pieces: readonly ValuePiece[]): Span {
  return { start: pieces[0]?.span.start ?? 0, end: pieces.at(-1)?.span.end ?? 0 };
}

/** Plain text as something that can be edited. */
export function literalOf({ span, text, quote }: Extract<ValuePiece, { readonly kind: 'text' }>): Literal {
  const special = quote === '"' ? /["\\$]/g : /['\\]/g;
  return { span, text, encode: (value) => value.replace(special, '\\$&') };
}

/** Whether arguments, or the elements of a list, begin there: what stands alone behind a name begins without a bracket. */
export function isOpening(tokens: readonly Token[], at: number): boolean {
  return markAt(tokens, at) === '(' || markAt(tokens, at) === '[';
}
