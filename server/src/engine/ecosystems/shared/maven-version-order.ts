import { byText } from '../../base/text.ts';
import { memoize } from './parsed-versions.ts';

/*
 * The order of Maven's versions, as Maven 3.9 has it. A version is a list of items with, at its end, perhaps another
 * such list: a hyphen and a change between digits and letters go one list down, a dot does not.
 *
 *     1.2-rc-3.4   →  [1, 2, [rc, [3, 4]]]
 *     1.0-final    →  [1]                    zeros and words for "release" are left out at the end of a list
 *
 * A list occurs only at the end of another, so a version is an array of levels, and no text is too deep.
 */
export type MavenVersion = readonly (readonly Item[])[];

type Item =
  | { readonly kind: 'number'; readonly digits: string }
  /** `word` is empty for a known qualifier: its rank is enough. */
  | { readonly kind: 'qualifier'; readonly rank: number; readonly word: string };

/** In their order. All others come after `sp`, in alphabetical order. */
const qualifiers: readonly string[] = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const aliases: Readonly<Record<string, string>> = { cr: 'rc', ga: '', final: '', release: '' };
/** One letter right before a number. */
const letters: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };
const releaseRank = qualifiers.indexOf('');

const zero: Item = { kind: 'number', digits: '0' };
const dot = 46;
const hyphen = 45;

/** Any text is a version to Maven. Linear in its length. */
export const parseMavenVersion = memoize((text): MavenVersion => {
  const version = text.toLowerCase();
  let level: Item[] = [];
  const levels = [level];
  let inNumber = false;
  let start = 0;

  for (let at = 0; at < version.length; at++) {
    const code = version.charCodeAt(at);
    if (code === dot || code === hyphen) {
      level.push(at === start ? zero : item(version.slice(start, at), inNumber));
      start = at + 1;
      if (code === hyphen) descend();
    } else if (isDigit(code)) {
      if (!inNumber && at > start) {
        // `.x1` is `-x1`.
        if (level.length > 0) descend();
        const word = version.slice(start, at);
        level.push(qualifier(entry(letters, word) ?? word));
        start = at;
        descend();
      }
      inNumber = true;
    } else {
      if (inNumber && at > start) {
        level.push(item(version.slice(start, at), true));
        start = at;
        descend();
      }
      inNumber = false;
    }
  }
  if (start < version.length) {
    // `.x` is `-x`.
    if (!inNumber && level.length > 0) descend();
    level.push(item(version.slice(start), inNumber));
  }
  return normalize(levels);

  function descend(): void {
    level = [];
    levels.push(level);
  }
});

export function compareMavenVersions(a: MavenVersion, b: MavenVersion): number {
  for (let depth = 0; ; depth++) {
    const left = a[depth] ?? [];
    const right = b[depth] ?? [];
    const leftInner = depth + 1 < a.length;
    const rightInner = depth + 1 < b.length;
    for (let i = 0; i < left.length && i < right.length; i++) {
      const order = compareItems(left[i] ?? zero, right[i] ?? zero);
      if (order !== 0) return order;
    }
    if (left.length !== right.length) {
      // The rest of the longer one is compared with the inner list of the shorter one, or with nothing.
      return left.length > right.length
        ? compareRest(a, depth, right.length, rightInner)
        : -compareRest(b, depth, left.length, leftInner);
    }
    if (!leftInner || !rightInner) {
      return leftInner ? compareRest(a, depth + 1, 0, false) : rightInner ? -compareRest(b, depth + 1, 0, false) : 0;
    }
  }
}

/** The items from `index` on compared with an inner list, or with nothing. */
function compareRest(version: MavenVersion, depth: number, index: number, innerList: boolean): number {
  const first = version[depth]?.[index];
  if (innerList && first) return first.kind === 'number' ? 1 : -1;
  for (let at = depth; at < version.length; at++) {
    const level = version[at] ?? [];
    for (let i = at === depth ? index : 0; i < level.length; i++) {
      const order = compareToNothing(level[i] ?? zero);
      if (order !== 0) return order;
    }
  }
  return 0;
}

function compareToNothing(it: Item): number {
  return it.kind === 'number' ? Number(it.digits !== '0') : it.rank - releaseRank;
}

function compareItems(a: Item, b: Item): number {
  if (a.kind === 'number') return b.kind === 'number' ? compareDigits(a.digits, b.digits) : 1;
  if (b.kind === 'number') return -1;
  if (a.rank !== b.rank) return a.rank - b.rank;
  return byText(a.word, b.word);
}

/** Numbers of any length, without leading zeros. */
function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return byText(a, b);
}

function item(text: string, isNumber: boolean): Item {
  return isNumber ? { kind: 'number', digits: withoutZeros(text) } : qualifier(text);
}

function qualifier(text: string): Item {
  const rank = qualifiers.indexOf(entry(aliases, text) ?? text);
  const known = rank >= 0;
  return { kind: 'qualifier', rank: known ? rank : qualifiers.length, word: known ? '' : text };
}

function entry(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function withoutZeros(digits: string): string {
  let at = 0;
  while (at < digits.length - 1 && digits.charCodeAt(at) === 48) at++;
  return digits.slice(at);
}

/** Removes zeros and words for "release" from the end of each list, and empty lists. */
function normalize(levels: Item[][]): Item[][] {
  for (const level of levels) {
    let last = level.at(-1);
    while (last && compareToNothing(last) === 0) {
      level.pop();
      last = level.at(-1);
    }
  }
  while (levels.length > 1 && levels.at(-1)?.length === 0) levels.pop();
  return levels;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
