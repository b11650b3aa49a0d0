import * as l10n from '@vscode/l10n';
import type { DefinitionRef, Part, Requirement } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import { normalizeAlias } from './files/alias-id.ts';
import type { Script } from './script.ts';
import { bracketContents, punctuationAt, splitTokens } from './statements.ts';
import { MAX_EXPRESSION_LENGTH, type Piece, type Token, tokenize } from './tokens.ts';

/** Ids of a version catalog's definitions. Build files spell an alias with dots: `libs.spring.core` is `spring-core`. */
export const catalogIds = {
  version: (alias: string) => `version:${normalizeAlias(alias)}`,
  library: (alias: string) => `library:${normalizeAlias(alias)}`,
  /** The `group:artifact` of a library. */
  module: (alias: string) => `module:${normalizeAlias(alias)}`,
  plugin: (alias: string) => `plugin:${normalizeAlias(alias)}`,
  bundle: (alias: string) => `bundle:${normalizeAlias(alias)}`,
  /** The marker artifact of a plugin. */
  pluginModule: (alias: string) => `plugin-module:${normalizeAlias(alias)}`,
  /** Whether a catalog comes from a registry. */
  published: (catalog: string) => `published:${catalog}`,
} as const;

/** The artifact under which a plugin is published. */
export function pluginMarker(id: string): string {
  return `${id}:${id}.gradle.plugin`;
}

/** The version of a library without one: a platform or a constraint manages it. */
export function managedVersion(name: string, span: Span): Requirement {
  return { kind: 'reference', to: { id: `managed:${name}`, label: l10n.t('its version') }, span };
}

/** Whether a reference means what the build manages. */
export function isManagedVersion({ id, label }: DefinitionRef): boolean {
  return id.startsWith('managed:') && label === l10n.t('its version');
}

/** The value of a name with an empty string: references to it stay unresolved. */
export function emptyRequirement(name: string, span: Span): Requirement {
  return { kind: 'reference', to: { id: 'empty:', label: name }, span };
}

/** Represents a reference in a value's text. No coordinate contains it. */
export const REFERENCE_PLACEHOLDER = '\uFFFC';

/** A text of a build script: a string, or a concatenation of strings and expressions. */
export interface Value {
  /** Without empty ones. */
  readonly pieces: readonly ValuePiece[];
  /** The whole text, with REFERENCE_PLACEHOLDER for each reference. */
  readonly text: string;
  /** The empty place between the quotes of an empty string. */
  readonly blank?: Literal;
}

export type ValuePiece =
  /** `isNumber`: it is written without quotes. */
  | (Extract<Piece, { readonly kind: 'text' }> & { readonly isNumber?: true })
  | { readonly kind: 'reference'; readonly to: DefinitionRef; readonly span: Span };

/** Only the sums of a broken script nest deeper. */
const MAX_SUM_DEPTH = 8;

/** The value of an expression, as far as it is text: `"g:a:$v"`, `'1.' + minor`, `libs.versions.kotlin.get()`. */
export function readValue(tokens: readonly Token[], script: Script): Value | undefined {
  const pieces = readSum(tokens, script, 0);
  if (pieces === undefined) return undefined;
  const text = pieces.length === 1 && pieces[0]?.kind === 'text' ? pieces[0].text : pieces.map(textOf).join('');
  const [only] = tokens;
  if (pieces.length > 0 || tokens.length > 1 || only?.kind !== 'string') return { pieces, text };
  const quote = script.text[only.span.start - 1] === '"' ? '"' : "'";
  return { pieces, text, blank: literalOf({ kind: 'text', text, span: only.span, quote }) };
}

function readSum(tokens: readonly Token[], script: Script, depth: number): readonly ValuePiece[] | undefined {
  const pieces: ValuePiece[] = [];
  const operands = splitTokens(tokens, '+');
  let isText = operands.length === 1;
  let numbers = 0;
  for (const operand of operands) {
    const [first] = operand;
    const last = operand.at(-1);
    if (first === undefined || last === undefined) return undefined;
    if (first.kind === 'string') {
      // A call on a string, as in `"1.0".toString()`, is not supported.
      if (operand.length > 1 || (first.pieces.length === 0 && first.span.end > first.span.start)) return undefined;
      for (const it of first.pieces) for (const piece of readPiece(it, script, depth)) pieces.push(piece);
      isText = true;
    } else if (punctuationAt(operand, 0) === '(' && operands.length > 1) {
      const inner = bracketContents(operand, 0);
      const own = inner.length === operand.length - 2 && depth < MAX_SUM_DEPTH && readSum(inner, script, depth + 1);
      if (!own) return undefined;
      for (const it of own) pieces.push(it);
    } else {
      if (first.kind !== 'word') return undefined;
      const span = { start: first.start, end: last.end };
      const text = /^\d/.test(first.text) ? script.text.slice(span.start, span.end) : '';
      if (/^\d+(?:\.\d+)*$/.test(text)) {
        pieces.push({ kind: 'text', text, span, quote: '"', isNumber: true });
        if (!isText) numbers++;
      } else pieces.push({ kind: 'reference', to: referenceAt(span, script), span });
    }
  }
  return isText || numbers === 0 ? pieces : readCalculation(tokens, script);
}

