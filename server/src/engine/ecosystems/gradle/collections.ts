import type { MapEntry } from './script.ts';
import { bracketContents, punctuationAt, splitTokens, wordAt } from './statements.ts';
import { Punctuation, ScriptString, type Token, type Word } from './tokens.ts';
import { isOpeningBracket } from './values.ts';

/** Calls that create a list. */
const listFactories: ReadonlySet<string> = new Set(['listOf', 'setOf', 'arrayOf', 'mutableListOf', 'mutableSetOf']);
/** Calls that create a map. */
const mapFactories: ReadonlySet<string> = new Set(['mapOf', 'mutableMapOf', 'linkedMapOf']);

export const comma = new Punctuation(',', 0);

export function joinTokens(all: readonly (readonly Token[])[]): readonly Token[] {
  return all.flatMap((it) => [...it, comma]);
}

/** The elements of a list, or of a sum of lists. */
export function elementsOf(tokens: readonly Token[]): readonly Token[] | undefined {
  const parts = splitTokens(tokens, '+');
  if (!parts.some((it) => listElements(it))) return undefined;
  return parts.length === 1 ? listElements(tokens) : joinTokens(parts.map((it) => listElements(it) ?? it));
}

/** `["g:a:1", libs.core]`, `listOf("g:a:1")`; undefined for anything else. */
export function listElements(tokens: readonly Token[]): readonly Token[] | undefined {
  if (punctuationAt(tokens, 0) === '[') return bracketContents(tokens, 0);
  return listFactories.has(wordAt(tokens, 0) ?? '') && punctuationAt(tokens, 1) === '('
    ? bracketContents(tokens, 1)
    : undefined;
}

/** `[…]`, `listOf(…)`, `mapOf(…)` */
export function isCollection(tokens: readonly Token[]): boolean {
  return listElements(tokens) !== undefined || readMapEntries(tokens) !== undefined;
}

/** The entries of a map: `[spring: '6.1.3']`, `mapOf("spring" to "6.1.3")`; `spread`: the maps in it, as in `[*: base]`. */
export function readMapEntries(
  tokens: readonly Token[],
): { readonly entries: readonly MapEntry[]; readonly spread: readonly (readonly Token[])[] } | undefined {
  const isMap = mapFactories.has(wordAt(tokens, 0) ?? '');
  const at = isMap ? 1 : 0;
  if (!isOpeningBracket(tokens, at) || (at === 0 && punctuationAt(tokens, 0) !== '[')) return undefined;
  const entries: MapEntry[] = [];
  const spread: (readonly Token[])[] = [];
  for (const entry of splitTokens(bracketContents(tokens, at), ',')) {
    const [key] = entry;
    const between = entry[1];
    const parts = between?.kind === 'word' ? between.text === 'to' : punctuationAt(entry, 1) === ':';
    if (!parts || key === undefined) continue;
    if (key.kind === 'punctuation') {
      if (key.text === '*') spread.push(entry.slice(2));
      continue;
    }
    const name = key.kind === 'word' ? key.text : key.pieces.map((it) => it.text).join('');
    entries.push({ name, key: key.kind === 'word' ? asString(key) : key, span: key.span, value: entry.slice(2) });
  }
  return entries.length + spread.length > 0 ? { entries, spread } : undefined;
}

function asString({ text, span }: Word): ScriptString {
  return new ScriptString(span.start, span, span.end, '', [{ kind: 'text', text, span, quote: "'" }]);
}
