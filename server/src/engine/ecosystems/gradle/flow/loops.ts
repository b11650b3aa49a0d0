import { namedIn } from '../aliases.ts';
import { elementsOf, listElements, readMapEntries } from '../collections.ts';
import type { MapEntry, Script } from '../script.ts';
import { bracketContents, outside, punctuationAt, Statement, splitTokens, wordAt } from '../statements.ts';
import { type Piece, Punctuation, ScriptString, type Token, Word } from '../tokens.ts';
import { nameAt, referenceTo } from '../values.ts';

/** What the names of a loop stand for in one round: `it`, `it.key`, `entry[0]`. */
export type Round = ReadonlyMap<string, readonly Token[]>;

interface Loop {
  readonly rounds: readonly Round[];
  readonly body: readonly Statement[];
}

/** The part of a script that tells what a name stands for. */
export type Names = Pick<Script, 'text' | 'named' | 'aliases' | 'expanded' | 'problems' | 'order'>;

/** Only the blocks of a broken script nest deeper. */
const MAX_DEPTH = 20;
/** Tokens that all loops of a script come to. Those of real scripts are some thousand. */
const MAX_UNROLLED_TOKENS = 200_000;

/**
 * Replaces a loop over a list or a map that the script writes out by its statements, for each element.
 *
 *     ['g:a:1', 'g:b:1'].each { implementation it }             implementation 'g:a:1'    implementation 'g:b:1'
 *     for (x in listOf("a", "b")) implementation("g:$x:1")      implementation("g:a:1")   implementation("g:b:1")
 *     [a: '1'].each { name, v -> api "g:$name:$v" }             api "g:a:1"
 *
 * Undefined for any other statement.
 */
export function unrollLoop(statement: Statement, script: Names): readonly Statement[] | undefined {
  const loop = readLoop(statement, script);
  if (loop === undefined) return undefined;
  return loop.rounds.flatMap((round, at) =>
    loop.body.flatMap((it) => {
      if (script.expanded.tokens > MAX_UNROLLED_TOKENS) return [];
      const filled = fillStatement(it, round, script, 0);
      // What does not depend on the element is read once.
      return filled === it && at > 0 ? [] : [filled];
    }),
  );
}

function readLoop(statement: Statement, script: Names): Loop | undefined {
  const { tokens, blocks, parameters } = statement;
  if (wordAt(tokens, 0) === 'for' && punctuationAt(tokens, 1) === '(') {
    const inner = bracketContents(tokens, 1);
    const word = inner.findIndex((_, at) => wordAt(inner, at) === 'in');
    const at = word < 0 ? outside(inner, 0, ':') : word;
    const rest = tokens.slice(inner.length + 3);
    const body = rest.length > 0 ? [new Statement(rest, blocks)] : blocks.flat();
    return at < 0 ? undefined : loopOver(inner.slice(at + 1), namesOf(inner.slice(0, at)), body, script);
  }
  const isInCall = punctuationAt(tokens, tokens.length - 1) === ')';
  const verb = isInCall ? tokens.findLastIndex((_, at) => verbs.has(wordAt(tokens, at) ?? '')) : tokens.length - 1;
  if (verb < 2 || !verbs.has(wordAt(tokens, verb) ?? '') || punctuationAt(tokens, verb - 1) !== '.') return undefined;
  const isSafe = punctuationAt(tokens, verb - 2) === '?';
  const list = tokens.slice(0, verb - (isSafe ? 2 : 1));
  const called = calledMethod(tokens.slice(verb + 1));
  if (called) return loopOver(list, ['it'], [called], script);
  const names = parameters.length > 0 ? parameters : ['it'];
  return blocks.length === 0 ? undefined : loopOver(list, names, blocks.flat(), script);
}

const verbs: ReadonlySet<string> = new Set(['each', 'forEach']);

