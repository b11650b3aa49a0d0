import { MAX_PROBLEMS } from '../../formats/text/limits.ts';
import type { Problem, Span } from '../../model/span.ts';

/** What a build script is made of, in Groovy or in Kotlin. Comments and blanks are left out. */
export type Token = Word | ScriptString | Mark;

/** A name, a keyword or a number. */
export class Word {
  readonly kind = 'word';
  readonly text: string;
  readonly start: number;
  readonly end: number;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.start = start;
    this.end = end;
  }

  get span(): Span {
    return { start: this.start, end: this.end };
  }
}

/** A punctuation mark, one character, but for the arrow; a line end is `\n`. */
export class Mark {
  readonly kind = 'mark';
  readonly text: string;
  readonly start: number;

  constructor(text: string, start: number) {
    this.text = text;
    this.start = start;
  }

  get end(): number {
    return this.start + this.text.length;
  }
}

/** Most strings of a script are never asked what they are made of, or where they stand. */
export class ScriptString {
  readonly kind = 'string';
  /** The opening quotes. */
  readonly start: number;
  /** Behind the closing quotes. */
  readonly end: number;
  readonly #from: number;
  readonly #to: number;
  readonly #source: string;
  #pieces: readonly Piece[] | undefined;

  /** @param inner what lies inside the quotes */
  constructor(start: number, inner: Span, end: number, source: string, pieces?: readonly Piece[]) {
    this.start = start;
    this.end = end;
    this.#from = inner.start;
    this.#to = inner.end;
    this.#source = source;
    this.#pieces = pieces;
  }

  /** Inside the quotes. */
  get span(): Span {
    return { start: this.#from, end: this.#to };
  }

  /** None where the string has escapes, or is a pattern between slashes: no version is written like that. */
  get pieces(): readonly Piece[] {
    this.#pieces ??= this.#plain();
    return this.#pieces;
  }

  #plain(): readonly Piece[] {
    const { span } = this;
    if (span.start === span.end) return [];
    const quote = this.#source[span.start - 1] === '"' ? '"' : "'";
    return [{ kind: 'text', text: this.#source.slice(span.start, span.end), span, quote }];
  }
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

const none: readonly never[] = [];

/*
 * What repeats takes the stack along, so nothing repeats without end. A longer name is several words, a longer pattern
 * several marks: nobody writes either.
 */
const word = /[\p{L}\p{N}_]{1,1000}|`[^`\r\n]{0,1000}`/uy;
/** A pattern can only stand where a value begins. */
const pattern = /\/(?![/*])(?:[^/\\\r\n]|\\[^\r\n]){1,1000}\//y;
const beforeValue: ReadonlySet<string> = new Set(['(', ',', '=', '[', '~', ':']);
const simpleReference = /\$[\p{L}_][\p{L}\p{N}_]{0,200}(?:\.[\p{L}_][\p{L}\p{N}_]{0,200}){0,20}/uy;

/** What a character begins or goes on with, for those of ASCII. */
const blank = 1;
const letter = 2;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[ \t\r\f]/.test(char) ? blank : /\w/.test(char) ? letter : 0;
});
/** Marks that part statements: nobody asks where they stand, so one of each is enough. */
const parting: ReadonlyMap<number, Mark> = new Map(Array.from('\n;{}', (it) => [it.charCodeAt(0), new Mark(it, 0)]));
const arrow = new Mark('->', 0);
/** One text for each punctuation mark, however often it stands there. */
const marks = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const code = (char: string): number => char.charCodeAt(0);
const codes = {
  slash: code('/'),
  star: code('*'),
  double: code('"'),
  single: code("'"),
  backslash: code('\\'),
  dollar: code('$'),
  newline: code('\n'),
  return: code('\r'),
  minus: code('-'),
  greater: code('>'),
  mark: 0xfeff,
} as const;

/** Never throws. What follows an open quote is read up to the end of its line. */
export function readTokens(text: string): { readonly tokens: readonly Token[]; readonly problems: readonly Problem[] } {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  for (let at = 0; at < text.length && tokens.length < limits.tokens; ) at = next(at);
  return { tokens, problems };

  function next(at: number): number {
    const char = text.charCodeAt(at);
    const kind = kinds[char] ?? 0;
    if (kind === blank || char === codes.mark) return at + 1;
    if (kind === letter) {
      const end = wordEnd(at);
      tokens.push(new Word(text.slice(at, end), at, end));
      return end;
    }
    if (char === codes.double || char === codes.single) return string(at, char);
    if (char === codes.slash) {
      const following = text.charCodeAt(at + 1);
      if (following === codes.slash) return find('\n', at);
      if (following === codes.star) return find('*/', at + 2, 2);
      const end = beforeValue.has(lastMark() ?? '') ? endOf(pattern, at) : at;
      if (end > at) {
        tokens.push(new ScriptString(at, { start: at + 1, end: end - 1 }, end, text, []));
        return end;
      }
    }
    const end = char > 127 || marks[char] === '`' ? endOf(word, at) : at;
    if (end > at) {
      tokens.push(new Word(text.slice(at, end).replaceAll('`', ''), at, end));
      return end;
    }
    const part = parting.get(char);
    if (part !== undefined) {
      // Of empty lines nothing depends on how many they are.
      if (char !== codes.newline || tokens.at(-1) !== part) tokens.push(part);
      return at + 1;
    }
    if (char === codes.minus && text.charCodeAt(at + 1) === codes.greater) {
      tokens.push(arrow);
      return at + 2;
    }
    const mark = marks[char] ?? text.charAt(at);
    tokens.push(new Mark(mark, at));
    return at + mark.length;
  }

