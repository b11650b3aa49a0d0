import type { DefinitionUse } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { punctuationAt, wordAt } from '../statements.ts';
import { type ScriptString, type Token, tokenize, type Word } from '../tokens.ts';

/** A script, or an expression in one of its strings. */
export interface Code {
  readonly tokens: readonly Token[];
  readonly text: string;
  /** Where it begins in the script. */
  readonly from: number;
}

/** A script, and the expressions in its strings: `"g:a:${versions.a}"`. */
export function* codeIn(text: string, from = 0): Generator<Code> {
  const { tokens } = tokenize(text);
  yield { tokens, text, from };
  for (const token of tokens) {
    if (token.kind !== 'string') continue;
    for (const { kind, text: inner, span } of token.pieces) {
      if (kind === 'text') continue;
      const signs = text[span.start + 1] === '{' ? '${'.length : '$'.length;
      yield* codeIn(inner, from + span.start + signs);
    }
  }
}

/** Names in one another. Real ones have up to four. */
const MAX_PARTS = 20;

const owners: ReadonlySet<string> = new Set(['project', 'rootProject', 'this']);
const containers: ReadonlySet<string> = new Set(['ext', 'extra', 'properties']);
/** Calls that find a property of the project by its name, wherever they stand. */
const finders: ReadonlySet<string> = new Set(['property', 'findProperty', 'hasProperty', 'gradleProperty']);
/** Those of `ext` and `extra`. */
const members: ReadonlySet<string> = new Set(['get', 'getProperty', 'has', 'property', 'set', 'setProperty']);
/** What has the properties of a project as variables. */
const delegates: ReadonlySet<string> = new Set(['project', 'rootProject', 'settings', 'extra']);

/**
 * What a piece of code may name of the variables and properties of a build. The span is the last word alone.
 *
 *     springVersion   rootProject.ext.springVersion   extra["springVersion"]   findProperty("springVersion")
 *     ^^^^^^^^^^^^^                   ^^^^^^^^^^^^^          ^^^^^^^^^^^^^                    ^^^^^^^^^^^^^
 */
export function variablesIn({ tokens, from }: Code): readonly DefinitionUse[] {
  const found: DefinitionUse[] = [];
  const add = (name: string, { start, end }: Span): void => {
    found.push({ id: `property:${name}`, span: { start: start + from, end: end + from } });
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') continue;
    const name = argumentOf(tokens, at);
    if (name?.pieces.length === 1 && name.pieces[0]?.kind === 'text' && findsByName(tokens, at))
      add(name.pieces[0].text, name.span);
    if (punctuationAt(tokens, at - 1) !== '.') for (const it of namesAt(tokens, at)) add(it.name, it.span);
  }
  return found;
}

/** The first argument, if that is a string. */
function argumentOf(tokens: readonly Token[], at: number): ScriptString | undefined {
  const first = tokens[punctuationAt(tokens, at + 1) === '(' ? at + 2 : at + 1];
  return first?.kind === 'string' ? first : undefined;
}

function findsByName(tokens: readonly Token[], at: number): boolean {
  const call = wordAt(tokens, at) ?? '';
  const owner = punctuationAt(tokens, at - 1) === '.' ? wordAt(tokens, at - 2) : '';
  return owner !== 'System' && (finders.has(call) || (members.has(call) && containers.has(owner ?? '')));
}

/** The names that begin at a word: `versions` and `versions.spring`. */
function namesAt(tokens: readonly Token[], at: number): readonly { readonly name: string; readonly span: Span }[] {
  const { parts, next } = partsAt(tokens, at);
  let first = 0;
  while (first < parts.length - 1 && owners.has(parts[first]?.text ?? '')) first++;
  if (first < parts.length - 1 && containers.has(parts[first]?.text ?? '')) first++;
  const isAlone = parts.length === 1;
  // Its own definition, the name of an argument, or the key of a map.
  const isAssigned = punctuationAt(tokens, next) === '=' && punctuationAt(tokens, next + 1) !== '=';
  const isKey = isAlone && punctuationAt(tokens, next) === ':' && punctuationAt(tokens, at - 1) !== '?';
  const isCalled = isAlone && punctuationAt(tokens, next) === '(';
  const isOther = first === 0 && isDeclared(tokens, at, next);
  if (isAlone && isOther && standsForProperty(tokens, at))
    return [{ name: parts[0]?.text ?? '', span: spanOf(parts[0]) }];
  if (isOther || isKey || isCalled) return [];
  const named = parts.slice(first, isAssigned ? -1 : undefined);
  return named.map((it, index) => ({
    name: named
      .slice(0, index + 1)
      .map((one) => one.text)
      .join('.'),
    span: spanOf(it),
  }));
}

