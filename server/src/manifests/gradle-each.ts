import { markAt, type Statement, wordAt } from './gradle-statements.ts';
import type { Token } from './gradle-tokens.ts';

/** Calls that make a list. */
const lists: ReadonlySet<string> = new Set(['listOf', 'setOf', 'arrayOf']);

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
  return blocks.flat().map((it) => ({ ...it, tokens: withList(it.tokens, list) }));
}

/** Puts a list in the place of the one name that stands alone among the arguments. */
function withList(tokens: readonly Token[], list: readonly Token[]): readonly Token[] {
  const at = tokens.findLastIndex(
    (it, i) =>
      i > 0 && it.kind === 'word' && markAt(tokens, i - 1) !== '.' && !/^[.(:=]$/.test(markAt(tokens, i + 1) ?? ''),
  );
  return at < 0 ? tokens : [...tokens.slice(0, at), ...list, ...tokens.slice(at + 1)];
}
