import type { Problem, Span } from '../model/span.ts';

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

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const openBrace = '{'.charCodeAt(0);
const closeBrace = '}'.charCodeAt(0);
const openBracket = '['.charCodeAt(0);
const closeBracket = ']'.charCodeAt(0);
const letterT = 't'.charCodeAt(0);

/** Where the string that begins at a quote ends; one that is never closed goes to the end of the text. */
export function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
