import type { Definition } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { ARGUMENT, functionId, guardId } from './aliases.ts';
import { isComposed } from './arguments.ts';
import { fillTokens } from './flow/loops.ts';
import { functionName } from './repositories/functions.ts';
import type { Script } from './script.ts';
import { bracketContents, outside, punctuationAt, Statement, splitTokens, wordAt } from './statements.ts';
import { type Piece, ScriptString, type Token } from './tokens.ts';
import { callId, readValue, referenceTo, requirementOf } from './values.ts';

/*
 * Functions that give a version, of one text at most:
 *
 *     fun Project.version(target: String) = property("${target}_version") as String
 *     def version(name) { versions[name] }          ext.version = { name -> versions[name] }
 *
 * What such a function comes to has ARGUMENT in the place of the text.
 */

/** Tokens of a function that gives a version. Longer ones do more. */
const MAX_TOKENS = 500;
/** Only the blocks of a broken script nest deeper. */
const MAX_DEPTH = 20;

interface Parameter {
  readonly name: string;
  /** The value that it comes with. */
  readonly value?: readonly Token[];
}

interface Declared {
  readonly name: string;
  readonly span: Span;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

/** A function of a script, of which nothing but the result counts. */
export interface ResultFunction {
  readonly parameters: readonly Parameter[];
  readonly result: readonly Token[];
}

/** @param prefix that of the object or the package around it */
export function readFunction(statement: Statement, prefix: string, script: Script): readonly Definition[] {
  const declared = declaredFunction(statement);
  if (declared === undefined || sizeOf(statement, 0) > MAX_TOKENS) return [];
  const { name, span, parameters, body } = declared;
  const full = prefix + name;
  const given = resultFunction(declared, script);
  if (given) script.functions.set(name, given);
  // Others have values that they come with.
  if (parameters.slice(1).some((it) => it.value === undefined)) return [];
  const parameter = parameters[0]?.name;
  const argument = new ScriptString(span.start, span, span.end, '', [
    { kind: 'text', text: ARGUMENT, span, quote: '"' },
  ]);
  const round = new Map<string, readonly Token[]>(parameter === undefined ? [] : [[parameter, [argument]]]);
  const found: Definition[] = [];
  const guards: string[] = [];
  for (const [at, it] of body.entries()) {
    const { tokens } = it;
    const isReturn = wordAt(tokens, 0) === 'return';
    const local = isReturn ? undefined : localVariable(tokens);
    if (local) round.set(local.name, fillTokens(local.value, round, script.text));
    else if (isReturn || (at === body.length - 1 && !statements.has(wordAt(tokens, 0) ?? ''))) {
      for (const one of alternativesOf(isReturn ? tokens.slice(1) : tokens)) {
        const value = resultOf(fillTokens(one, round, script.text), script);
        if (value) found.push({ id: functionId(full, found.filter(isOwn).length), span, value });
      }
      break;
    } else if (returns(it, 0)) {
      const written = writtenReturn(it, parameter, script);
      if (written) found.push({ id: callId(full, written.argument), span: written.span, value: written.value });
      else if (returnsText(it, 0)) return [];
      else guards.push(...lookupsIn(it, script));
    }
  }
  if (!found.some(isOwn)) return [];
  if (guards.length > 0) found.push({ id: guardId(full), span, value: { kind: 'template', parts: guards, span } });
  return found;
}

function isOwn({ id }: Definition): boolean {
  return id.startsWith('function:');
}

/** Words that begin a statement without a value. */
const statements: ReadonlySet<string> = new Set([
  ...['if', 'else', 'for', 'while', 'when', 'switch', 'try', 'throw', 'return'],
]);

function declaredFunction(statement: Statement): Declared | undefined {
  const { tokens, blocks, parameters } = statement;
  const isKotlin = [0, 1, 2, 3].some((at) => wordAt(tokens, at) === 'fun');
  if (!isKotlin && (blocks.length === 0 || tokens.length > MAX_TOKENS)) return undefined;
  const name = functionName(statement) ?? (isMethod(statement) ? wordAt(tokens, 1) : undefined);
  const at = name === undefined ? -1 : tokens.findIndex((_, index) => wordAt(tokens, index) === name);
  const named = tokens[at];
  if (name === undefined || named?.kind !== 'word') return undefined;
  const common = { name, span: named.span };
  const [block, another] = blocks;
  if (punctuationAt(tokens, at + 1) !== '(') {
    // `{ name -> versions[name] }`, `{ versions[it] }`
    const isClosure = punctuationAt(tokens, tokens.length - 1) === '=' && block !== undefined && another === undefined;
    // Types begin with a capital.
    const named = [...new Set(parameters)].filter((it) => !/^(?:\p{Lu}|(?:def|final)$)/u.test(it));
    const names = parameters.length === 0 ? ['it'] : named;
    return isClosure ? { ...common, parameters: names.map((it) => ({ name: it })), body: block } : undefined;
  }
  const given = splitTokens(bracketContents(tokens, at + 1), ',').map(parameterOf);
  if (given.some((it) => it === undefined)) return undefined;
  const behind = tokens.slice(at + 1);
  const equals = outside(behind, 0, '=');
  const body = equals > 0 ? [new Statement(behind.slice(equals + 1), blocks)] : block;
  return body && { ...common, parameters: given.flatMap((it) => it ?? []), body };
}

/** `name`, `String name`, `name: String = "x"` */
function parameterOf(tokens: readonly Token[]): Parameter | undefined {
  const equals = outside(tokens, 0, '=');
  const left = equals < 0 ? tokens : tokens.slice(0, equals);
  const name = (splitTokens(left, ':')[0] ?? []).at(-1);
  if (name?.kind !== 'word') return undefined;
  return { name: name.text, ...(equals > 0 && { value: tokens.slice(equals + 1) }) };
}

/** The result of a function that does nothing else. */
function resultFunction({ parameters, body }: Declared, { text }: Script): ResultFunction | undefined {
  const round = new Map<string, readonly Token[]>();
  for (const [at, { tokens, blocks }] of body.entries()) {
    const isReturn = wordAt(tokens, 0) === 'return';
    const local = isReturn ? undefined : localVariable(tokens);
    const found = libraryIn(tokens);
    if (local) round.set(local.name, fillTokens(local.value, round, text));
    else if (found && at === body.length - 1) return { parameters, result: fillTokens(found, round, text) };
    else if (at < body.length - 1 || blocks.length > 0 || statements.has(isReturn ? '' : (wordAt(tokens, 0) ?? '')))
      return undefined;
    else return { parameters, result: fillTokens(isReturn ? tokens.slice(1) : tokens, round, text) };
  }
  return undefined;
}

/** `findLibrary(alias)` of `libs.findLibrary(alias).get()`, whatever is made of it. */
function libraryIn(tokens: readonly Token[]): readonly Token[] | undefined {
  const at = tokens.findIndex((_, index) => wordAt(tokens, index) === 'findLibrary');
  if (at < 0 || punctuationAt(tokens, at + 1) !== '(') return undefined;
  return tokens.slice(at, at + bracketContents(tokens, at + 1).length + 3);
}

/** What a function gives for some arguments: its result with them in it. */
export function resultOfCall(
  { parameters, result }: ResultFunction,
  inner: readonly Token[],
  { text }: Pick<Script, 'text'>,
): readonly Token[] | undefined {
  const round = new Map<string, readonly Token[]>();
  for (const { name, value } of parameters) if (value) round.set(name, value);
  for (const [at, argument] of splitTokens(inner, ',').entries()) {
    const isNamed = punctuationAt(argument, 1) === '=' && argument.length > 2;
    const name = isNamed ? wordAt(argument, 0) : parameters[at]?.name;
    if (name === undefined) return undefined;
    round.set(name, isNamed ? argument.slice(2) : argument);
  }
  return parameters.every((it) => round.has(it.name)) ? fillTokens(result, round, text) : undefined;
}

/** `String version(String name) { … }` */
function isMethod({ tokens, blocks }: Statement): boolean {
  return wordAt(tokens, 0) === 'String' && wordAt(tokens, 1) !== undefined && blocks.length === 1;
}

function sizeOf({ tokens, blocks }: Statement, depth: number): number {
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  return blocks.flat().reduce((sum, it) => sum + sizeOf(it, depth + 1), tokens.length);
}

/** `val name = "${target}_version"`, `def name = …` */
function localVariable(
  tokens: readonly Token[],
): { readonly name: string; readonly value: readonly Token[] } | undefined {
  const equals = outside(tokens, 0, '=');
  const name = (splitTokens(tokens.slice(0, Math.max(0, equals)), ':')[0] ?? []).at(-1);
  return equals > 1 && name?.kind === 'word' ? { name: name.text, value: tokens.slice(equals + 1) } : undefined;
}

/** `a ?: b`; a part that ends in an error has no value. */
function alternativesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const at = tokens.findIndex(
    (_, index) => punctuationAt(tokens, index) === '?' && punctuationAt(tokens, index + 1) === ':',
  );
  const first = at < 0 ? tokens : tokens.slice(0, at);
  // `?.let { "$it" }`
  const call = first.length - 3;
  const isLet = wordAt(first, call + 2) === 'let' && punctuationAt(first, call + 1) === '.';
  const own = isLet ? first.slice(0, call) : first;
  return at < 0 ? [own] : [own, ...alternativesOf(tokens.slice(at + 2))];
}

