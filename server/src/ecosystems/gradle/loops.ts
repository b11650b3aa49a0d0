import type { Script } from './script.ts';
import { markAt, Statement, wordAt } from './statements.ts';
import { ScriptString, type Token } from './tokens.ts';
import { catalogIds, referenceTo } from './values.ts';

/** Calls that make a list. */
export const lists: ReadonlySet<string> = new Set(['listOf', 'setOf', 'arrayOf', 'mutableListOf', 'mutableSetOf']);

/** Statements that each element goes into. Real scripts have one or two, and each reads the whole list. */
const mostUses = 8;

/**
 * What a script does with each element of a list, said of the list as a whole, or of each.
 *
 *     ['g:a:1', 'g:b:1'].each { implementation it }             implementation ['g:a:1', 'g:b:1']
 *     listOf("g:a:1").forEach { bom -> api(platform(bom)) }     api(platform(("g:a:1")))
 *     ['a', 'b'].each { implementation "g:$it:1" }              implementation "g:a:1"    implementation "g:b:1"
 *
 * Undefined for any other statement.
 */
export function unrolled(statement: Statement, script: Script): readonly Statement[] | undefined {
  const list = listIn(statement, script);
  if (list === undefined) return undefined;
  const names = statement.parameters.length > 0 ? statement.parameters : ['it'];
  return statement.blocks
    .flat()
    .slice(0, mostUses)
    .flatMap((use) => {
      const at = elementIn(use.tokens, names);
      if (at >= 0) return [substituted(use, at, list.named)];
      const template = use.tokens.findIndex((it) => it.kind === 'string' && isTemplate(it, names));
      const string = use.tokens[template];
      if (string?.kind !== 'string') return [];
      return list.elements.flatMap((it) =>
        isPlain(it) ? [substituted(use, template, [filled(string, it, names)])] : [],
      );
    });
}

function substituted({ tokens, blocks }: Statement, at: number, replacement: readonly Token[]): Statement {
  return new Statement([...tokens.slice(0, at), ...replacement, ...tokens.slice(at + 1)], blocks);
}

function isTemplate({ pieces }: ScriptString, names: readonly string[]): boolean {
  return pieces.some((it) => it.kind === 'expression' && names.includes(it.text));
}

function isPlain(token: Token): token is ScriptString {
  return token.kind === 'string' && token.pieces.length === 1 && token.pieces[0]?.kind === 'text';
}

/** A template with an element in the place of its name. */
function filled(template: ScriptString, element: ScriptString, names: readonly string[]): ScriptString {
  const pieces = template.pieces.flatMap((it) =>
    it.kind === 'expression' && names.includes(it.text) ? element.pieces : [it],
  );
  return new ScriptString(template.start, template.span, template.end, '', pieces);
}

/**
 * The paths that a script puts together of the elements of a list, and includes.
 *
 *     listOf("core", "data").forEach { include(":libs:$it") }     `:libs:core`, `:libs:data`
 */
export function includedEach(statement: Statement): string[] {
  const { blocks } = statement;
  const list = listIn(statement);
  if (list === undefined) return [];
  const elements = plainStrings(list.elements);
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

/** A list that a script goes through, as it is called there. */
interface List {
  readonly named: readonly Token[];
  readonly elements: readonly Token[];
}

/** Undefined where a statement is another one. */
function listIn({ tokens, path }: Statement, script?: Script): List | undefined {
  const verb = wordAt(tokens, tokens.length - 1);
  if (verb !== 'each' && verb !== 'forEach') return undefined;
  const begin = markAt(tokens, 0) === '[' ? 0 : lists.has(wordAt(tokens, 0) ?? '') ? 1 : undefined;
  const named = tokens.slice(begin ?? 0, -2);
  if (begin !== undefined) return { named, elements: named };
  const name = path.slice(0, -1).join('.');
  const { id } = referenceTo(name);
  const alias = id.slice('property:'.length).replace(/^libs\./, '');
  const list = script?.named.get(catalogIds.library(alias));
  return list?.kind === 'list' ? { named, elements: list.elements } : undefined;
}

/** Where the name of an element stands, the last that stands alone among the arguments; -1 where there is none. */
function elementIn(tokens: readonly Token[], names: readonly string[]): number {
  return tokens.findLastIndex(
    (it, at) =>
      it.kind === 'word' &&
      names.includes(it.text) &&
      at > 0 &&
      markAt(tokens, at - 1) !== '.' &&
      !/^[.(:=]$/.test(markAt(tokens, at + 1) ?? ''),
  );
}
