import { bracketContents, outside, punctuationAt, Statement, wordAt } from '../statements.ts';
import type { Token } from '../tokens.ts';
import type { Branches } from './branches.ts';

/** Only scripts that are generated have more. */
export const MAX_BRANCHES = 100;
/** In characters. */
const MAX_CONDITION_LENGTH = 200;

/**
 *     switch (kind) { case 'a': v = '1'; break; default: v = '2' }
 *     when (kind) { "a" -> { v = "1" } else -> v = "2" }
 */
export function branchesOfCases(
  tokens: readonly Token[],
  block: readonly Statement[],
  text: string,
): Branches | undefined {
  const asked = punctuationAt(tokens, 1) === '(' ? bracketContents(tokens, 1) : [];
  // A value with braces behind it is no statement.
  if (tokens.length > (asked.length > 0 ? asked.length + 3 : 1)) return undefined;
  const subject = asked.length > 0 ? conditionText(asked, text) : '';
  const conditions: string[] = [];
  const conditionOf = (label: string): string => {
    if (label === '' || label === 'else')
      return conditions.length > 0 ? conditions.map((it) => `!(${it})`).join(' and ') : '…';
    const isRelation = /^!?(?:in|is)\b/.test(label);
    const condition = subject === '' ? label : `${subject} ${isRelation ? '' : '== '}${label}`;
    conditions.push(condition);
    return condition;
  };
  const all =
    wordAt(tokens, 0) === 'switch'
      ? groupsOfSwitch(block, text).map(({ labels, of }) => ({ of, condition: labels.map(conditionOf).join(' or ') }))
      : block.map((of) => ({ of, condition: conditionOf(labelBefore(of, text)) }));
  return all.length > 0 && all.length <= MAX_BRANCHES ? { all, conditions: [] } : undefined;
}

/** The statements behind each `case`, with the labels that lead there; `''` for what is else. */
function groupsOfSwitch(
  block: readonly Statement[],
  text: string,
): readonly { readonly labels: readonly string[]; readonly of: Statement }[] {
  const groups: { labels: string[]; statements: Statement[] }[] = [];
  let labels: string[] = [];
  let isOpen = false;
  for (const { tokens, blocks, parameters } of block) {
    let at = 0;
    for (let label = labelAt(tokens, at); label; label = labelAt(tokens, at)) {
      // What does not end with a `break` goes on here.
      if (!isOpen) labels = [];
      labels.push(conditionText(tokens.slice(at + 1, label), text, ''));
      at = label + 1;
      groups.push({ labels, statements: [] });
      isOpen = true;
      labels = [...labels];
    }
    const rest = at === 0 ? { tokens, blocks, parameters } : new Statement(tokens.slice(at), blocks, parameters);
    if (isOpen && endings.has(wordAt(rest.tokens, 0) ?? '')) isOpen = false;
    else if (rest.tokens.length + rest.blocks.length > 0)
      groups.at(-1)?.statements.push(new Statement(rest.tokens, rest.blocks, rest.parameters));
  }
  return groups.flatMap((it) =>
    it.statements.length > 0 ? [{ labels: it.labels, of: new Statement([], [it.statements]) }] : [],
  );
}

const endings: ReadonlySet<string> = new Set(['break', 'return', 'throw']);

/** Where the colon of a label is. */
function labelAt(tokens: readonly Token[], at: number): number | undefined {
  const word = wordAt(tokens, at);
  if (word !== 'case' && word !== 'default') return undefined;
  const colon = outside(tokens, at, ':');
  return colon < 0 ? undefined : colon;
}

/** What stands before the arrow of a branch. */
function labelBefore({ tokens, blocks }: Statement, text: string): string {
  const start = tokens[0]?.start ?? blocks[0]?.[0]?.tokens[0]?.start ?? 0;
  const arrow = text.lastIndexOf('->', start);
  const line = text.slice(Math.max(text.lastIndexOf('\n', arrow), text.lastIndexOf('{', arrow), 0) + 1, arrow);
  return line.trim().slice(0, MAX_CONDITION_LENGTH);
}

/** A condition, as the script spells it. */
export function conditionText(tokens: readonly Token[], text: string, otherwise = '…'): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last) return otherwise;
  const written = text.slice(first.start, last.end).replace(/\s+/g, ' ');
  return written.length > MAX_CONDITION_LENGTH ? `${written.slice(0, MAX_CONDITION_LENGTH)}…` : written;
}
