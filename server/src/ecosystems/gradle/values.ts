import * as l10n from '@vscode/l10n';
import type { DefinitionRef, Part, Requirement } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import { hole } from './arguments.ts';
import type { Script } from './script.ts';
import { cut, markAt } from './statements.ts';
import type { Piece, Token } from './tokens.ts';

/** Ids of what a version catalog defines. Build files spell an alias with dots: `libs.spring.core` is `spring-core`. */
export const catalogIds = {
  version: (alias: string) => `version:${normal(alias)}`,
  library: (alias: string) => `library:${normal(alias)}`,
  /** The `group:artifact` of a library. */
  module: (alias: string) => `module:${normal(alias)}`,
  plugin: (alias: string) => `plugin:${normal(alias)}`,
  /** The marker artifact of a plugin. */
  pluginModule: (alias: string) => `plugin-module:${normal(alias)}`,
} as const;

function normal(alias: string): string {
  return alias.replace(/[._-]/g, '-');
}

/** The artifact under which a plugin is published. */
export function pluginMarker(id: string): string {
  return `${id}:${id}.gradle.plugin`;
}

/** The version of a library that states none: a platform or a constraint says it. */
export function managedVersion(name: string, span: Span): Requirement {
  return { kind: 'reference', to: { id: `managed:${name}`, label: l10n.t('its version') }, span };
}

/** What a name has that is given an empty string: nothing, which leaves open whatever refers to it. */
export function noValue(name: string, span: Span): Requirement {
  return { kind: 'reference', to: { id: 'empty:', label: name }, span };
}

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

/** The value of an expression, as far as it is text: `"g:a:$v"`, `'1.' + minor`, `libs.versions.kotlin.get()`. */
export function readValue(tokens: readonly Token[], script: Script): Value | undefined {
  const pieces: ValuePiece[] = [];
  for (const operand of cut(tokens, '+')) {
    const [first] = operand;
    const last = operand.at(-1);
    if (first === undefined || last === undefined) return undefined;
    if (first.kind === 'string') {
      // `"1.0".toString()` and its like: only a string that stands alone is understood.
      if (operand.length > 1 || (first.pieces.length === 0 && first.span.end > first.span.start)) return undefined;
      for (const it of first.pieces) pieces.push(resolvePiece(it, script));
    } else {
      if (first.kind !== 'word') return undefined;
      const span = { start: first.start, end: last.end };
      pieces.push({ kind: 'reference', to: referenceAt(span, script), span });
    }
  }
  const text = pieces.length === 1 && pieces[0]?.kind === 'text' ? pieces[0].text : pieces.map(textOf).join('');
  const [only] = tokens;
  if (pieces.length > 0 || tokens.length > 1 || only?.kind !== 'string') return { pieces, text };
  const quote = script.text[only.span.start - 1] === '"' ? '"' : "'";
  return { pieces, text, blank: literalOf({ kind: 'text', text, span: only.span, quote }) };
}

function textOf(piece: ValuePiece): string {
  return piece.kind === 'text' ? piece.text : hole;
}

function resolvePiece(piece: Piece, script: Script): ValuePiece {
  if (piece.kind === 'text') return piece;
  const { start, end } = piece.span;
  const isBraced = script.text[start + 1] === '{';
  const inner = isBraced ? { start: start + 2, end: end - 1 } : { start: start + 1, end };
  return { kind: 'reference', to: referenceAt(inner, script), span: piece.span };
}

/** What the expression in a stretch of a script refers to. What counts where no file defines that is put down. */
function referenceAt(span: Span, script: Script): DefinitionRef {
  const expression = script.text.slice(span.start, span.end);
  if (simple.test(expression)) return { id: `property:${expression}`, label: shortened(expression) };
  const mayHave = expression.length <= longestExpression && expression.includes('?');
  const otherwise = mayHave ? withDefault.exec(expression) : null;
  if (otherwise === null) return referenceTo(expression);
  const { asked, then, quote, text = '' } = otherwise.groups ?? {};
  const label = shortened(expression.trim());
  const environment = /^System\.(getenv|getProperty)\(\s*["']([\w.-]+)["']/.exec(asked ?? '');
  const { id } = environment
    ? { id: `${environment[1]}:${environment[2]}` }
    : referenceTo(then ?? asked?.replace(/\s*\?\s*\.\s*toString\(\)$/, '') ?? '');
  if (id.startsWith('expression:')) return { id, label };
  const end = span.start + expression.lastIndexOf(`${quote}${text}${quote}`) + 1 + text.length;
  const at = literalOf({
    kind: 'text',
    text,
    span: { start: end - text.length, end },
    quote: quote === '"' ? '"' : "'",
  });
  const before = script.defaults.get(id);
  script.defaults.set(id, { at: before?.at ?? at, differs: before !== undefined && before.at.text !== text });
  return { id, label };
}

const simple = /^[A-Za-z_]\w{0,100}$/;
/** `findProperty("x") ?: "1.0"`, `hasProperty("x") ? x : "1.0"`, `System.getenv("X") ?: "1.0"`; a property may be given one. */
const withDefault = new RegExp(
  [
    String.raw`^\s*\(?\s*(?:`,
    String.raw`(?:(?:project|rootProject|settings|this)\s*\.\s*)*hasProperty\s*\(\s*["'][\w.-]+["']\s*\)\s*\?(?!:)\s*(?<then>[^?:]+?)\s*:`,
    String.raw`|(?<asked>[\w.\s]+(?:\(\s*["'][\w.-]+["']\s*\))?(?:\s*\?\s*\.\s*toString\(\))?)(?:\s+as\??\s+String\??)?\s*\)?\s*\?:`,
    String.raw`)\s*(?<quote>["'])(?<text>[^"'$\\\r\n]*)\k<quote>\s*\)?(?:\s*as\s+String|\.toString\(\))?\s*$`,
  ].join(''),
);

const owner = /^(?:(?:rootProject|project|this)\s*\.\s*)+/;
const holder = /^(?:ext|extra|properties)\s*\.\s*(?!get\b|getProperty\b)/;
const byName =
  /^(?:(?:ext|extra|properties)\s*\[|(?:(?:ext|extra)\.(?:get|getProperty|property)|findProperty|property|getProperty|providers\.gradleProperty)\s*\()\s*["']([\w.-]+)["']\s*[\])]$/;
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
  const name = byName.exec(text)?.[1] ?? text.replace(element, '.$1').replace(holder, '');
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

/** From the first piece to the last; of what is put together of an element of a list and a text behind it, the element. */
export function spanOf(pieces: readonly ValuePiece[]): Span {
  const start = pieces[0]?.span.start ?? 0;
  const element = pieces.find((it) => it.span.start < start);
  return element?.span ?? { start, end: pieces.at(-1)?.span.end ?? start };
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
