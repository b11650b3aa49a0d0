import { wildcard } from '../text/wildcard.ts';

/** Where the packages of a workspace lie, by the patterns of its root: `packages/*`, `apps/**`, `!packages/old`. */
export interface MemberPatterns {
  /** Whether a package in this directory is a member. Relative to the root: `packages/a`, and `''` for the root's own. */
  readonly include: (directory: string) => boolean;
  /** The directories to look in, and how far below each. */
  readonly places: readonly { readonly directory: string; readonly depth: number }[];
}

/** Bounds of what a stranger's root may cost. Source: real ones have some ten patterns, or name each of some hundred packages. */
const limits = {
  patterns: 500,
  /** In characters. */
  length: 1000,
} as const;

/** What one part of a path has to be; `**` stands for any number of parts. */
type Part = '**' | ((name: string) => boolean);

/** npm, pnpm, yarn, bun and uv agree on these patterns where they are plain; of more than that none is made use of. */
export function memberPatterns(written: readonly string[]): MemberPatterns {
  const all = firstOf(written.slice(0, limits.patterns), alternatives)
    .map((it) => ({ isOut: it.startsWith('!'), parts: partsOf(it.replace(/^!/, '')) }))
    // What lies outside of the root is none of its members.
    .filter(({ parts }) => !parts.includes('..'));
  const [included, excluded] = [false, true].map((out) =>
    all.filter((it) => it.isOut === out).map(({ parts }) => parts.map(partPattern)),
  );
  return {
    include(directory) {
      const path = partsOf(directory);
      const fits = (parts: readonly Part[]): boolean => matches(parts, path);
      return included?.some(fits) === true && excluded?.some(fits) !== true;
    },
    places: apart(all.filter((it) => !it.isOut).map(({ parts }) => placeOf(parts))),
  };
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
  const below = partsOf(inner.directory.slice(outer.directory.length)).length;
  return outer.depth >= below + inner.depth;
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
  if (inner === undefined) return [pattern];
  const rest = alternatives(after);
  return firstOf(inner.split(','), (it) => rest.map((end) => `${before}${it}${end}`));
}

function partsOf(path: string): string[] {
  return path
    .trim()
    .split(/[\\/]/)
    .filter((it) => it !== '' && it !== '.');
}

function partPattern(part: string): Part {
  return part === '**' ? part : wildcard(part);
}

function placeOf(parts: readonly string[]): Place {
  const at = parts.findIndex((it) => /[*?[]/.test(it));
  const plain = at < 0 ? parts : parts.slice(0, at);
  const depth = parts.includes('**') ? Number.POSITIVE_INFINITY : parts.length - plain.length;
  return { directory: plain.join('/'), depth };
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
