import type { Token } from './tokens.ts';

const none: readonly never[] = [];

/**
 * A statement of a build script, with its blocks.
 *
 *     implementation("g:a") {          tokens: implementation ( "g:a" )
 *       version { strictly("1.0") }    one block of one statement, which has a block
 *     }
 */
export class Statement {
  readonly tokens: readonly Token[];
  readonly blocks: readonly (readonly Statement[])[];
  /** The parameters of its closures: `dep` of `{ dep -> … }`. */
  readonly parameters: readonly string[];
  #path: readonly string[] | undefined;

  constructor(
    tokens: readonly Token[],
    blocks: readonly (readonly Statement[])[] = none,
    parameters: readonly string[] = none,
  ) {
    this.tokens = tokens;
    this.blocks = blocks;
    this.parameters = parameters;
  }

  /** The dotted name at its start. */
  get path(): readonly string[] {
    this.#path ??= dottedName(this.tokens);
    return this.#path;
  }
}

/** A block while it is read, and its current statement. */
interface Frame {
  readonly statements: Statement[];
  tokens: Token[];
  blocks: Statement[][] | undefined;
  parameters: string[] | undefined;
  /** The statement ends with a block so far. */
  closed: boolean;
}

/** A statement continues behind a line that ends with one of the first, or before a line that begins with one of the second. */
const continuingEnds: ReadonlySet<string> = new Set([',', '(', '[', '=', ':', '.', '+', '?', '&', '|', '<']);
const continuingStarts: ReadonlySet<string> = new Set([')', ']', ',', '.', '+', '?', ':', '&', '|']);

/**
 * The statements of a script. Only braces, line ends and semicolons separate them: a missing closing parenthesis affects only
 * its own line, because a line inside of parentheses could not begin with a name.
 */
export function readStatements(tokens: readonly Token[]): readonly Statement[] {
  const root = frameOf([]);
  const frames: Frame[] = [root];
  let frame = root;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const mark = token?.kind === 'punctuation' ? token.text : undefined;
    if (mark === '{') {
      const statements: Statement[] = [];
      if (frame.blocks) frame.blocks.push(statements);
      else frame.blocks = [statements];
      frame = frameOf(statements);
      frames.push(frame);
    } else if (mark === '}') {
      end(frame);
      if (frames.length > 1) frames.pop();
      frame = frames.at(-1) ?? root;
      frame.closed = true;
    } else if (mark === ';') end(frame);
    else if (mark === '\n') {
      if ((frame.tokens.length > 0 || frame.blocks) && !continuesLine(frame, tokens, at)) end(frame);
    } else if (token !== undefined && mark === '->' && frame.tokens.some(isDeclaring)) {
      // That of a type: `fun acme(configure: RepositoryHandler.() -> Unit) { … }`.
      frame.tokens.push(token);
    } else if (mark === '->') {
      // The parameters of a closure come before the arrow.
      const owner = frames.at(-2) ?? root;
      owner.parameters ??= [];
      for (const it of frame.tokens) if (it.kind === 'word') owner.parameters.push(it.text);
      clear(frame);
    } else {
      // Most statements are one line, which is taken at once.
      let behind = at + 1;
      while (behind < tokens.length && !isSeparator(tokens[behind])) behind++;
      const some = tokens.slice(at, behind);
      if (frame.tokens.length === 0) frame.tokens = some;
      else for (const it of some) frame.tokens.push(it);
      frame.closed = false;
      at = behind - 1;
    }
  }
  for (const it of frames.toReversed()) end(it);
  return root.statements;
}

function isSeparator(token: Token | undefined): boolean {
  if (token?.kind !== 'punctuation') return false;
  const { text } = token;
  return text === '\n' || text === '{' || text === '}' || text === ';' || text === '->';
}

function isDeclaring(token: Token): boolean {
  return token.kind === 'word' && (token.text === 'fun' || token.text === 'val' || token.text === 'var');
}

function frameOf(statements: Statement[]): Frame {
  return { statements, tokens: [], blocks: undefined, parameters: undefined, closed: false };
}

