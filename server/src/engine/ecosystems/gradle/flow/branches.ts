import { bracketContents, depthOf, outside, punctuationAt, Statement, wordAt } from '../statements.ts';
import type { Token } from '../tokens.ts';
import { branchesOfCases, conditionText, MAX_BRANCHES } from './cases.ts';

/*
 * Branches of a script, of which a build takes one:
 *
 *     if (old) { v = '1.0' } else { v = '2.0' }      def v = old ? '1.0' : '2.0'      val v = if (old) "1.0" else "2.0"
 */

export interface Branch<T> {
  readonly of: T;
  /** As the script spells it: `old`; `!(old)` for what is else. */
  readonly condition: string;
}

/** The branches of one statement, and the conditions that an `else` on the next line negates. */
export interface Branches {
  readonly all: readonly Branch<Statement>[];
  readonly conditions: readonly string[];
}

/**
 * The branches of an `if`, `else`, `switch` or `when`; undefined for other statements.
 * @param before the conditions of the statement before
 */
export function branchesOf(
  { tokens, blocks }: Statement,
  text: string,
  before: readonly string[],
): Branches | undefined {
  const first = wordAt(tokens, 0);
  const [cases] = blocks;
  if (cases && (first === 'switch' || first === 'when')) return branchesOfCases(tokens, cases, text);
  if (first !== 'if' && (first !== 'else' || before.length === 0)) return undefined;
  const all: Branch<Statement>[] = [];
  const conditions = first === 'else' ? [...before] : [];
  let block = 0;
  let at = first === 'else' ? 1 : 0;
  while (all.length < MAX_BRANCHES) {
    const isIf = wordAt(tokens, at) === 'if' && punctuationAt(tokens, at + 1) === '(';
    const asked = isIf ? bracketContents(tokens, at + 1) : [];
    const condition = isIf ? conditionText(asked, text) : conditions.map((it) => `!(${it})`).join(' and ');
    if (isIf) at += asked.length + 3;
    if (isIf) conditions.push(condition);
    const end = elseAfter(tokens, at);
    const body = tokens.slice(at, end);
    const isLast = end >= tokens.length;
    const own =
      body.length > 0
        ? new Statement(body, isLast ? blocks.slice(block) : [])
        : new Statement([], blocks.slice(block, block + 1));
    if (body.length === 0) block++;
    all.push({ of: own, condition });
    if (isLast) break;
    at = end + 1;
  }
  return { all, conditions };
}

/**
 * The values of a conditional expression, if each is one text; undefined for other values.
 * @param blocks those of its statement, in which Kotlin's branches may stand
 */
export function valuesByCondition(
  value: readonly Token[],
  text: string,
  blocks: Statement['blocks'] = [],
): readonly Branch<readonly Token[]>[] | undefined {
  if (wordAt(value, 0) === 'when') return valuesOfWhen(value, text, blocks);
  const parts = kotlinIf(value, blocks) ?? ternary(value);
  if (parts === undefined) return undefined;
  const { asked, yes, no } = parts;
  if (!isText(yes) || asked.length === 0) return undefined;
  const condition = conditionText(asked, text);
  const others = isText(no) ? undefined : valuesByCondition(no, text, blocks.slice(1));
  if (!isText(no) && others === undefined) return undefined;
  const negated = `!(${condition})`;
  return [
    { of: yes, condition },
    ...(others?.map((it) => ({ of: it.of, condition: `${negated} and ${it.condition}` })) ?? [
      { of: no, condition: negated },
    ]),
  ];
}

interface Conditional {
  readonly asked: readonly Token[];
  readonly yes: readonly Token[];
  readonly no: readonly Token[];
}

/** The same of the arguments of a call: `implementation(if (old) "g:a:1" else "g:a:2")`. */
export function branchesOfArguments(
  { tokens, path, blocks, parameters }: Statement,
  text: string,
): readonly Branch<Statement>[] | undefined {
  const isCall = punctuationAt(tokens, path.length * 2 - 1) === '(';
  const from = Math.max(0, path.length * 2 - (isCall ? 0 : 1));
  const value = isCall ? bracketContents(tokens, from - 1) : tokens.slice(from);
  const branches = valuesByCondition(value, text, blocks);
  return branches?.map(({ of, condition }) => {
    const all = [...tokens.slice(0, from), ...of, ...tokens.slice(from + value.length)];
    return { of: new Statement(all, blocks, parameters), condition };
  });
}

/** `when { old -> "1.0" else -> "2.0" }`, `when (kind) { "a" -> "1.0" else -> "2.0" }` */
function valuesOfWhen(
  value: readonly Token[],
  text: string,
  [block = []]: Statement['blocks'],
): readonly Branch<readonly Token[]>[] | undefined {
  if (block.length < 2 || !block.every((it) => isText(it.tokens))) return undefined;
  return branchesOfCases(value, block, text)?.all.map(({ of, condition }) => ({
    of: of.tokens,
    condition,
  }));
}

function kotlinIf(value: readonly Token[], blocks: Statement['blocks']): Conditional | undefined {
  if (wordAt(value, 0) !== 'if' || punctuationAt(value, 1) !== '(') return undefined;
  const asked = bracketContents(value, 1);
  const from = asked.length + 3;
  const end = elseAfter(value, from);
  if (end >= value.length) return undefined;
  const inBraces = (at: number): readonly Token[] => blocks[at]?.at(-1)?.tokens ?? [];
  const yes = end > from ? value.slice(from, end) : inBraces(0);
  return { asked, yes, no: end + 1 < value.length ? value.slice(end + 1) : inBraces(end > from ? 0 : 1) };
}

function ternary(value: readonly Token[]): Conditional | undefined {
  const question = outside(value, 0, '?');
  const colon = question < 0 ? -1 : outside(value, question + 1, ':');
  // `a ?: b` has a value, and `a?.b` none.
  if (colon <= question + 1) return undefined;
  return { asked: value.slice(0, question), yes: value.slice(question + 1, colon), no: value.slice(colon + 1) };
}

function isText(tokens: readonly Token[]): boolean {
  return tokens.length === 1 && tokens[0]?.kind === 'string';
}

/** Where the next `else` outside of brackets is, or the end. */
function elseAfter(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    depth += depthOf(punctuationAt(tokens, at));
    if (depth === 0 && wordAt(tokens, at) === 'else') return at;
  }
  return tokens.length;
}
