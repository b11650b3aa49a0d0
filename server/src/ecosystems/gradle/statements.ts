import type { Token } from './tokens.ts';

const none: readonly never[] = [];

/**
 * A statement of a build script, and the blocks in it.
 *
 *     implementation("g:a") {          tokens: implementation ( "g:a" )
 *       version { strictly("1.0") }    one block of one statement, which has a block
 *     }
 */
export class Statement {
  readonly tokens: readonly Token[];
  readonly blocks: readonly (readonly Statement[])[];
  /** The names of its closures' parameters: `dep` of `{ dep -> … }`. */
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
    this.#path ??= pathAt(this.tokens);
    return this.#path;
  }
}

/** A statement that is being read, in a block. */
interface Frame {
  readonly statements: Statement[];
  tokens: Token[];
  blocks: Statement[][] | undefined;
  parameters: string[] | undefined;
  /** The last thing in it is a block. */
  closed: boolean;
}

/** A statement that ends a line with one of these goes on, as does one that the next line goes on with. */
const goesOnBehind: ReadonlySet<string> = new Set([',', '(', '[', '=', ':', '.', '+', '?', '&', '|', '<']);
const goesOnBefore: ReadonlySet<string> = new Set([')', ']', ',', '.', '+', '?', ':', '&', '|']);

/**
 * The statements of a script. Only braces, line ends and semicolons part them: an open parenthesis costs no more than
 * its own line, because the next line could not begin with a name if it were inside.
 */
export function readStatements(tokens: readonly Token[]): readonly Statement[] {
  const root = frameOf([]);
  const frames: Frame[] = [root];
  let frame = root;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const mark = token?.kind === 'mark' ? token.text : undefined;
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
      if ((frame.tokens.length > 0 || frame.blocks) && !goesOn(frame, tokens, at)) end(frame);
    } else if (mark === '->') {
      // What stands before the arrow are the names of a closure's parameters.
      const owner = frames.at(-2) ?? root;
      owner.parameters ??= [];
      for (const it of frame.tokens) if (it.kind === 'word') owner.parameters.push(it.text);
      clear(frame);
    } else {
      // Most statements are one line: all of it is taken at once.
      let behind = at + 1;
      while (behind < tokens.length && !parts(tokens[behind])) behind++;
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

function parts(token: Token | undefined): boolean {
  if (token?.kind !== 'mark') return false;
  const { text } = token;
  return text === '\n' || text === '{' || text === '}' || text === ';' || text === '->';
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

function goesOn(current: Frame, tokens: readonly Token[], lineEnd: number): boolean {
  const last = current.closed ? undefined : markAt(current.tokens, current.tokens.length - 1);
  if (goesOnBehind.has(last ?? '')) return true;
  return goesOnBefore.has(markAt(tokens, lineEnd + 1) ?? '');
}

/** The punctuation mark at an index. */
export function markAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'mark' ? token.text : undefined;
}

/** The name at an index. */
export function wordAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === 'word' ? token.text : undefined;
}

/** The dotted name at the start: `['project', 'dependencies']`. */
export function pathAt(tokens: readonly Token[]): readonly string[] {
  const first = wordAt(tokens, 0);
  if (first === undefined) return none;
  const path = [first];
  for (let at = 1; markAt(tokens, at) === '.'; at += 2) {
    const name = wordAt(tokens, at + 1);
    if (name === undefined) return path;
    path.push(name);
  }
  return path;
}

/** What stands between the bracket at `at` and the one that closes it, or the end. */
export function inside(tokens: readonly Token[], at: number): readonly Token[] {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    depth += depthOf(markAt(tokens, i));
    if (depth === 0) return tokens.slice(at + 1, i);
  }
  return tokens.slice(at + 1);
}

/** Cuts at a mark that stands outside of all brackets. */
export function cut(tokens: readonly Token[], mark: string): readonly (readonly Token[])[] {
  if (tokens.length === 0) return none;
  if (!hasMark(tokens, mark)) return [tokens];
  const pieces: (readonly Token[])[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < tokens.length; i++) {
    const text = markAt(tokens, i);
    depth += depthOf(text);
    if (text !== mark || depth !== 0) continue;
    pieces.push(tokens.slice(from, i));
    from = i + 1;
  }
  pieces.push(tokens.slice(from));
  return pieces.filter((it) => it.length > 0);
}

function hasMark(tokens: readonly Token[], mark: string): boolean {
  for (const it of tokens) if (it.kind === 'mark' && it.text === mark) return true;
  return false;
}

function depthOf(mark: string | undefined): number {
  return mark === '(' || mark === '[' ? 1 : mark === ')' || mark === ']' ? -1 : 0;
}