/** What a sum of numbers comes to; a reference without a definition, if names take part. */
function readCalculation(tokens: readonly Token[], { text }: Script): readonly ValuePiece[] {
  const span = { start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 };
  const written = text.slice(span.start, span.end);
  if (!/^\d{1,9}(?:\s*\+\s*\d{1,9})+$/.test(written)) {
    const label = truncateLabel(written);
    return [{ kind: 'reference', to: { id: `expression:${label}`, label }, span }];
  }
  const sum = written.split('+').reduce((all, it) => all + Number(it), 0);
  return [{ kind: 'text', text: String(sum), span, quote: '"', isNumber: true }];
}

function textOf(piece: ValuePiece): string {
  return piece.kind === 'text' ? piece.text : REFERENCE_PLACEHOLDER;
}

function readPiece(piece: Piece, script: Script, depth: number): readonly ValuePiece[] {
  if (piece.kind === 'text') return [piece];
  const { start, end } = piece.span;
  // The whole text is the element of a loop.
  const signs = script.text[start] !== '$' ? 0 : script.text[start + 1] === '{' ? 2 : 1;
  const inner = { start: start + signs, end: signs === 2 ? end - 1 : end };
  const isSum = piece.text.includes('+') && depth < MAX_SUM_DEPTH;
  const sum = isSum
    ? readSum(tokenize(script.text.slice(0, inner.end), inner.start).tokens, script, depth + 1)
    : undefined;
  return sum ?? [{ kind: 'reference', to: referenceAt(inner, script), span: piece.span }];
}

/** The definition that the expression at a span refers to. Records the default value of the expression. */
function referenceAt(span: Span, script: Script): DefinitionRef {
  const expression = script.text.slice(span.start, span.end);
  if (simpleName.test(expression))
    return { id: `property:${nameAt(expression, span.start, script)}`, label: truncateLabel(expression) };
  const mayHave = expression.length <= MAX_EXPRESSION_LENGTH && expression.includes('?');
  const otherwise = mayHave ? withDefault.exec(expression) : null;
  if (otherwise === null) return inOrder(referenceTo(expression), span.start, script);
  const { asked, then, quote, text = '' } = otherwise.groups ?? {};
  const label = truncateLabel(expression.trim());
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
  script.defaults.set(id, { at: before?.at ?? at, isAmbiguous: before !== undefined && before.at.text !== text });
  return { id, label };
}

/** The reference to the value that a property has in a place. */
function inOrder(to: DefinitionRef, at: number, script: Script): DefinitionRef {
  const name = to.id.startsWith('property:') ? to.id.slice('property:'.length) : undefined;
  return name === undefined ? to : { ...to, id: `property:${nameAt(name, at, script)}` };
}

/** The name under which the value is known that a name has in a place. */
export function nameAt(name: string, at: number, { order }: Pick<Script, 'order'>): string {
  return order?.nameAt(name, at) ?? name;
}

const simpleName = /^[A-Za-z_]\w{0,100}$/;
/** `findProperty("x") ?: "1.0"`, `hasProperty("x") ? x : "1.0"`, `System.getenv("X") ?: "1.0"`; the default value of a property. */
const withDefault = new RegExp(
  [
    String.raw`^\s*\(?\s*(?:`,
    String.raw`(?:(?:project|rootProject|settings|this)\s*\.\s*)*hasProperty\s*\(\s*["'][\w.-]+["']\s*\)\s*\?(?!:)\s*(?<then>[^?:]+?)\s*:`,
    String.raw`|(?<asked>[\w.\s]+(?:\(\s*["'][\w.-]+["']\s*\))?(?:\s*\?\s*\.\s*toString\(\))?)(?:\s+as\??\s+String\??)?\s*\)?\s*\?:`,
    String.raw`)\s*(?<quote>["'])(?<text>[^"'$\\\r\n]*)\k<quote>\s*\)?(?:\s*as\s+String|\.toString\(\))?\s*$`,
  ].join(''),
);

