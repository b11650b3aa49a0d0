import type { DefinitionRef, Part, Requirement } from '../../model/manifest.ts';
import type { Value } from './msbuild-xml.ts';

/** The id that a property is defined and referred to by. Its name has no case: `$(FooVersion)` is `$(fooversion)`. */
export function propertyId(name: string): string {
  return `property:${name.toLowerCase()}`;
}

/** The id of a package's version in `Directory.Packages.props`. */
export function centralId(name: string): string {
  return `central:${name.toLowerCase()}`;
}

/** The id of a project SDK's version in `global.json`. */
export function sdkId(name: string): string {
  return `sdk:${name.toLowerCase()}`;
}

/**
 * The requirement of a version: literal text, a property, or a template, which is never edited.
 *
 *     13.0.1                                       literal
 *     $(JsonVersion)                               reference
 *     $(Major).1   [$(JsonVersion)]                template
 *     $([MSBuild]::Add(1, 2))   @(Items)           template that nothing defines: only a build can resolve it
 */
export function requirementOf(value: Value): Requirement {
  if (value.text === '') return { kind: 'none' };
  const parts = partsOf(value.text);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && typeof first !== 'string') {
    return first.id.startsWith('property:')
      ? { kind: 'reference', to: first, span: value.span }
      : { kind: 'template', parts, span: value.span };
  }
  if (parts.length === 1 && first === value.text && value.literal) return { kind: 'literal', at: value.literal };
  return { kind: 'template', parts, span: value.span };
}

/** In characters. No name and no version is that long, and one with a million references would take a lot of room. */
const MAX_VALUE_LENGTH = 1000;

/** Cuts a value into text and references. Text comes with `%xx` decoded. A text that is too long stays whole. */
export function partsOf(text: string): readonly Part[] {
  if (text.length > MAX_VALUE_LENGTH) return [text];
  const parts: Part[] = [];
  let textStart = 0;
  for (let at = nextExpression(text, 0); at >= 0; ) {
    const end = expressionEnd(text, at);
    // Without its closing parenthesis the rest is but text that is being typed.
    if (end < 0) break;
    if (textStart < at) parts.push(decodePercents(text.slice(textStart, at)));
    parts.push(expression(text.slice(at, end)));
    textStart = end;
    at = nextExpression(text, end);
  }
  if (textStart < text.length || parts.length === 0) parts.push(decodePercents(text.slice(textStart)));
  return parts;
}

/** The first `$(`, `@(` or `%(`: a property, a list of items, metadata. */
function nextExpression(text: string, from: number): number {
  for (let at = text.indexOf('(', from); at >= 0; at = text.indexOf('(', at + 1)) {
    if (at > from && '$@%'.includes(text[at - 1] ?? ' ')) return at - 1;
  }
  return -1;
}

/** Behind the parenthesis that closes the one behind `at`; negative without one. Quotes hide parentheses. */
function expressionEnd(text: string, at: number): number {
  let depth = 0;
  let quote = '';
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i + 1;
  }
  return -1;
}

function expression(text: string): DefinitionRef {
  const name = /^\$\(\s*([A-Za-z_][\w-]*)\s*\)$/.exec(text)?.[1];
  if (name !== undefined) return { id: propertyId(name), label: `$(${name})` };
  // A function, a registry key, or the items of a list: an id that nothing defines.
  return {
    id: `expression:${text}`,
    label: text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH)}…` : text,
  };
}

/** Of a function call more than this doesn't fit into a sentence. */
const MAX_LABEL_LENGTH = 60;

function decodePercents(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