function end(frame: Frame): void {
  if (frame.tokens.length === 0 && frame.blocks === undefined) return;
  frame.statements.push(new Statement(frame.tokens, frame.blocks, frame.parameters));
  clear(frame);
}

function clear(frame: Frame): void {
  frame.tokens = [];
  frame.blocks = undefined;
  frame.parameters = undefined;
  frame.closed = false;
}

function continuesLine(current: Frame, tokens: readonly Token[], lineEnd: number): boolean {
  const last = current.closed ? undefined : punctuationAt(current.tokens, current.tokens.length - 1);
  // `val x: String?`
  if (last === '?' && current.tokens.at(-2)?.end === current.tokens.at(-1)?.start)
    return startsContinued(tokens, lineEnd);
  if (continuingEnds.has(last ?? '')) return true;
  return startsContinued(tokens, lineEnd) || lacksBody(current);
}

const withBody: ReadonlySet<string> = new Set(['for', 'if', 'while']);

/** `for (x in all)` at the end of a line */
function lacksBody({ tokens, blocks }: Frame): boolean {
  if (blocks || !withBody.has(wordAt(tokens, 0) ?? '') || punctuationAt(tokens, 1) !== '(') return false;
  return bracketContents(tokens, 1).length === tokens.length - 3;
}

function startsContinued(tokens: readonly Token[], lineEnd: number): boolean {
  return continuingStarts.has(punctuationAt(tokens, lineEnd + 1) ?? '');
}

/** The punctuation at an index. */
export function punctuationAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'punctuation' ? token.text : undefined;
}

/** The name at an index. */
export function wordAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'word' ? token.text : undefined;
}

/** The dotted name at the start: `['project', 'dependencies']`. */
export function dottedName(tokens: readonly Token[]): readonly string[] {
  const first = wordAt(tokens, 0);
  if (first === undefined) return none;
  const path = [first];
  for (let at = 1; punctuationAt(tokens, at) === '.'; at += 2) {
    const name = wordAt(tokens, at + 1);
    if (name === undefined) return path;
    path.push(name);
  }
  return path;
}

/** The tokens between the bracket at `at` and its closing one, or the end. */
export function bracketContents(tokens: readonly Token[], at: number): readonly Token[] {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    depth += depthOf(punctuationAt(tokens, i));
    if (depth === 0) return tokens.slice(at + 1, i);
  }
  return tokens.slice(at + 1);
}

/** Splits at a separator outside of all brackets. */
export function splitTokens(tokens: readonly Token[], mark: string): readonly (readonly Token[])[] {
  if (tokens.length === 0) return none;
  if (!hasPunctuation(tokens, mark)) return [tokens];
  const pieces: (readonly Token[])[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < tokens.length; i++) {
    const text = punctuationAt(tokens, i);
    depth += depthOf(text);
    if (text !== mark || depth !== 0) continue;
    pieces.push(tokens.slice(from, i));
    from = i + 1;
  }
  pieces.push(tokens.slice(from));
  return pieces.filter((it) => it.length > 0);
}

function hasPunctuation(tokens: readonly Token[], mark: string): boolean {
  for (const it of tokens) if (it.kind === 'punctuation' && it.text === mark) return true;
  return false;
}

export function depthOf(mark: string | undefined): number {
  return mark === '(' || mark === '[' ? 1 : mark === ')' || mark === ']' ? -1 : 0;
}

/** The last name of what a statement calls: `url` of `it.url = …`. */
export function callName({ tokens, path }: Statement): string {
  return path.at(-1) ?? wordAt(tokens, 0) ?? '';
}

/** Whether a statement contains one of some words, wherever. */
export function hasWord({ tokens }: Statement, names: ReadonlySet<string>): boolean {
  return tokens.some((it) => it.kind === 'word' && names.has(it.text));
}

/** Where a mark stands outside of brackets; -1 where it does not. */
export function outside(tokens: readonly Token[], from: number, mark: string): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    depth += depthOf(punctuationAt(tokens, at));
    if (depth === 0 && punctuationAt(tokens, at) === mark) return at;
  }
  return -1;
}
