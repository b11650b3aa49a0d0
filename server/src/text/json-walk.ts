import type { Problem, Span } from '../model/span.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  space,
} from './json-marks.ts';

/** What is told of a JSON text while it is walked through. Spans of strings lie inside the quotes, escapes unresolved. */
export interface JsonVisitor {
  /** An object begins: the value of a property, or, without a name, the root or an item of an array. */
  readonly open: (name: Span | undefined) => void;
  /** The object that began last and has not ended yet ends here. */
  readonly close: () => void;
  /** A property of that object whose value is a string. */
  readonly string: (name: Span, value: Span) => void;
  /** A property of that object that is true. */
  readonly yes: (name: Span) => void;
}

/**
 * Walks through a JSON text of many megabytes without making anything of it: ten times as fast as a tree with spans.
 * What is broken is passed over, and what was never closed is closed at the end; never throws.
 * @returns brackets that have no other half, the first of each kind
 */
export function walkJson(text: string, { open, close, string, yes }: JsonVisitor): Problem[] {
  /** Whether each bracket that is open is an object's. */
  const objects: boolean[] = [];
  let stray: number | undefined;
  let name: Span | undefined;
  let isValue = false;
  const { length } = text;

  for (let at = 0; at < length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = closingQuote(text, at);
        const span = { start: at + 1, end };
        if (objects.at(-1) !== true) isValue = false;
        else if (isValue && name) string(name, span);
        else name = span;
        isValue = false;
        at = end;
        break;
      }
      case colon:
        isValue = name !== undefined;
        break;
      case comma:
        name = undefined;
        isValue = false;
        break;
      case openBrace:
        open(isValue ? name : undefined);
        objects.push(true);
        name = undefined;
        isValue = false;
        break;
      case openBracket:
        objects.push(false);
        name = undefined;
        isValue = false;
        break;
      case closeBrace:
      case closeBracket:
        if (objects.at(-1) !== (text.charCodeAt(at) === closeBrace)) stray ??= at;
        if (objects.pop() === true) close();
        name = undefined;
        isValue = false;
        break;
      case letterT:
        if (isValue && name && text.startsWith('true', at)) yes(name);
        break;
    }
  }
  const problems: Problem[] = [];
  if (stray !== undefined) problems.push({ span: { start: stray, end: stray + 1 }, message: 'it closes nothing' });
  if (objects.length > 0)
    problems.push({ span: { start: length, end: length }, message: 'the closing bracket is missing' });
  for (const it of objects.reverse()) if (it) close();
  return problems;
}

const letterT = 't'.charCodeAt(0);

/**
 * Where the string that begins at a quote ends. One that is never closed goes to the end of its line, where what follows
 * its next quote shows that to be the first of another string; else to the end of the text.
 */
export function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return isFollowed(text, end + 1) ? end : endOfLine(text, from, end);
  }
  return text.length;
}

/** Whether something stands there that may stand behind a string. */
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
  const line = /[^\r\n]*/.exec(text.slice(from, end))?.[0] ?? '';
  return from + line.length;
}
