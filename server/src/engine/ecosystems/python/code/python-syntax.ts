import { addTo } from '../../../base/collections.ts';
import { endOfMatch } from '../../../formats/text/lines.ts';

/** A range of tokens, `to` exclusive. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** An assignment to an entry of a dictionary: `extras["test"] = …`. */
export interface DictEntry {
  readonly key: string;
  readonly value: TokenRange;
}

/** `name = …`, `name: list[str] = …`, `name += …`, `name.append(…)` and the like, at the start of a statement. */
export function findVariables(source: PythonTokens): ReadonlyMap<string, TokenRange[]> {
  const variables = new Map<string, TokenRange[]>();
  for (const [at, { kind, text }] of source.tokens.entries()) {
    if (kind !== 'word' || !isStatementStart(source, at)) continue;
    const range = assignedRange(source, at + 1);
    if (range) addTo(variables, text, range);
  }
  return variables;
}

/** `name["test"] = …` at the start of a statement. */
export function findDictEntries(source: PythonTokens): ReadonlyMap<string, DictEntry[]> {
  const entries = new Map<string, DictEntry[]>();
  for (const [at, { kind, text }] of source.tokens.entries()) {
    const key = source.tokens[at + 2];
    if (kind !== 'word' || key?.kind !== 'string' || source.close[at + 1] !== at + 3 || !isStatementStart(source, at))
      continue;
    const sign = punctuationAt(source, at + 4) === '+' ? at + 5 : at + 4;
    if (punctuationAt(source, sign) !== '=' || punctuationAt(source, sign + 1) === '=') continue;
    addTo(entries, text, { key: key.text, value: { from: sign + 1, to: endOfValue(source, sign + 1) } });
  }
  return entries;
}

function assignedRange(source: PythonTokens, at: number): TokenRange | undefined {
  const { tokens, close } = source;
  const sign = punctuationAt(source, at);
  const method = sign === '.' ? tokens[at + 1]?.text : undefined;
  const end = method === undefined ? undefined : close[at + 2];
  // The parentheses of the call are read as those of a tuple.
  if (end !== undefined && (method === 'append' || method === 'insert')) return { from: at + 2, to: end + 1 };
  if (end !== undefined && (method === 'extend' || method === 'update')) return { from: at + 3, to: end };
  // Between the colon and the equals sign is a type.
  const equals = sign === ':' ? endOfValue(source, at + 1) : sign === '+' ? at + 1 : at;
  if (punctuationAt(source, equals) !== '=' || punctuationAt(source, equals + 1) === '=') return undefined;
  return { from: equals + 1, to: endOfValue(source, equals + 1) };
}

export function isStatementStart(source: PythonTokens, at: number): boolean {
  return at === 0 || ['\n', ';', ':'].includes(punctuationAt(source, at - 1) ?? '');
}

/** Ends of a value. Only an expression that the script evaluates contains one of them outside of brackets. */
const valueEnds: ReadonlySet<string> = new Set([',', ')', ']', '}', '\n', ';', '=', ':']);

export function endOfValue(source: PythonTokens, from: number): number {
  let at = from;
  while (at < source.tokens.length && !valueEnds.has(punctuationAt(source, at) ?? ''))
    at = (source.close[at] ?? at) + 1;
  return Math.min(at, source.tokens.length);
}

/** Splits at a separator outside of brackets. */
export function* splitTokens(source: PythonTokens, { from, to }: TokenRange, separator: string): Generator<TokenRange> {
  let start = from;
  for (let at = from; at < to; at = (source.close[at] ?? at) + 1) {
    if (punctuationAt(source, at) !== separator) continue;
    if (at > start) yield { from: start, to: at };
    start = at + 1;
  }
  if (to > start) yield { from: start, to };
}

/** The values of a conditional expression: `["a"]` and `["b"]` of `["a"] if condition else ["b"]`. */
export function conditionalBranches({ tokens, close }: PythonTokens, { from, to }: TokenRange): TokenRange[] {
  const found: TokenRange[] = [];
  let start = from;
  let decides: number | undefined;
  for (let at = from; at < to; at = (close[at] ?? at) + 1) {
    const token = tokens[at];
    if (token?.kind !== 'word') continue;
    if (token.text === 'if') decides ??= at;
    if (token.text !== 'else' || decides === undefined) continue;
    found.push({ from: start, to: decides });
    start = at + 1;
    decides = undefined;
  }
  return [...found, { from: start, to }];
}

