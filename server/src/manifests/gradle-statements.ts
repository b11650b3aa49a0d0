import type { Token } from './gradle-tokens.ts';

/**
 * A statement of a build script, and the blocks in it.
 *
 *     implementation("g:a") {          tokens: implementation ( "g:a" )
 *       version { strictly("1.0") }    one block of one statement, which has a block
 *     }
 */
export interface Statement {
  readonly tokens: readonly Token[];
  readonly blocks: readonly (readonly Statement[])[];
}

interface Open {
  readonly tokens: Token[];
  readonly blocks: Statement[][];
  /** The last thing in it is a block. */
  closed: boolean;
}

interface Frame {
  readonly statements: Statement[];
  current: Open;
}

/** A statement that ends a line with one of these goes on, as does one that the next line goes on with. */
const goesOnBehind: ReadonlySet<string> = new Set([',', '(', '[', '=', ':', '.', '+', '?', '&', '|', '<']);
const goesOnBefore: ReadonlySet<string> = new Set([')', ']', ',', '.', '+', '?', ':', '&', '|']);

/**
 * The statements of a script. Only braces, line ends and semicolons part them: an open parenthesis costs no more than
 * its own line, because the next line could not begin with a name if it were inside.
 */
export function readStatements(tokens: readonly Token[]): readonly Statement[] {
  const root: Frame = { statements: [], current: empty() };
  const frames: Frame[] = [root];
  for (const [at, token] of tokens.entries()) {
    const frame = frames.at(-1) ?? root;
    const mark = token.kind === 'mark' ? token.text : undefined;
    if (mark === '{') {
      const statements: Statement[] = [];
      frame.current.blocks.push(statements);
      frames.push({ statements, current: empty() });
    } else if (mark === '}') {
      end(frame);
      if (frames.length > 1) frames.pop();
      (frames.at(-1) ?? root).current.closed = true;
    } else if (mark === ';' || (mark === '\n' && !goesOn(frame.current, tokens, at))) end(frame);
    // What stands before the arrow are the names of a closure's parameters.
    else if (mark === '->') frame.current = empty();
    else if (mark !== '\n') {
      frame.current.tokens.push(token);
      frame.current.closed = false;
    }
  }
  for (const frame of frames) end(frame);
  return root.statements;
}

function empty(): Open {
  return { tokens: [], blocks: [], closed: false };
}

function end(frame: Frame): void {
  if (frame.current.tokens.length > 0 || frame.current.blocks.length > 0) frame.statements.push(frame.current);
  frame.current = empty();
}

function goesOn(current: Open, tokens: readonly Token[], lineEnd: number): boolean {
  const last = current.closed ? undefined : markAt(current.tokens, current.tokens.length - 1);
  if (goesOnBehind.has(last ?? '')) return true;
  let next = lineEnd + 1;
  // Empty lines in a statement are few; many of them in a row are looked at once each.
  while (next < lineEnd + 4 && markAt(tokens, next) === '\n') next++;
  return goesOnBefore.has(markAt(tokens, next) ?? '');
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
  const path: string[] = [];
  for (let at = 0; ; at += 2) {
    const name = wordAt(tokens, at);
    if (name === undefined) return path;
    path.push(name);
    if (markAt(tokens, at + 1) !== '.') return path;
  }
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

function depthOf(mark: string | undefined): number {
  return mark === '(' || mark === '[' ? 1 : mark === ')' || mark === ']' ? -1 : 0;
}