  /** Of a name that begins with a letter of ASCII. */
  function wordEnd(at: number): number {
    let end = at + 1;
    while (kinds[text.charCodeAt(end)] === letter) end++;
    return text.charCodeAt(end) > 127 ? Math.max(end, endOf(word, at)) : end;
  }

  function lastMark(): string | undefined {
    const last = tokens.at(-1);
    return last?.kind === 'mark' ? last.text : undefined;
  }

  function string(at: number, quote: number): number {
    const isLong = text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
    const length = isLong ? 3 : 1;
    const start = at + length;
    const sign = quote === codes.double ? '"' : "'";
    let pieces: Piece[] | undefined;
    let escaped = false;
    let from = start;
    let end = start;
    for (; end < text.length; ) {
      const char = text.charCodeAt(end);
      if (char === quote && (!isLong || text.startsWith(sign.repeat(3), end))) break;
      if (!isLong && (char === codes.newline || char === codes.return)) break;
      if (char === codes.backslash) {
        const following = text.charCodeAt(end + 1);
        escaped = true;
        end += following === codes.newline || following === codes.return ? 1 : 2;
      } else if (char === codes.dollar && quote === codes.double && (pieces?.length ?? 0) < limits.pieces) {
        const after = expressionEnd(end);
        if (after > end) {
          pieces ??= [];
          flush(pieces, text, from, end, sign);
          const isBraced = text[end + 1] === '{';
          const expression = isBraced ? text.slice(end + 2, after - 1) : text.slice(end + 1, after);
          pieces.push({ kind: 'expression', text: expression, span: { start: end, end: after } });
          from = after;
        }
        end = Math.max(after, end + 1);
      } else end++;
    }
    end = Math.min(end, text.length);
    if (pieces) flush(pieces, text, from, end, sign);
    const isClosed = text.charCodeAt(end) === quote;
    if (!isClosed) problem('the closing quote is missing', { start: at, end });
    const behind = isClosed ? end + length : end;
    tokens.push(new ScriptString(at, { start: Math.min(start, end), end }, behind, text, escaped ? none : pieces));
    return behind;
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
    if (problems.length < MAX_PROBLEMS) problems.push({ span, message });
  }
}

/** Adds the text between two places to the pieces of a string. */
function flush(into: Piece[], text: string, from: number, to: number, quote: '"' | "'"): void {
  if (to > from) into.push({ kind: 'text', text: text.slice(from, to), span: { start: from, end: to }, quote });
}
