import { createScanner, type ScanError, type SyntaxKind } from 'jsonc-parser';
import type { Problem, Span } from '../../model/span.ts';
import { MAX_DEPTH, MAX_PROBLEMS } from '../text/limits.ts';
import type { JsonArray, JsonObject, JsonProperty, JsonScalar, JsonString, JsonValue } from './tree.ts';

/** A JSON text as far as it could be read: comments and trailing commas are let through, the rest is a problem. */
export interface JsonDocument {
  readonly root?: JsonValue;
  readonly problems: readonly Problem[];
}

/** Never throws, whatever the text. A byte order mark is passed over. */
export function parseJson(text: string): JsonDocument {
  const reader = readTokens(text);
  reader.begin();
  const root = reader.atEnd() ? undefined : reader.value(0);
  if (!reader.atEnd()) reader.problem('the file should end here');
  return { ...(root && { root }), problems: reader.problems };
}

// The values of jsonc-parser's `SyntaxKind`, a `const enum` that single files cannot import.
const openBrace = 1 satisfies SyntaxKind;
const closeBrace = 2 satisfies SyntaxKind;
const openBracket = 3 satisfies SyntaxKind;
const closeBracket = 4 satisfies SyntaxKind;
const comma = 5 satisfies SyntaxKind;
const colon = 6 satisfies SyntaxKind;
const stringLiteral = 10 satisfies SyntaxKind;
const endOfFile = 17 satisfies SyntaxKind;
const unexpectedEndOfString = 2 satisfies ScanError;

function readTokens(text: string) {
  const scanner = createScanner(text, true);
  const problems: Problem[] = [];
  if (text.startsWith('\uFEFF')) scanner.setPosition(1);
  let kind: SyntaxKind = scanner.scan();

  // Behind an unclosed comment the scanner counts one character too many.
  const tokenStart = (): number => Math.min(scanner.getTokenOffset(), text.length);
  const tokenEnd = (): number => Math.min(scanner.getTokenOffset() + scanner.getTokenLength(), text.length);
  const tokenSpan = (): Span => ({ start: tokenStart(), end: tokenEnd() });
  /** The current token, for after `next` where the compiler still knows the one before. */
  const scannedKind = (): SyntaxKind => kind;
  const next = (): void => {
    kind = scanner.scan();
  };

  function problem(message: string, span = tokenSpan()): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ span, message });
  }

  /** Skips text in front of the object: a conflict marker, `<<<<<<< HEAD`. */
  function begin(): void {
    if (kind === openBrace || kind === openBracket || kind === stringLiteral || kind === endOfFile) return;
    const first = tokenSpan();
    while (scannedKind() !== openBrace && scannedKind() !== endOfFile) next();
    if (scannedKind() === openBrace) problem('the object should begin here', first);
    else {
      scanner.setPosition(first.start);
      next();
    }
  }

  function string(): JsonString {
    const broken = scanner.getTokenError();
    const start = scanner.getTokenOffset() + 1;
    const end = tokenEnd() - (broken === unexpectedEndOfString ? 0 : 1);
    const span = { start, end: Math.max(start, end) };
    const value = scanner.getTokenValue();
    if (broken === unexpectedEndOfString) problem('the closing quote is missing');
    else if (broken) problem('the string has a character or an escape that JSON does not know');
    next();
    const escaped = value.length !== span.end - span.start;
    return { kind: 'string', span, text: value, ...(escaped && { raw: text.slice(span.start, span.end) }) };
  }

  function value(depth: number): JsonValue | undefined {
    switch (kind) {
      case openBrace:
      case openBracket:
        if (depth >= MAX_DEPTH) return tooDeep();
        return kind === openBrace ? object(depth) : array(depth);
      case stringLiteral:
        return string();
      case closeBrace:
      case closeBracket:
      case comma:
      case colon:
      case endOfFile:
        problem('a value is missing');
        return undefined;
      default:
        return scalar();
    }
  }

  function scalar(): JsonScalar | undefined {
    const span = tokenSpan();
    const written = text.slice(span.start, span.end);
    const known = /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(written);
    if (!known) problem('a value is missing its quotes');
    next();
    return known ? { kind: 'scalar', span, text: written } : undefined;
  }

  function object(depth: number): JsonObject {
    const { start, end: opened } = tokenSpan();
    const properties: JsonProperty[] = [];
    let end = opened;
    next();
    while (kind !== closeBrace && kind !== endOfFile) {
      end = tokenEnd();
      const plain = kind === stringLiteral && readPlainMembers(text, scanner.getTokenOffset(), properties);
      if (plain) {
        end = plain.end;
        scanner.setPosition(plain.next);
        next();
        if (!plain.isSeparated) separate(closeBrace);
      } else if (kind === stringLiteral) {
        const name = string();
        const read = propertyValue(depth, name);
        properties.push({ name, ...(read && { value: read }) });
        end = Math.max(end, read?.span.end ?? 0);
        separate(closeBrace);
      } else if (kind === closeBracket || kind === comma || kind === colon) {
        problem('a name is missing');
        next();
      } else {
        problem('a name is missing its quotes');
        skipValue();
        if (scannedKind() === colon) {
          next();
          value(depth + 1);
        }
        separate(closeBrace);
      }
    }
    return { kind: 'object', span: { start, end: close(end, 'the closing brace is missing') }, properties };
  }

  function propertyValue(depth: number, name: JsonString): JsonValue | undefined {
    if (kind !== colon) {
      problem('a colon and a value are missing', name.span);
      return undefined;
    }
    const line = scanner.getTokenStartLine();
    next();
    if (scannedKind() !== stringLiteral || scanner.getTokenStartLine() === line) return value(depth + 1);
    // A string on another line is the next name if a colon follows it, so the value is yet to be typed.
    const position = scanner.getTokenOffset();
    next();
    const isName = scannedKind() === colon;
    scanner.setPosition(position);
    next();
    if (!isName) return value(depth + 1);
    problem('a value is missing', name.span);
    return undefined;
  }

  function array(depth: number): JsonArray {
    const { start, end: opened } = tokenSpan();
    const items: JsonValue[] = [];
    let end = opened;
    next();
    while (kind !== closeBracket && kind !== closeBrace && kind !== endOfFile) {
      end = tokenEnd();
      const item = value(depth + 1);
      if (item) {
        items.push(item);
        end = item.span.end;
      } else if (kind === colon) next();
      separate(closeBracket);
    }
    // A brace here closes the object around, whose end is more likely meant.
    if (kind === closeBrace) problem('the closing bracket is missing', { start, end: opened });
    return {
      kind: 'array',
      span: { start, end: kind === closeBrace ? end : close(end, 'the closing bracket is missing') },
      items,
    };
  }

  function separate(closing: SyntaxKind): void {
    if (kind === comma) next();
    else if (kind !== closing && kind !== endOfFile) problem('a comma is missing');
  }

  function close(end: number, message: string): number {
    if (kind === endOfFile) {
      problem(message, { start: end, end });
      return end;
    }
    const closed = tokenEnd();
    next();
    return closed;
  }

  function tooDeep(): undefined {
    problem('values nested this deep are not read');
    skipValue();
  }

  /** Passes over one token, or over everything up to the bracket that closes it. */
  function skipValue(): void {
    let open = 0;
    do {
      if (kind === openBrace || kind === openBracket) open++;
      else if (kind === closeBrace || kind === closeBracket) open--;
      next();
    } while (open > 0 && kind !== endOfFile);
  }

  return { problems, begin, atEnd: () => kind === endOfFile, value, problem };
}

