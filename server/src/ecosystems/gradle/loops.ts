import { namedIn } from './aliases.ts';
import type { Script } from './script.ts';
import { punctuationAt, Statement, wordAt } from './statements.ts';
import { ScriptString, type Token } from './tokens.ts';
import { referenceTo } from './values.ts';

/** Calls that create a list. */
export const listFactories: ReadonlySet<string> = new Set([
  'listOf',
  'setOf',
  'arrayOf',
  'mutableListOf',
  'mutableSetOf',
]);

/** Statements in a loop. Real scripts have one or two, and each reads the whole list. */
const MAX_USES = 8;

/**
 * Replaces a loop over a list by statements over the whole list, or over each element.
 *
 *     ['g:a:1', 'g:b:1'].each { implementation it }             implementation ['g:a:1', 'g:b:1']
 *     listOf("g:a:1").forEach { bom -> api(platform(bom)) }     api(platform(("g:a:1")))
 *     ['a', 'b'].each { implementation "g:$it:1" }              implementation "g:a:1"    implementation "g:b:1"
 *
 * Undefined for any other statement.
 */
export function unrollLoop(statement: Statement, script: Script): readonly Statement[] | undefined {
  const list = readLoopList(statement, script);
  if (list === undefined) return undefined;
  const names = statement.parameters.length > 0 ? statement.parameters : ['it'];
  return statement.blocks
    .flat()
    .slice(0, MAX_USES)
    .flatMap((use) => {
      const at = findElement(use.tokens, names);
      if (at >= 0) return [replaceToken(use, at, list.named)];
      const template = use.tokens.findIndex((it) => it.kind === 'string' && isTemplate(it, names));
      const string = use.tokens[template];
      if (string?.kind !== 'string') return [];
      return list.elements.flatMap((it) =>
        isLiteral(it) ? [replaceToken(use, template, [fillTemplate(string, it, names)])] : [],
      );
    });
}

function replaceToken({ tokens, blocks }: Statement, at: number, replacement: readonly Token[]): Statement {
  return new Statement([...tokens.slice(0, at), ...replacement, ...tokens.slice(at + 1)], blocks);
}

function isTemplate({ pieces }: ScriptString, names: readonly string[]): boolean {
  return pieces.some((it) => it.kind === 'expression' && names.includes(it.text));
}

function isLiteral(token: Token): token is ScriptString {
  return token.kind === 'string' && token.pieces.length === 1 && token.pieces[0]?.kind === 'text';
}

/** Puts an element in the place of its name in a template. */
function fillTemplate(template: ScriptString, element: ScriptString, names: readonly string[]): ScriptString {
  const pieces = template.pieces.flatMap((it) =>
    it.kind === 'expression' && names.includes(it.text) ? element.pieces : [it],
  );
  return new ScriptString(template.start, template.span, template.end, '', pieces);
}

/**
 * The paths that a script builds from the elements of a list, and includes.
 *
 *     listOf("core", "data").forEach { include(":libs:$it") }     `:libs:core`, `:libs:data`
 */
export function includedByLoop(statement: Statement): string[] {
  const { blocks } = statement;
  const list = readLoopList(statement);
  if (list === undefined) return [];
  const elements = literalStrings(list.elements);
  const uses = blocks.flat().filter((it) => wordAt(it.tokens, 0) === 'include');
  return uses.slice(0, MAX_USES).flatMap(({ tokens: use }) => {
    const template = use.find((it) => it.kind === 'string');
    if (template?.kind !== 'string') return elements;
    // The one name in it is that of the element.
    if (template.pieces.filter((it) => it.kind === 'expression').length !== 1) return [];
    return elements.map((it) => template.pieces.map((piece) => (piece.kind === 'text' ? piece.text : it)).join(''));
  });
}

/** The strings without expressions. */
export function literalStrings(tokens: readonly Token[]): string[] {
  return tokens.flatMap((it) => {
    const [piece, ...more] = it.kind === 'string' ? it.pieces : [];
    return piece?.kind === 'text' && more.length === 0 ? [piece.text] : [];
  });
}

/** The list of a loop, as the script names it, and its elements. */
interface LoopList {
  readonly named: readonly Token[];
  readonly elements: readonly Token[];
}

/** Undefined for a statement that is no loop. */
function readLoopList({ tokens, path }: Statement, script?: Script): LoopList | undefined {
  const verb = wordAt(tokens, tokens.length - 1);
  if (verb !== 'each' && verb !== 'forEach') return undefined;
  const begin = punctuationAt(tokens, 0) === '[' ? 0 : listFactories.has(wordAt(tokens, 0) ?? '') ? 1 : undefined;
  const named = tokens.slice(begin ?? 0, -2);
  if (begin !== undefined) return { named, elements: named };
  const name = path.slice(0, -1).join('.');
  const { id } = referenceTo(name);
  const list = script && namedIn(script, id.slice('property:'.length));
  return list?.kind === 'list' ? { named, elements: list.elements } : undefined;
}

/** The index of the element's name, the last unqualified one among the arguments; -1 where there is none. */
function findElement(tokens: readonly Token[], names: readonly string[]): number {
  return tokens.findLastIndex(
    (it, at) =>
      it.kind === 'word' &&
      names.includes(it.text) &&
      at > 0 &&
      punctuationAt(tokens, at - 1) !== '.' &&
      !/^[.(:=]$/.test(punctuationAt(tokens, at + 1) ?? ''),
  );
}
