import { isRecord } from '../../engine/base/text.ts';
import { Refusal } from './refusal.ts';

/** Whether an item of a list is wanted. */
export type Filter = (item: object) => boolean;

/** In characters. */
const MAX_LENGTH = 2_000;

type Token =
  | { readonly kind: 'word' | 'text'; readonly text: string }
  | { readonly kind: 'operator' | 'bracket'; readonly text: string };

const tokens = /\s*(?:(!=|<=|>=|=|<|>|:)|([()])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s()"'=!<>:]+))/y;

/**
 * Reads the filter of a list:
 *
 *     name = front                        = != < <= > >=, and : for a part of a text
 *     (name:web*) AND NOT status = DONE   AND, OR, NOT and brackets; AND may be absent
 *     labels.env = prod                   labels and other members by their path
 *     name ne web-.*                      eq and ne with .* for any text
 *
 * @throws Refusal for anything else
 */
export function readFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw new Refusal(400, `filter is longer than ${MAX_LENGTH} characters`, 'filter');
  const list = tokenize(text);
  let at = 0;

  const peek = (): Token | undefined => list[at];
  const isWord = (word: string): boolean => peek()?.kind === 'word' && peek()?.text.toUpperCase() === word;

  function readOr(): Filter {
    const parts = [readAnd()];
    while (isWord('OR')) {
      at++;
      parts.push(readAnd());
    }
    return (item) => parts.some((it) => it(item));
  }

  function readAnd(): Filter {
    const parts = [readNot()];
    while (at < list.length && peek()?.text !== ')' && !isWord('OR')) {
      if (isWord('AND')) at++;
      parts.push(readNot());
    }
    return (item) => parts.every((it) => it(item));
  }

  function readNot(): Filter {
    if (isWord('NOT')) {
      at++;
      const inner = readNot();
      return (item) => !inner(item);
    }
    if (peek()?.text === '(' && peek()?.kind === 'bracket') {
      at++;
      const inner = readOr();
      if (peek()?.text !== ')') throw invalid('a bracket is not closed');
      at++;
      return inner;
    }
    return readComparison();
  }

  function readComparison(): Filter {
    const field = list[at++];
    const operator = list[at++];
    const value = list[at++];
    if (field?.kind !== 'word' || !operator || !value || value.kind === 'operator' || value.kind === 'bracket') {
      throw invalid('a comparison requires a field, an operator and a value');
    }
    const compareWith = Object.hasOwn(comparisons, operator.text) ? comparisons[operator.text] : undefined;
    if (compareWith === undefined) throw invalid(`the operator ${operator.text} is unknown`);
    const path = field.text.split('.');
    const matches = compareWith(value.text);
    return (item) => matches(valueAt(item, path));
  }

  if (list.length === 0) throw invalid('it is empty');
  const filter = readOr();
  if (at < list.length) throw invalid(`${peek()?.text ?? ''} is not expected`);
  return filter;
}

function invalid(reason: string): Refusal {
  return new Refusal(400, `Invalid list filter expression: ${reason}.`, 'filter');
}

function tokenize(text: string): Token[] {
  const found: Token[] = [];
  const end = text.trimEnd().length;
  tokens.lastIndex = 0;
  while (tokens.lastIndex < end) {
    const [whole, operator, bracket, double, single, word] = tokens.exec(text) ?? [];
    if (whole === undefined) throw invalid('it cannot be read');
    const quoted = double ?? single;
    if (operator !== undefined) found.push({ kind: 'operator', text: operator });
    else if (bracket !== undefined) found.push({ kind: 'bracket', text: bracket });
    else if (quoted !== undefined) found.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1') });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
  }
  return found;
}

/** A member by its path; of labels, the value of a key. */
function valueAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const name of path) {
    if (Array.isArray(value)) value = value.find((it) => isRecord(it) && it['key'] === name)?.value;
    else value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** Tests the value of a field. */
type Test = (own: unknown) => boolean;

const comparisons: Readonly<Record<string, (wanted: string) => Test>> = {
  '=': (wanted) => (own) => equal(own, wanted),
  '!=': (wanted) => (own) => !equal(own, wanted),
  '<': (wanted) => (own) => compare(own, wanted) < 0,
  '<=': (wanted) => (own) => compare(own, wanted) <= 0,
  '>': (wanted) => (own) => compare(own, wanted) > 0,
  '>=': (wanted) => (own) => compare(own, wanted) >= 0,
  ':': (wanted) => (own) => contains(own, wanted),
  eq: (wanted) => likeness(wanted),
  ne(wanted) {
    const matches = likeness(wanted);
    return (own) => !matches(own);
  },
};

function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '');
}

/** `web*` is any text with that beginning. */
function equal(own: unknown, wanted: string): boolean {
  if (wanted.endsWith('*')) return own !== undefined && textOf(own).startsWith(wanted.slice(0, -1));
  return textOf(own) === wanted;
}

function contains(own: unknown, wanted: string): boolean {
  if (own === undefined) return false;
  return wanted === '*' || textOf(own).toLowerCase().includes(wanted.replace(/\*$/, '').toLowerCase());
}

function compare(own: unknown, wanted: string): number {
  if (own === undefined) return Number.NaN;
  if (typeof own === 'number') return own - Number(wanted);
  return textOf(own) < wanted ? -1 : textOf(own) > wanted ? 1 : 0;
}

/** Of the regular expressions that the operators take, texts with `.*` alone: others could take forever. */
function likeness(pattern: string): Test {
  const parts = pattern.split('.*');
  if (parts.some((it) => /[\^$*+?()[\]{}|\\]/.test(it))) throw invalid('eq and ne take texts and .* alone');
  const [first = '', ...rest] = parts;
  return (own) => {
    const text = textOf(own);
    if (rest.length === 0) return text === first;
    if (!text.startsWith(first)) return false;
    let from = first.length;
    const last = rest.at(-1) ?? '';
    for (const it of rest.slice(0, -1)) {
      const found = text.indexOf(it, from);
      if (found === -1) return false;
      from = found + it.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}
