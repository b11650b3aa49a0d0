import { addTo } from '../model/grouped.ts';
import type { PythonTokens } from './python-tokens.ts';

/** A stretch of tokens, `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is assigned to an entry of a dictionary: `extras["test"] = …`. */
export interface Entry {
  readonly key: string;
  readonly value: Range;
}

/** `name = …`, `name: list[str] = …`, `name += …`, `name.append(…)` and the like, at the start of a statement. */
export function variablesOf(source: PythonTokens): ReadonlyMap<string, Range[]> {
  const variables = new Map<string, Range[]>();
  for (const [at, { kind, text }] of source.tokens.entries()) {
    if (kind !== 'word' || !isStart(source, at)) continue;
    const range = assigned(source, at + 1);
    if (range) addTo(variables, text, range);
  }
  return variables;
}

/** `name["test"] = …` at the start of a statement. */
export function entriesOf(source: PythonTokens): ReadonlyMap<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const [at, { kind, text }] of source.tokens.entries()) {
    const key = source.tokens[at + 2];
    if (kind !== 'word' || key?.kind !== 'string' || source.close[at + 1] !== at + 3 || !isStart(source, at)) continue;
    const sign = signAt(source, at + 4) === '+' ? at + 5 : at + 4;
    if (signAt(source, sign) !== '=' || signAt(source, sign + 1) === '=') continue;
    addTo(entries, text, { key: key.text, value: { from: sign + 1, to: endOfValue(source, sign + 1) } });
  }
  return entries;
}

function assigned(source: PythonTokens, at: number): Range | undefined {
  const { tokens, close } = source;
  const sign = signAt(source, at);
  const method = sign === '.' ? tokens[at + 1]?.text : undefined;
  const end = method === undefined ? undefined : close[at + 2];
  // The parentheses around what is appended read as those of a tuple.
  if (end !== undefined && (method === 'append' || method === 'insert')) return { from: at + 2, to: end + 1 };
  if (end !== undefined && (method === 'extend' || method === 'update')) return { from: at + 3, to: end };
  // A type stands between the colon and the sign.
  const equals = sign === ':' ? endOfValue(source, at + 1) : sign === '+' ? at + 1 : at;
  if (signAt(source, equals) !== '=' || signAt(source, equals + 1) === '=') return undefined;
  return { from: equals + 1, to: endOfValue(source, equals + 1) };
}

export function isStart(source: PythonTokens, at: number): boolean {
  return at === 0 || ['\n', ';', ':'].includes(signAt(source, at - 1) ?? '');
}

/** No value has one of these in it outside brackets, but for what is worked out when the script runs. */
const enders: ReadonlySet<string> = new Set([',', ')', ']', '}', '\n', ';', '=', ':']);

export function endOfValue(source: PythonTokens, from: number): number {
  let at = from;
  while (at < source.tokens.length && !enders.has(signAt(source, at) ?? '')) at = (source.close[at] ?? at) + 1;
  return Math.min(at, source.tokens.length);
}

/** The stretches between a sign that stands outside brackets. */
export function* parts(source: PythonTokens, { from, to }: Range, separator: string): Generator<Range> {
  let start = from;
  for (let at = from; at < to; at = (source.close[at] ?? at) + 1) {
    if (signAt(source, at) !== separator) continue;
    if (at > start) yield { from: start, to: at };
    start = at + 1;
  }
  if (to > start) yield { from: start, to };
}

/** `["a"] if condition else ["b"]`: what comes before a condition, and behind the last. */
export function alternatives({ tokens, close }: PythonTokens, { from, to }: Range): Range[] {
  const found: Range[] = [];
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

/** What stands between the brackets, where a stretch is one pair of them, the closing one perhaps yet to be typed. */
export function insideOf({ close }: PythonTokens, { from, to }: Range): Range | undefined {
  const end = close[from];
  return end === to || end === to - 1 ? { from: from + 1, to: end } : undefined;
}

export function signAt({ tokens }: PythonTokens, at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'sign' ? token.text : undefined;
}