const ownerPrefix = /^(?:(?:rootProject|project|this)\s*\.\s*)+/;
const containerPrefix = /^(?:ext|extra|properties)\s*\.\s*(?!get\b|getProperty\b)/;
const lookupByName =
  /^(?:(?:ext|extra|properties)\s*\[|(?:(?:ext|extra)\.(?:get|getProperty|property)|findProperty|property|getProperty|providers\.gradleProperty)\s*\()\s*["']([\w.-]+)["']\s*[\])]$/;
const foundInCatalog =
  /^\w+\.find(Version|Library)\(\s*["']([\w.-]+)["']\s*\)(?:\.get\(\)\.(?:requiredVersion|displayName))?$/;
const indexAccess = /\[\s*["']([\w.-]+)["']\s*\]/g;
const getterSuffix = /(?:\s*\.\s*(?:get|toString|asProvider)\(\)|\s+as\s+String\??|\s*!!)$/;
const dottedPattern = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;

/**
 * The definition that an expression refers to.
 *
 *     springVersion   rootProject.ext.springVersion   extra["springVersion"]   property("springVersion")
 *     libs.versions.spring.get()
 */
export function referenceTo(expression: string): DefinitionRef {
  const label = truncateLabel(expression.trim());
  let text = expression.trim().slice(0, MAX_EXPRESSION_LENGTH).replace(ownerPrefix, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(getterSuffix, '');
  }
  const [, kind, alias = ''] = foundInCatalog.exec(text) ?? [];
  if (kind === 'Version') return { id: catalogIds.version(alias), label };
  if (kind === 'Library') return { id: `property:libs.${alias.replace(/[-_]/g, '.')}`, label };
  const name = lookupByName.exec(text)?.[1] ?? text.replace(indexAccess, '.$1').replace(containerPrefix, '');
  const [, catalog, version] = /^(\w+)\.versions\.([\w.]+)$/.exec(name) ?? [];
  if (version !== undefined && catalog === 'libs') return { id: catalogIds.version(version), label };
  // `get()` is a call on a catalog; a map of versions has no such call.
  if (version !== undefined && label.endsWith('.get()'))
    return { id: catalogIds.version(`${catalog}.${version}`), label };
  if (dottedPattern.test(name) || name !== text) return { id: `property:${name}`, label };
  const { called = '', argument = '' } = callPattern.exec(text)?.groups ?? {};
  if (called !== '' && !foreignCalls.has(called.slice(called.lastIndexOf('.') + 1)))
    return { id: callId(called, argument), label };
  // A calculation, or another call, gets an id without a definition.
  return { id: `expression:${label}`, label };
}

/** A call of a function that a build may define: `version("kotlin")`, `Versions.of("kotlin")`; not one on a value. */
const callPattern = /^(?<called>(?:(?:\w+\.)*\p{Lu}\w*\.)?[\p{L}_]\w*)\(\s*(?:(["'])(?<argument>[\w.-]*)\2)?\s*\)$/u;
/** Calls whose value is no text. */
const foreignCalls: ReadonlySet<string> = new Set([
  ...[
    'file',
    'files',
    'fileTree',
    'uri',
    'project',
    'findProject',
    'platform',
    'enforcedPlatform',
    'getByName',
    'named',
  ],
  ...['getenv', 'environmentVariable', 'systemProperty', 'listOf', 'setOf', 'arrayOf'],
]);

/** What the call of a function comes to. */
export function callId(name: string, argument: string): string {
  return `call:${name}(${argument})`;
}

/** In characters: a longer label does not fit into a sentence. */
const MAX_LABEL_LENGTH = 60;

function truncateLabel(text: string): string {
  return text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH)}…` : text;
}

/** The pieces between two offsets of a value's text. */
export function sliceValue(value: Value, from: number, to: number): readonly ValuePiece[] {
  const found: ValuePiece[] = [];
  let at = 0;
  for (const piece of value.pieces) {
    const length = piece.kind === 'text' ? piece.text.length : REFERENCE_PLACEHOLDER.length;
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

/** A literal, a reference, or a template, which is never edited. */
export function requirementOf(pieces: readonly ValuePiece[]): Requirement {
  const [first] = pieces;
  if (first === undefined) return { kind: 'none' };
  if (pieces.length === 1 && !(first.kind === 'text' && first.isNumber)) {
    return first.kind === 'text'
      ? { kind: 'literal', at: literalOf(first) }
      : { kind: 'reference', to: first.to, span: first.span };
  }
  return { kind: 'template', parts: partsOf(pieces), span: spanOf(pieces) };
}

export function partsOf(pieces: readonly ValuePiece[]): Part[] {
  return pieces.map((it) => (it.kind === 'text' ? it.text : it.to));
}

/** From the first piece to the last; that of the element, for a template filled with an element of a list. */
export function spanOf(pieces: readonly ValuePiece[]): Span {
  const start = pieces[0]?.span.start ?? 0;
  const element = pieces.find((it) => it.span.start < start);
  return element?.span ?? { start, end: pieces.at(-1)?.span.end ?? start };
}

/** The editable literal of a plain text. */
export function literalOf({ span, text, quote }: Extract<ValuePiece, { readonly kind: 'text' }>): Literal {
  const special = quote === '"' ? /["\\$]/g : /['\\]/g;
  return { span, text, encode: (value) => value.replace(special, '\\$&') };
}

/** Whether a bracket opens there, of arguments or of a list. */
export function isOpeningBracket(tokens: readonly Token[], at: number): boolean {
  return punctuationAt(tokens, at) === '(' || punctuationAt(tokens, at) === '[';
}
