import type { Problem, Span } from '../model/span.ts';
import { mostProblems } from '../text/limits.ts';

/** What a build script is made of, in Groovy or in Kotlin. Comments and blanks are left out. */
export type Token = Word | ScriptString | Mark;

/** A name, a keyword or a number. */
export interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly span: Span;
}

/** `span` lies inside the quotes. */
export interface ScriptString {
  readonly kind: 'string';
  readonly span: Span;
  /** Behind the closing quotes. */
  readonly end: number;
  /** None where the string has escapes, or is a pattern between slashes: no version is written like that. */
  readonly pieces: readonly Piece[];
}

/** A punctuation mark, one character, but for the arrow; a line end is `\n`. */
export interface Mark {
  readonly kind: 'mark';
  readonly text: string;
  readonly span: Span;
}

/**
 *     "org.example:core:1.$minor"     text `org.example:core:1.`, expression `minor`
 *                         ^^^^^^
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly span: Span; readonly quote: '"' | "'" }
  | { readonly kind: 'expression'; readonly text: string; readonly span: Span };

const limits = {
  /** Longer ones are calculations, whose value only a build could say. */
  expression: 500,
  /** Of one string. Those of a dependency have three or four, and of a longer one the rest is plain text. */
  pieces: 100,
  /** Scripts that people write stay below 20,000. What stands behind this many is left out. */
  tokens: 200_000,
};

const blanks = /[ \t\r\f\uFEFF]+/y;
/*
 * What repeats takes the stack along, so nothing repeats without end. A longer name is several words, a longer pattern
 * several marks: nobody writes either.
 */
const word = /[\p{L}\p{N}_]{1,1000}|`[^`\r\n]{0,1000}`/uy;
/** A pattern can only stand where a value begins. */
const pattern = /\/(?![/*])(?:[^/\\\r\n]|\\[^\r\n]){1,1000}\//y;
const beforeValue: ReadonlySet<string> = new Set(['(', ',', '=', '[', '~', ':']);
const simpleReference = /\$[\p{L}_][\p{L}\p{N}_]{0,200}(?:\.[\p{L}_][\p{L}\p{N}_]{0,200}){0,20}/uy;

/** Never throws. What follows an open quote is read up to the end of its line. */
export function readTokens(text: string): { readonly tokens: readonly Token[]; readonly problems: readonly Problem[] } {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  for (let at = 0; at < text.length && tokens.length < limits.tokens; ) at = next(at);
  return { tokens, problems };

  function next(at: number): number {
    const blank = endOf(blanks, at);
    if (blank > at) return blank;
    const char = text[at] ?? '';
    if (char === '"' || char === "'") return string(at, char);
    if (char === '/' && text[at + 1] === '/') return find('\n', at);
    if (char === '/' && text[at + 1] === '*') return find('*/', at + 2, 2);
    if (char === '/' && beforeValue.has(lastMark() ?? '')) {
      const end = endOf(pattern, at);
      if (end > at) {
        tokens.push({ kind: 'string', span: { start: at + 1, end: end - 1 }, end, pieces: [] });
        return end;
      }
    }
    const wordEnd = endOf(word, at);
    if (wordEnd > at) {
      const name = text.slice(at, wordEnd).replaceAll('`', '');
      tokens.push({ kind: 'word', text: name, span: { start: at, end: wordEnd } });
      return wordEnd;
    }
    const end = at + (text.startsWith('->', at) ? 2 : 1);
    tokens.push({ kind: 'mark', text: text.slice(at, end), span: { start: at, end } });
    return end;
  }

  function lastMark(): string | undefined {
    const last = tokens.at(-1);
    return last?.kind === 'mark' ? last.text : undefined;
  }

  function string(at: number, quote: '"' | "'"): number {
    const long = text.startsWith(quote.repeat(3), at);
    const marks = long ? 3 : 1;
    const start = at + marks;
    const pieces: Piece[] = [];
    let escaped = false;
    let from = start;
    let end = start;
    for (; end < text.length; ) {
      const char = text[end];
      if (long ? text.startsWith(quote.repeat(3), end) : char === quote) break;
      if (!long && (char === '\n' || char === '\r')) break;
      if (char === '\\') {
        escaped = true;
        end += text[end + 1] === '\n' || text[end + 1] === '\r' ? 1 : 2;
      } else if (char === '$' && quote === '"' && pieces.length < limits.pieces) {
        const after = expressionEnd(end);
        if (after > end) {
          flush(end);
          const braced = text[end + 1] === '{';
          const expression = braced ? text.slice(end + 2, after - 1) : text.slice(end + 1, after);
          pieces.push({ kind: 'expression', text: expression, span: { start: end, end: after } });
          from = after;
        }
        end = Math.max(after, end + 1);
      } else end++;
    }
    end = Math.min(end, text.length);
    flush(end);
    if (end >= text.length || text[end] !== quote) problem('the closing quote is missing', { start: at, end });
    const behind = text[end] === quote ? end + marks : end;
    tokens.push({
      kind: 'string',
      span: { start: Math.min(start, end), end },
      end: behind,
      pieces: escaped ? [] : pieces,
    });
    return behind;

    function flush(to: number): void {
      if (to > from) pieces.push({ kind: 'text', text: text.slice(from, to), span: { start: from, end: to }, quote });
    }
  }

  /** Behind the expression that begins with the dollar at `at`; `at` where there is none. */
  function expressionEnd(at: number): number {
    if (text[at + 1] !== '{') return endOf(simpleReference, at);
    let depth = 0;
    const last = Math.min(text.length, at + limits.expression);
    for (let i = at + 1; i < last && text[i] !== '\n'; i++) {
      if (text[i] === '{') depth++;
      else if (text[i] === '}' && --depth === 0) return i + 1;
    }
    return at;
  }

  function endOf(expression: RegExp, at: number): number {
    expression.lastIndex = at;
    return expression.test(text) ? expression.lastIndex : at;
  }

  function find(searched: string, at: number, length = 0): number {
    const found = text.indexOf(searched, at);
    return found < 0 ? text.length : found + length;
  }

  function problem(message: string, span: Span): void {
    if (problems.length < mostProblems) problems.push({ span, message });
  }
}