interface Part extends Span {
  readonly text: string;
}

function spanOf(it: Part | undefined): Span {
  return { start: it?.start ?? 0, end: it?.end ?? 0 };
}

/** The words of `a.b` and `a["b"]`, without the name of a call, and the index behind them. */
function partsAt(tokens: readonly Token[], at: number): { readonly parts: readonly Part[]; readonly next: number } {
  const parts: Part[] = [tokens[at] as Word];
  let next = at + 1;
  while (parts.length < MAX_PARTS) {
    const dot = punctuationAt(tokens, next) === '?' ? next + 1 : next;
    const word = tokens[dot + 1];
    if (punctuationAt(tokens, dot) === '.' && word?.kind === 'word' && punctuationAt(tokens, dot + 2) !== '(') {
      parts.push(word);
      next = dot + 2;
      continue;
    }
    const key = tokens[next + 1];
    const isKey = punctuationAt(tokens, next) === '[' && punctuationAt(tokens, next + 2) === ']';
    if (!isKey || key?.kind !== 'string' || key.pieces[0]?.kind !== 'text' || key.pieces.length > 1) break;
    parts.push({ text: key.pieces[0].text, ...key.span });
    next += 3;
  }
  return { parts, next };
}

const declaring =
  /^(?:def|val|var|final|const|fun|class|object|interface|import|package|boolean|int|long|double|\p{Lu}.*)$/u;

/** Whether a word is a name that the code gives: `def a`, `String a`, `for (a in …)`, `{ a, b -> … }`. */
function isDeclared(tokens: readonly Token[], at: number, next: number): boolean {
  if (declaring.test(wordAt(tokens, at - 1) ?? '')) return true;
  if (wordAt(tokens, next) === 'in' && punctuationAt(tokens, at - 1) === '(') return true;
  let end = next;
  while (punctuationAt(tokens, end) === ',' && tokens[end + 1]?.kind === 'word') end += 2;
  return punctuationAt(tokens, end) === '->';
}

/** `val spring: String by project`, `def spring = findProperty("spring")`: the variable is another name of the property. */
function standsForProperty(tokens: readonly Token[], at: number): boolean {
  const name = wordAt(tokens, at);
  for (let next = at + 1; next < tokens.length && !/^[\n;{}]$/.test(punctuationAt(tokens, next) ?? ''); next++) {
    const isDelegated = wordAt(tokens, next) === 'by' && delegates.has(wordAt(tokens, next + 1) ?? '');
    if (isDelegated) return punctuationAt(tokens, next + 2) !== '(';
    const argument = tokens[next]?.kind === 'word' && findsByName(tokens, next) ? argumentOf(tokens, next) : undefined;
    if (argument?.pieces[0]?.text === name && name !== undefined) return true;
  }
  return false;
}

/** Every place in a script where a word stands, also where only a run of the code tells what it means. */
export function wordsIn(text: string, name: string): readonly Span[] {
  if (!text.includes(name)) return [];
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const inCode = new RegExp(`(?:\\$\\{(?:[^}]*[^\\w.-])?|\\$|-P)${escaped}(?![\\w-])`);
  const anywhere = new RegExp(`(?<![\\w.-])${escaped}(?![\\w-])`);
  const found: Span[] = [];
  for (const { tokens, text: inner, from } of codeIn(text)) {
    for (const token of tokens) {
      if (token.kind === 'punctuation') continue;
      const { start, end } = token.span;
      const isNamed = token.kind === 'word' ? token.text === name : isMentioned(token, inner.slice(start, end), start);
      if (isNamed) found.push({ start: start + from, end: end + from });
    }
  }
  return found;

  /** A string is the name, or has it where code may be: of one with escapes the pieces are not known. */
  function isMentioned({ pieces }: ScriptString, whole: string, start: number): boolean {
    if (whole === name) return true;
    if (pieces.length === 0) return anywhere.test(whole);
    return pieces.some(
      ({ kind, span }) => kind === 'text' && inCode.test(whole.slice(span.start - start, span.end - start)),
    );
  }
}

const variable = /^(\s*)(?:.*[\s;{(])?(?:def|val|var|final|const|int|[A-Z][\w.]*(?:<[^>]*>)?(?:\[\])?)\s+(?:\([^)]*)?$/;
const delegated = /^\s*(?::\s*[\w<>?.]+)?\s*by\b/;

/** Where alone a variable counts: `def a = '1'`, not `val a by extra("1")`, which others see. */
export function local(text: string, { start, end }: Span): 'file' | 'block' | undefined {
  const before = variable.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
  if (before === null || delegated.test(text.slice(end, end + 200))) return undefined;
  return before[1] === '' && !before[0].includes('{') ? 'file' : 'block';
}