function resultOf(tokens: readonly Token[], script: Script): Definition['value'] | undefined {
  if (statements.has(wordAt(tokens, 0) ?? '')) return undefined;
  const value = isComposed(tokens) ? readValue(tokens, script) : undefined;
  if (value) return value.pieces.length > 0 ? requirementOf(value.pieces) : undefined;
  const written = textOf(tokens);
  const [first] = tokens;
  if (written === undefined || !first) return undefined;
  const to = referenceTo(written.replace(reading, ''));
  return to.id.startsWith('expression:')
    ? undefined
    : { kind: 'reference', to, span: { start: first.start, end: first.end } };
}

/** An object that a file of properties was read into. */
const reading = /^(?:\w*[pP]rop(?:ertie)?s|this)\s*\.\s*(?=getProperty\b)/;

/** The text of tokens, of which some stand for others; undefined with a text that only a build knows. */
function textOf(tokens: readonly Token[]): string | undefined {
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'string') {
      text += token?.kind === 'word' && /[\w)\]"]$/.test(text) ? ` ${token.text}` : (token?.text ?? '');
      continue;
    }
    let pieces: readonly Piece[] = token.pieces;
    for (
      let next = tokens[at + 2];
      punctuationAt(tokens, at + 1) === '+' && next?.kind === 'string';
      next = tokens[at + 2]
    ) {
      pieces = [...pieces, ...next.pieces];
      at += 2;
    }
    if (pieces.some((it) => it.kind !== 'text')) return undefined;
    text += `"${pieces.map((it) => it.text).join('')}"`;
  }
  return text;
}