/** The tokens between the brackets of a range that is one pair of them; the closing one may be missing. */
export function bracketContents({ close }: PythonTokens, { from, to }: TokenRange): TokenRange | undefined {
  const end = close[from];
  return end === to || end === to - 1 ? { from: from + 1, to: end } : undefined;
}

export function punctuationAt({ tokens }: PythonTokens, at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'punctuation' ? token.text : undefined;
}

/** A token of Python's source. Spaces, comments, and line ends inside of brackets are left out. */
export type PythonToken = PythonString | PythonWord | PythonPunctuation;

/** `start` and `end` are inside the quotes; the escapes in `text` are not decoded. */
export interface PythonString {
  readonly kind: 'string';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** It is an f-string with expressions, or bytes. */
  readonly isComputed: boolean;
  /** Its closing quotes are missing. */
  readonly isUnterminated: boolean;
}

interface PythonWord {
  readonly kind: 'word';
  readonly text: string;
}

interface PythonPunctuation {
  readonly kind: 'punctuation';
  /** One character; `'\n'` is a line end. */
  readonly text: string;
}

export interface PythonTokens {
  readonly tokens: readonly PythonToken[];
  /** For an opening bracket the index of its closing one; without one, the end of its possible contents. */
  readonly close: readonly (number | undefined)[];
}

/** Scripts that people write stay below 5000. The rest of a longer one is left out. */
const MAX_TOKENS = 200_000;

const blanks = /[ \t\f\r]+|\\\r?\n|#[^\n]*/y;
const quotes = /([bBfFrRtTuU]{0,2})('''|"""|'|")/y;
const word = /[\w\u0080-\ufffe]+/y;
const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Never throws: broken source yields odd tokens. */
export function tokenizePython(text: string): PythonTokens {
  const tokens: PythonToken[] = [];
  const close: (number | undefined)[] = [];
  const opened: number[] = [];
  /** The number of open brackets of each kind: a closing one without an opening one is skipped. */
  const counts: Record<string, number> = { '(': 0, '[': 0, '{': 0 };
  let at = text.startsWith('\uFEFF') ? 1 : 0;

  while (at < text.length && tokens.length < MAX_TOKENS) {
    const behind = endOfMatch(blanks, text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    quotes.lastIndex = at;
    const [mark, prefix = '', quote = ''] = quotes.exec(text) ?? [];
    if (mark !== undefined) {
      const start = at + mark.length;
      const end = endOfString(text, start, quote);
      const inner = text.slice(start, end);
      const isUnterminated = !text.startsWith(quote, end);
      tokens.push({ kind: 'string', text: inner, start, end, isComputed: isComputed(prefix, inner), isUnterminated });
      close.push(undefined);
      at = isUnterminated ? end : end + quote.length;
      continue;
    }
    const end = endOfMatch(word, text, at);
    if (end > at) {
      tokens.push({ kind: 'word', text: text.slice(at, end) });
      close.push(undefined);
    } else addPunctuation(text[at] ?? '');
    at = Math.max(end, at + 1);
  }
  for (const it of opened) close[it] = tokens.length;
  return { tokens, close };

  function addPunctuation(character: string): void {
    if (character === '\n' && (opened.length > 0 || tokens.at(-1)?.text === '\n')) return;
    const opener = openers[character];
    if (opener !== undefined && counts[opener] === 0) return;
    while (opener !== undefined) {
      const last = opened.pop();
      const open = last === undefined ? undefined : tokens[last];
      if (last === undefined || open === undefined) break;
      close[last] = tokens.length;
      counts[open.text] = (counts[open.text] ?? 1) - 1;
      if (open.text === opener) break;
    }
    if (counts[character] !== undefined) {
      opened.push(tokens.length);
      counts[character]++;
    }
    tokens.push({ kind: 'punctuation', text: character });
    close.push(undefined);
  }
}

/** The offset of the closing quotes. Without them, a string ends with its line, a triple-quoted one with the text. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at;
    else if (text[at] === '\n' && quote.length === 1) return text[at - 1] === '\r' && at > start ? at - 1 : at;
  }
  return text.length;
}

function isComputed(prefix: string, text: string): boolean {
  return /b/i.test(prefix) || (/[ft]/i.test(prefix) && text.includes('{'));
}
