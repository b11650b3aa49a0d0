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
  const begin = markAt(tokens, 0) === '[' ? 0 : lists.has(wordAt(tokens, 0) ?? '') ? 1 : undefined;
  const verb = wordAt(tokens, tokens.length - 1);
  if (begin === undefined || (verb !== 'each' && verb !== 'forEach')) return [statement];
  const list = tokens.slice(begin, -2);
  const uses = blocks.flat().flatMap((it) => {
    const at = elementIn(it.tokens);
    return at < 0 ? [] : [{ ...it, at }];
  });
  return uses.slice(0, mostUses).map(({ at, ...it }) => ({
    ...it,
    tokens: [...it.tokens.slice(0, at), ...list, ...it.tokens.slice(at + 1)],
  }));
}

/** Where the name of an element stands, the last that stands alone among the arguments; -1 where there is none. */
function elementIn(tokens: readonly Token[]): number {
  return tokens.findLastIndex(
    ({ kind }, at) =>
      kind === 'word' && at > 0 && markAt(tokens, at - 1) !== '.' && !/^[.(:=]$/.test(markAt(tokens, at + 1) ?? ''),
  );
}