/** What a branch for one argument gives: `if (target == "kotlin") return "1.9.22"` */
function writtenReturn({ tokens, blocks }: Statement, parameter: string | undefined, script: Script) {
  const asked = wordAt(tokens, 0) === 'if' && punctuationAt(tokens, 1) === '(' ? bracketContents(tokens, 1) : [];
  const [word, equals, again, text, more] = asked;
  const isEqual =
    equals?.kind === 'punctuation' && equals.text === '=' && again?.kind === 'punctuation' && again.text === '=';
  if (word?.kind !== 'word' || word.text !== parameter || !isEqual || text?.kind !== 'string' || more) return undefined;
  const rest = tokens.slice(asked.length + 3);
  const [only, another] = rest.length > 0 ? [new Statement(rest)] : blocks.flat();
  const value = only?.tokens.slice(1) ?? [];
  if (wordAt(only?.tokens ?? [], 0) !== 'return' || another || value.length !== 1 || value[0]?.kind !== 'string')
    return undefined;
  const [piece, further] = readValue(value, script)?.pieces ?? [];
  const argument = text.pieces.map((it) => it.text).join('');
  return piece?.kind === 'text' && !further ? { argument, span: piece.span, value: requirementOf([piece]) } : undefined;
}

function returns({ tokens, blocks }: Statement, depth: number): boolean {
  if (depth > MAX_DEPTH || tokens.some((it) => it.kind === 'word' && it.text === 'return')) return true;
  return blocks.flat().some((it) => returns(it, depth + 1));
}

function returnsText({ tokens, blocks }: Statement, depth: number): boolean {
  const isText = tokens.some((it, at) => it.kind === 'string' && wordAt(tokens, at - 1) === 'return');
  return depth > MAX_DEPTH || isText || blocks.flat().some((it) => returnsText(it, depth + 1));
}

/** The properties that a branch asks for by their names. */
function lookupsIn(statement: Statement, { text }: Script): readonly string[] {
  const written = text.slice(statement.tokens[0]?.start, endOf(statement));
  return Array.from(written.matchAll(lookup), ([, name = '']) => `property:${name}`);
}

const lookup = /(?:\b(?:properties|extra|ext)\s*\[|\b(?:find|get|gradle)?[pP]roperty\s*\()\s*["']([\w.-]+)["']/g;

function endOf({ tokens, blocks }: Statement): number {
  return blocks.flat().reduce((end, it) => Math.max(end, endOf(it)), tokens.at(-1)?.end ?? 0);
}
