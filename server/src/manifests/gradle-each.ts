import { markAt, type Statement, wordAt } from './gradle-statements.ts';
import type { Token } from './gradle-tokens.ts';

/** Calls that make a list. */
const lists: ReadonlySet<string> = new Set(['listOf', 'setOf', 'arrayOf']);

/** Statements that each element goes into. Real scripts have one or two, and each reads the whole list. */
const mostUses = 8;

/**
 * What a script does with each element of a list, said of the list as a whole.
 *
 *     ['g:a:1', 'g:b:1'].each { implementation it }             implementation ['g:a:1', 'g:b:1']
 *     listOf("g:a:1").forEach { bom -> api(platform(bom)) }     api(platform(("g:a:1")))
 *
 * Any other statement is itself.
 */
export function unrolled(statement: Statement): readonly Statement[] {
  const { tokens, blocks } = statement;
  const list = listIn(tokens);
  if (list === undefined) return [statement];
  const uses = blocks.flat().flatMap((it) => {
    const at = elementIn(it.tokens);
    return at < 0 ? [] : [{ ...it, at }];
  });
  return uses.slice(0, mostUses).map(({ at, ...it }) => ({
    ...it,
    tokens: [...it.tokens.slice(0, at), ...list, ...it.tokens.slice(at + 1)],
  }));
}

/**
 * The paths that a script puts together of the elements of a list, and includes.
 *
 *     listOf("core", "data").forEach { include(":libs:$it") }     `:libs:core`, `:libs:data`
 */
export function includedEach({ tokens, blocks }: Statement): string[] {
  const list = listIn(tokens);
  if (list === undefined) return [];
  const elements = plainStrings(list);
  const uses = blocks.flat().filter((it) => wordAt(it.tokens, 0) === 'include');
  return uses.slice(0, mostUses).flatMap(({ tokens: use }) => {
    const template = use.find((it) => it.kind === 'string');
    if (template?.kind !== 'string') return elements;
    // One name in it is that of the element.
    if (template.pieces.filter((it) => it.kind === 'expression').length !== 1) return [];
    return elements.map((it) => template.pieces.map((piece) => (piece.kind === 'text' ? piece.text : it)).join(''));
  });
}

/** The strings that nothing has to be worked out for. */
export function plainStrings(tokens: readonly Token[]): string[] {
  return tokens.flatMap((it) => {
    const [piece, ...more] = it.kind === 'string' ? it.pieces : [];
    return piece?.kind === 'text' && more.length === 0 ? [piece.text] : [];
  });
}

/** The list that a script goes through; undefined where a statement is another one. */
function listIn(tokens: readonly Token[]): readonly Token[] | undefined {
  const begin = markAt(tokens, 0) === '[' ? 0 : lists.has(wordAt(tokens, 0) ?? '') ? 1 : undefined;
  const verb = wordAt(tokens, tokens.length - 1);
  return begin === undefined || (verb !== 'each' && verb !== 'forEach') ? undefined : tokens.slice(begin, -2);
}

/** Where the name of an element stands, the last that stands alone among the arguments; -1 where there is none. */
function elementIn(tokens: readonly Token[]): number {
  return tokens.findLastIndex(
    ({ kind }, at) =>
      kind === 'word' && at > 0 && markAt(tokens, at - 1) !== '.' && !/^[.(:=]$/.test(markAt(tokens, at + 1) ?? ''),
  );
}