/** `(::implementation)`, `(this::implementation)`: a statement with `it`. */
function calledMethod(tokens: readonly Token[]): Statement | undefined {
  const name = tokens.at(-2);
  const isReference =
    punctuationAt(tokens, tokens.length - 3) === ':' && punctuationAt(tokens, tokens.length - 4) === ':';
  if (!isReference || name?.kind !== 'word') return undefined;
  return new Statement([
    name,
    new Punctuation('(', name.start),
    new Word('it', name.start, name.end),
    new Punctuation(')', name.end),
  ]);
}

/** `x`, `def x`, `String x`, `x: String`, `(name, version)` */
function namesOf(tokens: readonly Token[]): readonly string[] {
  const parts = punctuationAt(tokens, 0) === '(' ? splitTokens(bracketContents(tokens, 0), ',') : [tokens];
  return parts.flatMap((it) => {
    const name = (splitTokens(it, ':')[0] ?? []).at(-1);
    return name?.kind === 'word' ? [name.text] : [];
  });
}

function loopOver(
  list: readonly Token[],
  names: readonly string[],
  body: readonly Statement[],
  script: Names,
): Loop | undefined {
  const rounds = roundsOver(list, names, script, 0);
  return rounds && { rounds, body };
}

/** Undefined for a list that the script does not write out. */
function roundsOver(
  list: readonly Token[],
  names: readonly string[],
  script: Names,
  depth: number,
): readonly Round[] | undefined {
  script.expanded.tokens += list.length;
  if (depth > MAX_DEPTH || script.expanded.tokens > MAX_UNROLLED_TOKENS) return undefined;
  const bare = punctuationAt(list, 0) === '(' && bracketContents(list, 0).length === list.length - 2;
  if (bare) return roundsOver(list.slice(1, -1), names, script, depth + 1);
  const map = readMapEntries(list);
  if (map) return map.entries.map((it) => roundOfEntry(it, names));
  const elements = elementsOf(list);
  if (elements) return roundsOfList(elements);
  const named = namedList(list, script);
  if (named === undefined) return undefined;
  return named.entries.length > 0 ? named.entries.map((it) => roundOfEntry(it, names)) : roundsOfList(named.elements);

  function roundsOfList(elements: readonly Token[]): readonly Round[] {
    return splitTokens(elements, ',').flatMap((it) => {
      const isSpread = punctuationAt(it, 0) === '*';
      const inner =
        isSpread || namedList(it, script)
          ? roundsOver(isSpread ? it.slice(1) : it, names, script, depth + 1)
          : undefined;
      return inner ?? [roundOfElement(it, names)];
    });
  }
}

function namedList(tokens: readonly Token[], script: Names) {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first?.kind !== 'word' || !last) return undefined;
  const { id } = referenceTo(script.text.slice(first.start, last.end));
  const found = id.startsWith('property:')
    ? namedIn(script, nameAt(id.slice('property:'.length), first.start, script))
    : undefined;
  return found?.kind === 'list' ? found : undefined;
}

function roundOfEntry({ key, value }: MapEntry, names: readonly string[]): Round {
  return roundOf([[key], value], names, ['key', 'value']);
}

/** An element may consist of others: `["a", "1.0"]`, `"a" to "1.0"`, `Pair("a", "1.0")`. */
function roundOfElement(element: readonly Token[], names: readonly string[]): Round {
  const to = element.findIndex((_, at) => at > 0 && wordAt(element, at) === 'to');
  const isPair = /^(?:Pair|Triple)$/.test(wordAt(element, 0) ?? '') && punctuationAt(element, 1) === '(';
  const list = isPair ? bracketContents(element, 1) : listElements(element);
  const parts = to > 0 ? [element.slice(0, to), element.slice(to + 1)] : list && splitTokens(list, ',');
  const round = new Map(parts && !readMapEntries(element) ? roundOf(parts, names, ['first', 'second', 'third']) : []);
  const [name] = names;
  if (name !== undefined && names.length === 1) round.set(name, element);
  return round;
}

function roundOf(parts: readonly (readonly Token[])[], names: readonly string[], members: readonly string[]): Round {
  const [name] = names;
  if (names.length > 1) return new Map(names.flatMap((it, at) => (parts[at] ? [[it, parts[at]] as const] : [])));
  return new Map(
    parts.flatMap((it, at) => [[`${name}.${members[at] ?? at}`, it] as const, [`${name}[${at}]`, it] as const]),
  );
}

