import { compileWildcard } from '../formats/text/wildcard.ts';

/** Where the packages of a workspace lie, by the patterns of its root: `packages/*`, `apps/**`, `!packages/old`. */
export interface MemberPatterns {
  /** Whether a package in this directory is a member. Relative to the root: `packages/a`, `../b`, `''` for the root's own. */
  readonly include: (directory: string) => boolean;
  /** The directories to look in, and how far below each. */
  readonly places: readonly { readonly directory: string; readonly depth: number }[];
}

/** Bounds of what a stranger's root may cost. Source: real ones have some ten patterns, or name each of some hundred packages. */
const limits = {
  patterns: 500,
  /** In characters. */
  length: 1000,
  /** Directories that one names. */
  parts: 32,
} as const;

/** What one part of a path has to be; `**` stands for any number of parts. */
type Part = '**' | ((name: string) => boolean);

/**
 * npm, pnpm, yarn, bun, Deno and uv agree on these patterns where they are plain. Where they differ, or a pattern says more
 * than is understood here (`!(old)`, `{a,{b,c}}`, `p{1..9}`), more is included: npm, bun and Deno take back what `!packages/old` leaves out by a later
 * `packages/old`, pnpm and yarn do not.
 */
export function memberPatterns(written: readonly string[]): MemberPatterns {
  const included: Pattern[] = [];
  let excluded: Pattern[] = [];
  for (const it of firstOf(written.slice(0, limits.patterns), alternatives)) {
    const [signs = ''] = /^(?:!(?!\())*/.exec(it) ?? [];
    const texts = partsOf(it.slice(signs.length));
    // Directories beside the root may have members; a detour means none.
    if (texts.length > limits.parts || texts.slice(texts.findIndex((part) => part !== '..')).includes('..')) continue;
    const pattern = { texts, parts: texts.map(partPattern) };
    if (signs.length % 2 === 1) {
      if (!loose.test(it)) excluded.push(pattern);
    } else {
      included.push(pattern);
      excluded = excluded.filter(({ parts }) => !matches(parts, texts));
    }
  }
  return {
    include(directory) {
      const path = partsOf(directory);
      const fits = ({ parts }: Pattern): boolean => matches(parts, path);
      return included.some(fits) && !excluded.some(fits);
    },
    places: apart(included.flatMap(({ texts }) => placesOf(texts))),
  };
}

/** A pattern, by the parts of its path: as they are written, and what each has to be. */
interface Pattern {
  readonly texts: readonly string[];
  readonly parts: readonly Part[];
}

type Place = MemberPatterns['places'][number];

/** Where one place lies within another, the other alone: a tree is gone through once, however many patterns lead there. */
function apart(places: readonly Place[]): Place[] {
  const found: Place[] = [];
  for (const place of places.toSorted((a, b) => b.depth - a.depth || a.directory.length - b.directory.length))
    if (!found.some((it) => holds(it, place))) found.push(place);
  return found;
}

/** Without a depth, folders that tools fill are passed over, unless one of them is where it begins. */
function holds(outer: Place, inner: Place): boolean {
  if (!Number.isFinite(outer.depth)) return outer.depth === inner.depth && outer.directory === inner.directory;
  if (outer.directory !== '' && !`${inner.directory}/`.startsWith(`${outer.directory}/`)) return false;
  const below = partsOf(inner.directory.slice(outer.directory.length));
  return !below.includes('..') && outer.depth >= below.length + inner.depth;
}

/** What is made of each, up to as many as count in all. */
function firstOf(from: readonly string[], make: (it: string) => readonly string[]): string[] {
  const made: string[] = [];
  for (const it of from) {
    if (made.length >= limits.patterns) break;
    for (const one of make(it).slice(0, limits.patterns - made.length)) made.push(one);
  }
  return made;
}

/** `{apps,libs}/*` → `apps/*`, `libs/*`. What has no end is taken as it stands. */
function alternatives(pattern: string): string[] {
  if (pattern.length > limits.length) return [];
  const [, before = '', inner, after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (!inner?.includes(',')) return [pattern];
  const rest = alternatives(after);
  return firstOf(inner.split(','), (it) => rest.map((end) => `${before}${it}${end}`));
}

function partsOf(path: string): string[] {
  return path
    .trim()
    .split(/[\\/]/)
    .filter((it) => it !== '' && it !== '.');
}

/** What stands for more than one name, and is taken for more than is meant. */
const loose = /\[|\{|[@+?*!]\(/;

function partPattern(part: string): Part {
  return part === '**' ? part : compileWildcard(part.replace(/(?:[@+?*!]\(|\{).*$/s, '*'));
}

/** Nobody looks into `build`, `vendor` and the like without being told to; right below, a package may have such a name. */
const near = 2;

function placesOf(parts: readonly string[]): Place[] {
  const at = parts.findIndex((it) => /[*?[{(]/.test(it));
  const plain = at < 0 ? parts : parts.slice(0, at);
  const directory = plain.join('/');
  if (!parts.includes('**')) return [{ directory, depth: parts.length - plain.length }];
  return [Number.POSITIVE_INFINITY, near].map((depth) => ({ directory, depth }));
}

/** Where parts do not fit, the last `**` stands for one more: that is enough, whatever the ones before it stand for. */
function matches(pattern: readonly Part[], path: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let again: { readonly at: number; next: number } | undefined;
  while (next < path.length) {
    const part = pattern[at];
    if (part === '**') {
      again = { at: at + 1, next };
      at++;
    } else if (part?.(path[next] ?? '')) {
      at++;
      next++;
    } else if (again) {
      again.next++;
      at = again.at;
      next = again.next;
    } else return false;
  }
  return pattern.slice(at).every((it) => it === '**');
}