/**
 * A member as nearly all of a manifest are: two strings on one line, of all characters from the space on but quotes
 * and backslashes, with the comma behind it where another name follows.
 */
const plain = /"[ !#-[\]-\uffff]*"[ \t]*:[ \t]*"[ !#-[\]-\uffff]*"(?:[ \t\r\n]*,[ \t\r\n]*(?="))?/y;

/** Where plain members ended. */
export interface PlainMembers {
  /** Behind the text of the last value. */
  readonly end: number;
  /** Where to read on. */
  readonly next: number;
  /** Whether the comma behind the last one is read. */
  readonly isSeparated: boolean;
}

/**
 * Reads plain members one after another, many times as fast as token by token: the expression is machine code from the
 * second one on, when all else has yet to be compiled. It has no groups, which would be copied for each keystroke.
 * @param from the offset of the first name's quote
 * @param found receives them
 * @returns undefined where the first one is not plain
 */
export function readPlainMembers(text: string, from: number, found: JsonProperty[]): PlainMembers | undefined {
  let [at, end, isSeparated] = [from, from, true];
  while (isSeparated) {
    plain.lastIndex = at;
    if (!plain.test(text)) break;
    const nameEnd = text.indexOf('"', at + 1);
    const valueStart = text.indexOf('"', nameEnd + 1) + 1;
    end = text.indexOf('"', valueStart);
    found.push({ name: string(text, at + 1, nameEnd), value: string(text, valueStart, end) });
    at = plain.lastIndex;
    isSeparated = at > end + 1;
  }
  return at === from ? undefined : { end, next: at, isSeparated };
}

function string(text: string, start: number, end: number): JsonString {
  return { kind: 'string', span: { start, end }, text: text.slice(start, end) };
}