/** The same statement where it has none of the names. */
function fillStatement(statement: Statement, round: Round, script: Names, depth: number): Statement {
  const { tokens, blocks, parameters } = statement;
  if (depth > MAX_DEPTH) return statement;
  const filled = fillTokens(tokens, round, script.text);
  const isLoop = parameters.length === 0 && verbs.has(wordAt(tokens, tokens.length - 1) ?? '');
  const hidden = isLoop ? ['it'] : parameters;
  const inner =
    hidden.length > 0 ? new Map([...round].filter(([it]) => !hidden.includes(/^\w+/.exec(it)?.[0] ?? ''))) : round;
  const filledBlocks = blocks.map((block) => block.map((it) => fillStatement(it, inner, script, depth + 1)));
  const isSame =
    filled === tokens && filledBlocks.every((block, at) => block.every((it, index) => it === blocks[at]?.[index]));
  if (isSame) return statement;
  script.expanded.tokens += filled.length;
  return new Statement(filled, filledBlocks, parameters);
}

/** Puts elements in the places of their names. */
export function fillTokens(tokens: readonly Token[], round: Round, text: string): readonly Token[] {
  const filled: Token[] = [];
  let isChanged = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === 'string') {
      const string = fillString(token, round);
      isChanged ||= string !== token;
      filled.push(string);
      continue;
    }
    const key = token.kind === 'word' && punctuationAt(tokens, at - 1) !== '.' ? keyAt(token, round, text) : undefined;
    const end = token.start + (key?.length ?? 0);
    let behind = at + 1;
    while (key !== undefined && (tokens[behind]?.start ?? end) < end) behind++;
    // A name of an argument, or something else of the element.
    if (key === undefined || /^[.(:=]$/.test(punctuationAt(tokens, behind) ?? '')) {
      filled.push(token);
      continue;
    }
    for (const it of round.get(key) ?? []) filled.push(it);
    isChanged = true;
    at = behind - 1;
  }
  return isChanged ? filled : tokens;
}

/** The longest name of the round that begins there. */
function keyAt({ text: word, start }: Word, round: Round, text: string): string | undefined {
  let found = round.has(word) ? word : undefined;
  for (const key of round.keys()) {
    if (key.length > (found?.length ?? 0) && text.startsWith(key, start) && !/\w/.test(text[start + key.length] ?? ''))
      found = key;
  }
  return found;
}

/** Puts an element in the place of its name in a template. */
function fillString(string: ScriptString, round: Round): ScriptString {
  let isChanged = false;
  const pieces = string.pieces.flatMap((it) => {
    const element = it.kind === 'expression' ? round.get(it.text.trim()) : undefined;
    const filled = element && piecesOf(element);
    if (filled) isChanged = true;
    return filled ?? [it];
  });
  return isChanged ? new ScriptString(string.start, string.span, string.end, '', pieces) : string;
}

/** An element as a part of a text; undefined for a call or a calculation. */
function piecesOf(element: readonly Token[]): readonly Piece[] | undefined {
  const [first, second] = element;
  const last = element.at(-1);
  if (first?.kind === 'string') return second === undefined && first.pieces.length > 0 ? first.pieces : undefined;
  if (first?.kind !== 'word' || !last) return undefined;
  const text = element.map((it) => (it.kind === 'string' ? '"' : it.text)).join('');
  const span = { start: first.start, end: last.end };
  if (/^\d+(?:\.\d+)*$/.test(text)) return [{ kind: 'text', text, span, quote: '"' }];
  return /^[A-Za-z_][\w.]*$/.test(text) ? [{ kind: 'expression', text, span }] : undefined;
}

/** The strings without expressions. */
export function literalStrings(tokens: readonly Token[]): string[] {
  return tokens.flatMap((it) => {
    const pieces = it.kind === 'string' ? it.pieces : [];
    return pieces.length > 0 && pieces.every((piece) => piece.kind === 'text')
      ? [pieces.map((piece) => piece.text).join('')]
      : [];
  });
}
