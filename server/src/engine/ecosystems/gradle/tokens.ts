import { MAX_PROBLEMS } from '../../formats/text/limits.ts';
import { endOfMatch } from '../../formats/text/lines.ts';
import type { Problem, Span } from '../../model/span.ts';

/** A token of a build script in Groovy or in Kotlin. There are none for comments and blanks. */
export type Token = Word | ScriptString | Punctuation;

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

/** One punctuation character, or the arrow; a line end is `\n`. */
export class Punctuation {
  readonly kind = 'punctuation';
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

/** A string. Its span and its pieces are made on demand: most strings of a script need neither. */
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

  /** @param inner inside the quotes */
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

  /** Empty for a string with escapes, or a pattern between slashes: no version is written that way. */
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

/** In characters. A longer expression is a calculation, whose value only a build knows. */
export const MAX_EXPRESSION_LENGTH = 500;
/** Pieces of one string. Those of a dependency have three or four; the rest of a longer one is plain text. */
const MAX_STRING_PIECES = 100;
/** Scripts that people write stay below 20,000. The rest of a longer one is left out. */
const MAX_TOKENS = 200_000;

const none: readonly never[] = [];

/*
 * A repeated group exhausts the stack for a long text, so each repetition has a limit. A name or a pattern beyond it, which
 * no real script has, becomes several tokens.
 */
const word = /[\p{L}\p{N}_]{1,1000}|`[^`\r\n]{0,1000}`/uy;
/** A pattern, which can only be at the start of a value. */
const pattern = /\/(?![/*])(?:[^/\\\r\n]|\\[^\r\n]){1,1000}\//y;
const beforeValue: ReadonlySet<string> = new Set(['(', ',', '=', '[', '~', ':']);
/** In Groovy a line continues behind a backslash. */
const continuation = /\\[ \t]{0,1000}\r?\n/y;
const simpleReference = /\$[\p{L}_][\p{L}\p{N}_]{0,200}(?:\.[\p{L}_][\p{L}\p{N}_]{0,200}){0,20}/uy;

/** The class of each ASCII character. */
const blank = 1;
const letter = 2;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[ \t\r\f]/.test(char) ? blank : /\w/.test(char) ? letter : 0;
});
/** Separators of statements. Their positions are not needed, so one token of each is enough. */
const separators: ReadonlyMap<number, Punctuation> = new Map(
  Array.from('\n;{}', (it) => [it.charCodeAt(0), new Punctuation(it, 0)]),
);
const arrow = new Punctuation('->', 0);
/** One shared text for each punctuation character. */
const punctuationTexts = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
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

/**
 * Never throws. An unterminated string ends with its line.
 * @param from the offset to begin at
 */
export function tokenize(
  text: string,
  from = 0,
): { readonly tokens: readonly Token[]; readonly problems: readonly Problem[] } {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  for (let at = from; at < text.length && tokens.length < MAX_TOKENS; ) at = next(at);
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
    if (char === codes.backslash) {
      const lineEnd = endOfMatch(continuation, text, at);
      if (lineEnd > at) return lineEnd;
      if (text[at + 1] === 'u') problem('escapes outside of strings are not read', { start: at, end: at + 2 });
    }
    if (char === codes.slash) {
      const following = text.charCodeAt(at + 1);
      if (following === codes.slash) return find('\n', at);
      if (following === codes.star) return find('*/', at + 2, 2);
      const end = beforeValue.has(lastPunctuation() ?? '') ? endOfMatch(pattern, text, at) : at;
      if (end > at) {
        tokens.push(new ScriptString(at, { start: at + 1, end: end - 1 }, end, text, []));
        return end;
      }
    }
    if (char === codes.dollar && text.charCodeAt(at + 1) === codes.slash) {
      const end = find('/$', at + 2, 2);
      tokens.push(new ScriptString(at, { start: at + 2, end: Math.max(at + 2, end - 2) }, end, text, []));
      return end;
    }
    const end = char > 127 || punctuationTexts[char] === '`' ? endOfMatch(word, text, at) : at;
    if (end > at) {
      tokens.push(new Word(text.slice(at, end).replaceAll('`', ''), at, end));
      return end;
    }
    const part = separators.get(char);
    if (part !== undefined) {
      // Several line ends in a row are one.
      if (char !== codes.newline || tokens.at(-1) !== part) tokens.push(part);
      return at + 1;
    }
    if (char === codes.minus && text.charCodeAt(at + 1) === codes.greater) {
      tokens.push(arrow);
      return at + 2;
    }
    const mark = punctuationTexts[char] ?? text.charAt(at);
    tokens.push(new Punctuation(mark, at));
    return at + mark.length;
  }

  /** The end of a name that begins with an ASCII letter. */
  function wordEnd(at: number): number {
    let end = at + 1;
    while (kinds[text.charCodeAt(end)] === letter) end++;
    return text.charCodeAt(end) > 127 ? Math.max(end, endOfMatch(word, text, at)) : end;
  }

  function lastPunctuation(): string | undefined {
    const last = tokens.at(-1);
    return last?.kind === 'punctuation' ? last.text : undefined;
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
      } else if (char === codes.dollar && quote === codes.double && (pieces?.length ?? 0) < MAX_STRING_PIECES) {
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
    // Of more than three quotes the last three close. Source: Kotlin's grammar, of multi-line strings.
    if (isLong && end < text.length) while (text.charCodeAt(end + length) === quote) end++;
    if (pieces) flush(pieces, text, from, end, sign);
    const isClosed = text.charCodeAt(end) === quote;
    if (!isClosed) problem('the closing quote is missing', { start: at, end });
    const behind = isClosed ? end + length : end;
    tokens.push(new ScriptString(at, { start: Math.min(start, end), end }, behind, text, escaped ? none : pieces));
    return behind;
  }

  /** The offset behind the expression at the dollar at `at`; `at` where there is none. */
  function expressionEnd(at: number): number {
    if (text[at + 1] !== '{') return endOfMatch(simpleReference, text, at);
    let depth = 0;
    const last = Math.min(text.length, at + MAX_EXPRESSION_LENGTH);
    for (let i = at + 1; i < last && text[i] !== '\n'; i++) {
      if (text[i] === '{') depth++;
      else if (text[i] === '}' && --depth === 0) return i + 1;
    }
    return at;
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
