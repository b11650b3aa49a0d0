import { compileWildcard } from '../formats/text/wildcard.ts';

/** The directories of the packages of a workspace, by the patterns of its root: `packages/*`, `apps/**`, `!packages/old`. */
export interface MemberPatterns {
  /** Whether a package in this directory is a member. Relative to the root: `packages/a`, `../b`, `''` for the root's own. */
  readonly include: (directory: string) => boolean;
  /** The directories to look in, and how far below each. */
  readonly places: readonly { readonly directory: string; readonly depth: number }[];
}

// Source of the limits: real workspaces have some ten patterns, or name each of some hundred packages.
const MAX_PATTERNS = 500;
/** In characters. */
const MAX_PATTERN_LENGTH = 1000;
/** Directories in one pattern. */
const MAX_PARTS = 32;

/** A test of one part of a path; `**` matches any number of parts. */
type Part = '**' | ((name: string) => boolean);

/**
 * npm, pnpm, yarn, bun, Deno and uv agree on plain patterns. Where they differ, or a pattern has further syntax
 * (`!(old)`, `{a,{b,c}}`, `p{1..9}`), more is included: with npm, bun and Deno a later `packages/old` revokes
 * `!packages/old`, with pnpm and yarn it does not.
 */
export function memberPatterns(written: readonly string[]): MemberPatterns {
  const included: Pattern[] = [];
  let excluded: Pattern[] = [];
  for (const it of expandFirst(written.slice(0, MAX_PATTERNS), alternatives)) {
    const [signs = ''] = /^(?:!(?!\())*/.exec(it) ?? [];
    const texts = partsOf(it.slice(signs.length));
    // Directories beside the root may have members; a detour means none.
    if (texts.length > MAX_PARTS || texts.slice(texts.findIndex((part) => part !== '..')).includes('..')) continue;
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
    places: outermostPlaces(included.flatMap(({ texts }) => placesOf(texts))),
  };
}

/** A pattern, by the parts of its path: as written, and the test of each. */
interface Pattern {
  readonly texts: readonly string[];
  readonly parts: readonly Part[];
}

type Place = MemberPatterns['places'][number];

/** Without places that lie within another: each tree is walked once, however many patterns lead there. */
function outermostPlaces(places: readonly Place[]): Place[] {
  const found: Place[] = [];
  for (const place of places.toSorted((a, b) => b.depth - a.depth || a.directory.length - b.directory.length))
    if (!found.some((it) => includesPlace(it, place))) found.push(place);
  return found;
}

/** A walk of unlimited depth skips folders that tools fill, unless it begins in one of them. */
function includesPlace(outer: Place, inner: Place): boolean {
  if (!Number.isFinite(outer.depth)) return outer.depth === inner.depth && outer.directory === inner.directory;
  if (outer.directory !== '' && !`${inner.directory}/`.startsWith(`${outer.directory}/`)) return false;
  const below = partsOf(inner.directory.slice(outer.directory.length));
  return !below.includes('..') && outer.depth >= below.length + inner.depth;
}

/** The results of all in one list, up to `MAX_PATTERNS`. */
function expandFirst(from: readonly string[], make: (it: string) => readonly string[]): string[] {
  const made: string[] = [];
  for (const it of from) {
    if (made.length >= MAX_PATTERNS) break;
    for (const one of make(it).slice(0, MAX_PATTERNS - made.length)) made.push(one);
  }
  return made;
}

/** `{apps,libs}/*` → `apps/*`, `libs/*`. An unclosed brace stays as it is. */
function alternatives(pattern: string): string[] {
  if (pattern.length > MAX_PATTERN_LENGTH) return [];
  const [, before = '', inner, after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (!inner?.includes(',')) return [pattern];
  const rest = alternatives(after);
  return expandFirst(inner.split(','), (it) => rest.map((end) => `${before}${it}${end}`));
}

function partsOf(path: string): string[] {
  return path
    .trim()
    .split(/[\\/]/)
    .filter((it) => it !== '' && it !== '.');
}

/** Syntax that is read as `*`, which matches more than the author means. */
const loose = /\[|\{|[@+?*!]\(/;

function partPattern(part: string): Part {
  return part === '**' ? part : compileWildcard(part.replace(/(?:[@+?*!]\(|\{).*$/s, '*'));
}

/** Deeper walks skip `build`, `vendor` and the like; up to this depth a package may have such a name. */
const MAX_UNNAMED_DEPTH = 2;

function placesOf(parts: readonly string[]): Place[] {
  const at = parts.findIndex((it) => /[*?[{(]/.test(it));
  const plain = at < 0 ? parts : parts.slice(0, at);
  const directory = plain.join('/');
  if (!parts.includes('**')) return [{ directory, depth: parts.length - plain.length }];
  return [Number.POSITIVE_INFINITY, MAX_UNNAMED_DEPTH].map((depth) => ({ directory, depth }));
}

/** Where parts do not match, the last `**` takes one more: earlier ones never have to. */
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
