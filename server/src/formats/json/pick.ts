import type { Problem } from '../../model/span.ts';
import { MAX_DEPTH, MAX_PROBLEMS } from '../text/limits.ts';
import { parseJson } from './parse.ts';
import {
  behindBracket,
  closeBrace,
  closeBracket,
  closingQuote,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  space,
} from './scan.ts';
import type { JsonArray, JsonObject, JsonScalar, JsonString, JsonValue } from './tree.ts';

/**
 * Reads the lists of a JSON text of many megabytes that a program wrote: hands on the items of those that stand in the
 * outermost object, one by one, so that there is never a tree of the whole. They have only the properties that have one
 * of some names; what is left out costs hardly anything. Less is made of broken places than by `parseJson`, and comments
 * are not known. Never throws.
 * @param take gets an item, with the name of its list
 */
export function pickJson(
  text: string,
  wanted: ReadonlySet<string>,
  take: (list: string, item: JsonValue) => void,
): readonly Problem[] {
  const problems: Problem[] = [];
  let at = 0;
  skipBlanks();
  begin();
  if (at < text.length) value(0);
  skipBlanks();
  if (at < text.length) problem('the file should end here');
  return problems;

  function problem(message: string): void {
    if (problems.length < MAX_PROBLEMS)
      problems.push({ span: { start: at, end: Math.min(at + 1, text.length) }, message });
  }

  function skipBlanks(): void {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > space && code !== byteOrderMark) return;
    }
  }

  /** Passes over what stands in front of the object: of a conflict the marker, `<<<<<<< HEAD`. */
  function begin(): void {
    const brace = text.indexOf('{', at);
    if (brace <= at || '["'.includes(text.charAt(at))) return;
    problem('the object should begin here');
    at = brace;
  }

  /** Stands at its first character; stays there where there is none. */
  function value(depth: number): JsonValue | undefined {
    switch (text.charCodeAt(at)) {
      case openBrace:
      case openBracket:
        if (depth < MAX_DEPTH) return text.charCodeAt(at) === openBrace ? object(depth) : array(depth);
        problem('values nested this deep are not read');
        at = behindBracket(text, at);
        return undefined;
      case quote:
        return string();
      default:
        return scalar();
    }
  }

  function string(): JsonString {
    const start = at + 1;
    const end = closingQuote(text, at);
    if (text.charCodeAt(end) !== quote) problem('the closing quote is missing');
    at = Math.min(end + 1, text.length);
    const raw = text.slice(start, end);
    if (!raw.includes('\\')) return { kind: 'string', span: { start, end }, text: raw };
    const { root } = parseJson(text.slice(start - 1, at));
    return { kind: 'string', span: { start, end }, text: root?.kind === 'string' ? root.text : raw, raw };
  }

  function scalar(): JsonScalar | undefined {
    const start = at;
    while (at < text.length && isPlain(text.charCodeAt(at))) at++;
    if (at > start) return { kind: 'scalar', span: { start, end: at }, text: text.slice(start, at) };
    problem('a value is missing');
    return undefined;
  }

  function object(depth: number): JsonObject {
    const start = at++;
    const properties: JsonObject['properties'][number][] = [];
    for (skipBlanks(); at < text.length; skipBlanks()) {
      const code = text.charCodeAt(at);
      if (code === closeBrace) {
        at++;
        return { kind: 'object', span: { start, end: at }, properties };
      }
      if (code !== quote) {
        if (code !== comma) problem('a name is missing');
        at++;
        continue;
      }
      const name = isWanted() ? string() : undefined;
      if (name === undefined) skipValue();
      skipBlanks();
      if (text.charCodeAt(at) !== colon) {
        problem('a colon and a value are missing');
        continue;
      }
      at++;
      skipBlanks();
      if (name === undefined || !wanted.has(name.text)) skipValue();
      else {
        const read = depth === 0 && text.charCodeAt(at) === openBracket ? array(1, name.text) : value(depth + 1);
        properties.push({ name, ...(read && { value: read }) });
      }
    }
    problem('the closing brace is missing');
    return { kind: 'object', span: { start, end: at }, properties };
  }

  /** Of most names nothing is made. One with an escape in it has to be decoded first. */
  function isWanted(): boolean {
    const written = text.slice(at + 1, closingQuote(text, at));
    return wanted.has(written) || written.includes('\\');
  }

  /** @param list its name, if its items are handed on instead of kept */
  function array(depth: number, list?: string): JsonArray {
    const start = at++;
    const items: JsonValue[] = [];
    for (skipBlanks(); at < text.length; skipBlanks()) {
      const code = text.charCodeAt(at);
      if (code === closeBracket) {
        at++;
        return { kind: 'array', span: { start, end: at }, items };
      }
      // A brace here closes the object around, whose end is more likely meant.
      if (code === closeBrace) break;
      if (code === comma || code === colon) {
        at++;
        continue;
      }
      const item = value(depth + 1);
      if (item === undefined) continue;
      if (list === undefined) items.push(item);
      else take(list, item);
    }
    problem('the closing bracket is missing');
    return { kind: 'array', span: { start, end: at }, items };
  }

  function skipValue(): void {
    const code = text.charCodeAt(at);
    if (code === quote) at = Math.min(closingQuote(text, at) + 1, text.length);
    else if (code === openBrace || code === openBracket) at = behindBracket(text, at);
    else while (at < text.length && isPlain(text.charCodeAt(at))) at++;
  }
}

/** Part of a number, or of a word: neither a blank nor what the text is divided by. */
function isPlain(code: number): boolean {
  if (code <= space) return false;
  switch (code) {
    case quote:
    case comma:
    case colon:
    case openBrace:
    case closeBrace:
    case openBracket:
    case closeBracket:
      return false;
    default:
      return true;
  }
}

const byteOrderMark = '\uFEFF'.charCodeAt(0);
