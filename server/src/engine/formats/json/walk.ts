import type { Problem, Span } from '../../model/span.ts';
import { MAX_DEPTH } from '../text/limits.ts';

/**
 * Receives the parts of a JSON text in their order. Spans of strings lie inside the quotes, escapes unresolved. A part
 * has a name where it is the value of a property, and none where it is the root or an item of an array.
 */
export interface JsonVisitor {
  /** An object begins. */
  readonly open?: (name: Span | undefined, start: number) => void;
  /** The object that began last and has not ended yet ends here. */
  readonly close?: (end: number) => void;
  readonly openArray?: (name: Span | undefined, start: number) => void;
  readonly closeArray?: (end: number) => void;
  /** A property whose value is a string. */
  readonly string?: (name: Span, value: Span) => void;
  /** An item of an array that is a string. */
  readonly item?: (value: Span) => void;
  /** A number, `true`, `false` or `null`. */
  readonly scalar?: (name: Span | undefined, value: Span) => void;
  /** Text that has no place in JSON: merge conflict markers, names without a value, half a word. Perhaps many times. */
  readonly unexpected?: (at: number) => void;
}

/**
 * Walks through a JSON text of many megabytes that a tool wrote, without building a tree: ten times as fast as
 * `parseJson`, which is for texts that people type. Broken parts are skipped, and brackets that are never closed end
 * with the text; never throws. The walk ends where values are nested too deep.
 * @param from where the first value begins
 * @returns the first bracket without its other half, of each kind
 */
export function walkJson(text: string, visitor: JsonVisitor, from = 0): Problem[] {
  const problems: Problem[] = [];
  /** For each open bracket whether it is an object's. */
  const objects: boolean[] = [];
  let stray: number | undefined;
  let name: Span | undefined;
  let isValue = false;
  const { length } = text;

  const close = (isObject: boolean, end: number): void => {
    if (isObject) visitor.close?.(end);
    else visitor.closeArray?.(end);
  };

  for (let at = from; at < length && objects.length <= MAX_DEPTH; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case quote: {
        const end = closingQuote(text, at);
        const span = { start: at + 1, end };
        const isObject = objects.at(-1);
        if (isObject === false) visitor.item?.(span);
        else if (isObject && isValue && name) visitor.string?.(name, span);
        name = isObject && !isValue ? span : undefined;
        isValue = false;
        at = end;
        break;
      }
      case colon:
        isValue = name !== undefined;
        break;
      case comma:
        if (name) visitor.unexpected?.(name.start);
        name = undefined;
        isValue = false;
        break;
      case openBrace:
      case openBracket: {
        const owner = isValue ? name : undefined;
        if (code === openBrace) visitor.open?.(owner, at);
        else visitor.openArray?.(owner, at);
        objects.push(code === openBrace);
        name = undefined;
        isValue = false;
        break;
      }
      case closeBrace:
      case closeBracket: {
        const isObject = objects.pop();
        if (name) visitor.unexpected?.(name.start);
        if (isObject !== (code === closeBrace)) stray ??= at;
        if (isObject !== undefined) close(isObject, at + 1);
        name = undefined;
        isValue = false;
        break;
      }
      default: {
        if (code <= space || code === byteOrderMark || (visitor.scalar ?? visitor.unexpected) === undefined) break;
        const value = { start: at, end: endOfScalar(text, at) };
        const isInPlace = isValue || objects.at(-1) === false;
        if (visitor.unexpected && !(isInPlace && isScalar.test(text.slice(value.start, value.end))))
          visitor.unexpected(at);
        if (isInPlace) visitor.scalar?.(isValue ? name : undefined, value);
        if (isValue) name = undefined;
        isValue = false;
        at = value.end - 1;
      }
    }
  }
  const end = { start: length, end: length };
  if (stray !== undefined) problems.push({ span: { start: stray, end: stray + 1 }, message: 'it closes nothing' });
  if (objects.length > MAX_DEPTH) problems.push({ span: end, message: 'values nested this deep are not read' });
  else if (objects.length > 0) problems.push({ span: end, message: 'the closing bracket is missing' });
  for (const it of objects.reverse()) close(it, length);
  return problems;
}

/**
 * Where the string that begins at a quote ends. One that is never closed goes to the end of its line, where the text
 * behind its next quote shows that to be the first of another string, or that one is escaped and on another line; else
 * to the end of the text.
 */
function closingQuote(text: string, from: number): number {
  let start = from + 1;
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', start)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    const isEscaped = slashes % 2 === 1;
    if (!isEscaped && isFollowed(text, end + 1)) return end;
    const line = endOfLine(text, start, end);
    if (!isEscaped || line < end) return line;
    start = end + 1;
  }
  return text.length;
}

/** Whether the next character may follow a string. */
function isFollowed(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= space) at++;
  switch (text.charCodeAt(at)) {
    case comma:
    case colon:
    case closeBrace:
    case closeBracket:
      return true;
    default:
      return at >= text.length;
  }
}

/** The end of the line, if that is not after `end`. */
function endOfLine(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) return at;
  }
  return end;
}

/** Neither blanks nor the characters that divide a text belong to a number or a word. */
const scalarEnd = /[\0- ",:{}[\]]|$/g;

/** Source: RFC 8259, sections 3 and 6. */
const isScalar = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

function endOfScalar(text: string, from: number): number {
  scalarEnd.lastIndex = from;
  return scalarEnd.exec(text)?.index ?? text.length;
}

const lineFeed = '\n'.charCodeAt(0);
const carriageReturn = '\r'.charCodeAt(0);
const space = ' '.charCodeAt(0);
const byteOrderMark = 0xfeff;
const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const openBrace = '{'.charCodeAt(0);
const closeBrace = '}'.charCodeAt(0);
const openBracket = '['.charCodeAt(0);
const closeBracket = ']'.charCodeAt(0);
