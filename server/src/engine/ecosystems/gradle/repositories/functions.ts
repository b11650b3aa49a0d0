import type { Role } from '../../../model/manifest.ts';
import { hasWord, punctuationAt, type Statement, wordAt } from '../statements.ts';

/** What encloses a statement. */
type Block = Role | 'publishing';

/** The block that a statement opens, if it is one of these. */
export type BlockOf = (statement: Statement) => Block | undefined;

/** Only the blocks of a broken script nest deeper. */
const MAX_DEPTH = 50;

/**
 * The name of a function or closure that a statement declares. Such may declare repositories for the blocks that call it.
 *
 *     fun RepositoryHandler.acme() { … }       val acme: RepositoryHandler.() -> Unit = { … }
 *     def acme(handler) { … }                  ext.acme = { … }
 */
export function functionName({ tokens, path }: Statement): string | undefined {
  const first = wordAt(tokens, 0);
  const declares = tokens.findIndex((it) => it.kind === 'word' && (it.text === 'fun' || it.text === 'val'));
  const mark = tokens.findIndex((it, at) => at > declares && /^[(=:]$/.test(it.kind === 'punctuation' ? it.text : ''));
  if (declares >= 0 || modifiers.has(first ?? '')) return wordAt(tokens, mark - 1);
  return punctuationAt(tokens, path.length * 2 - 1) === '=' ? path.at(-1) : undefined;
}

const modifiers: ReadonlySet<string> = new Set(['def', 'void', 'static', 'private', 'public', 'protected', 'final']);

/** The blocks that name a function, other than its declaration. */
export function blocksThatUse(name: string, statements: readonly Statement[], blockOf: BlockOf): ReadonlySet<Block> {
  const found = new Set<Block>();
  const names = new Set([name]);
  const walk = (inner: readonly Statement[], around: Block, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const statement of inner) {
      const block = blockOf(statement) ?? around;
      if (hasWord(statement, names) && functionName(statement) !== name) found.add(block);
      for (const it of statement.blocks) walk(it, block, depth + 1);
    }
  };
  walk(statements, 'library', 0);
  return found;
}

/** Whether a function that is called on repositories may pass them on. One that is not found here only changes them. */
export function passesOn(name: string, statements: readonly Statement[]): boolean {
  const isOrHas = (statement: Statement, test: (it: Statement) => boolean, depth = 0): boolean =>
    depth > MAX_DEPTH || test(statement) || statement.blocks.flat().some((it) => isOrHas(it, test, depth + 1));
  return statements.some((one) => {
    const isOwn = (it: Statement): boolean => functionName(it) === name;
    if (isOwn(one)) return isOrHas(one, (it) => hasWord(it, passing));
    return one.blocks.some((it) => passesOn(name, it));
  });
}

const passing: ReadonlySet<string> = new Set(['repositories', 'add', 'addAll', 'plusAssign']);
