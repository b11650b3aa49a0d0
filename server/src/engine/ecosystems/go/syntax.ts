import { MAX_PROBLEMS } from '../../formats/text/limits.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';

/** A word of a go.mod or go.work: an identifier, a text in quotes (`span` lies inside them), `=>` or a bracket. */
export type GoWord = Literal;

/** A directive, or a line of its block. */
export interface GoLine {
  /** `require`, `replace`, …: in a block, the one before the parenthesis. */
  readonly verb: string;
  /** The words behind the verb. */
  readonly words: readonly GoWord[];
  /** The comment at its end, without its slashes; undefined where it has none. */
  readonly comment: string | undefined;
  /** Where its comment begins, else where it ends. */
  readonly end: number;
}

export interface GoFile {
  readonly lines: readonly GoLine[];
  readonly problems: readonly Problem[];
}

/** Source: the Go modules reference, the grammars of go.mod and go.work. */
const verbs: ReadonlySet<string> = new Set([
  'module',
  'go',
  'toolchain',
  'godebug',
  'tool',
  'ignore',
  'require',
  'exclude',
  'replace',
  'retract',
  'use',
]);

/**
 * Reads the lines of a go.mod or go.work. Never throws.
 *
 *     require (
 *       golang.org/x/text v0.3.0 // indirect      { verb: 'require', words: […, …], comment: 'indirect' }
 *     )
 */
export function readGoFile(text: string): GoFile {
  const lines: GoLine[] = [];
  const problems: Problem[] = [];
  let block: { readonly verb: string; readonly span: Span } | undefined;
  let at = text.startsWith('\uFEFF') ? 1 : 0;

  while (at < text.length) {
    const { words, comment, end, next } = readWords(text, at, problem);
    at = next;
    const [first, ...rest] = words;
    if (!first) continue;
    if (block && !opensAnother(words)) {
      if (first.text === ')') block = undefined;
      else lines.push({ verb: block.verb, words, comment, end });
      continue;
    }
    if (block) problem(block.span, 'the closing parenthesis is missing');
    block = undefined;
    if (!verbs.has(first.text)) problem(first.span, `${first.text} is no directive`);
    else if (rest[0]?.text !== '(') lines.push({ verb: first.text, words: rest, comment, end });
    else if (rest[1]?.text !== ')') block = { verb: first.text, span: first.span };
  }
  if (block) problem(block.span, 'the closing parenthesis is missing');
  return { lines, problems };

  function problem(span: Span, message: string): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ span, message });
  }
}

/** `replace (` in a block, or a whole directive: the block above was never closed. */
function opensAnother([first, second, third]: readonly GoWord[]): boolean {
  return first !== undefined && verbs.has(first.text) && (second?.text === '(' || third !== undefined);
}

interface Words {
  readonly words: readonly GoWord[];
  readonly comment: string | undefined;
  readonly end: number;
  /** The start of the next line. */
  readonly next: number;
}

/** The words of a line; a raw text, between backquotes, may not go over its end. */
function readWords(text: string, start: number, problem: (span: Span, message: string) => void): Words {
  const words: GoWord[] = [];
  const feed = text.indexOf('\n', start);
  const next = feed < 0 ? text.length + 1 : feed + 1;
  // A carriage return is of the line's end: nothing is written behind it.
  const end = text.charAt(next - 2) === '\r' ? next - 2 : next - 1;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) at++;
    else if (text.startsWith('//', at)) return { words, comment: text.slice(at + 2, end).trim(), end: at, next };
    else if (code === doubleQuote || code === backquote) {
      const close = closing(text, at, end);
      const isClosed = close < end;
      if (!isClosed) problem({ start: at, end: at + 1 }, 'the closing quote is missing');
      // An unclosed string ends where it would without quotes, which it seldom needs.
      const span = { start: at + 1, end: isClosed ? close : endOfWord(text, at + 1, end) };
      words.push(quoted(text.slice(span.start, span.end), span, code));
      at = isClosed ? close + 1 : span.end;
    } else {
      const span = { start: at, end: isBracket(code) ? at + 1 : endOfWord(text, at + 1, end) };
      words.push({ span, text: text.slice(span.start, span.end), encode: plain });
      at = span.end;
    }
  }
  return { words, comment: undefined, end, next };
}

const doubleQuote = '"'.charCodeAt(0);
const backquote = '`'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

/** `(`, `)`, `[`, `]`, `{`, `}` and the comma are words of their own. */
function isBracket(code: number): boolean {
  return code === 40 || code === 41 || code === 91 || code === 93 || code === 123 || code === 125 || code === 44;
}

/** Where a word that has begun before `from` ends: at a blank, a bracket, a comment or the end of the line. */
function endOfWord(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isSpace(text.charCodeAt(at)) && !isBracket(text.charCodeAt(at)) && !text.startsWith('//', at))
    at++;
  return at;
}

function closing(text: string, open: number, end: number): number {
  const quote = text.charCodeAt(open);
  let at = open + 1;
  while (at < end && text.charCodeAt(at) !== quote) {
    at += quote === doubleQuote && text.charCodeAt(at) === backslash ? 2 : 1;
  }
  return at;
}

function quoted(written: string, span: Span, quote: number): GoWord {
  if (quote === backquote || !written.includes('\\')) return { span, text: written, encode: plain };
  return { span, text: written.replace(escaped, decode), encode: (value) => JSON.stringify(value).slice(1, -1) };
}

/** Those of Go's escapes that a path could have. */
const escaped = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/g;

function decode(_: string, four: string | undefined, two: string | undefined, one: string | undefined): string {
  return one ?? String.fromCharCode(Number.parseInt(four ?? two ?? '', 16));
}

function plain(value: string): string {
  return value;
}

/** Source: golang.org/x/mod/modfile, which takes `indirect` alone or with a reason behind a semicolon. */
export function isIndirect(comment = ''): boolean {
  return comment === 'indirect' || comment.startsWith('indirect;');
}
