import { pathPatterns } from '../engine/git/path-patterns.ts';
import type { Files } from '../engine/model/ports.ts';

/** The owners of a path relative to the root of the repository; empty for none. */
export type OwnersOf = (path: string) => readonly string[];

/** Places of the file; the first that exists counts. Sources: the documentation of GitHub and GitLab on code owners. */
const places = ['.github/CODEOWNERS', '.gitlab/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

/** The names of the files, for checkouts of parts. */
export const ownersFile = /(^|\/)CODEOWNERS$/;

/** In characters. Source: GitHub loads files of at most 3 MB. */
const MAX_LENGTH = 3_000_000;
/** Chosen: rules that a file of that length has. */
const MAX_RULES = 20_000;
/** Owners of one rule. */
const MAX_OWNERS = 20;

/** @param root the URI of the repository, with its trailing slash */
export async function readOwners(files: Pick<Files, 'read'>, root: string): Promise<OwnersOf> {
  for (const place of places) {
    const text = await files.read(root + place);
    if (text !== undefined) return ownersIn(text);
  }
  return () => [];
}

/**
 * Reads a file of code owners. The last rule that matches a path counts, also if it names no owner.
 *
 *     *            @org/everyone
 *     /web/        @org/web  web@example.com
 *     [Documentation] @docs          a section of GitLab: its owners apply to rules without owners
 *     *.md
 */
export function ownersIn(text: string): OwnersOf {
  const rules: { readonly matches: (path: string) => boolean; readonly owners: readonly string[] }[] = [];
  let usual: readonly string[] = [];
  for (const raw of text.slice(0, MAX_LENGTH).split(/\r?\n/)) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || rules.length === MAX_RULES) continue;
    const [, rest] = /^\^?\[[^\]]*\](?:\[\d+\])?(.*)$/.exec(line) ?? [];
    if (rest !== undefined) {
      usual = ownersOf(rest);
      continue;
    }
    const [, pattern = '', behind = ''] = /^((?:\\.|\S)+)(.*)$/.exec(line) ?? [];
    // Neither product negates.
    if (pattern.startsWith('!')) continue;
    const owners = ownersOf(behind.replace(/(?:^|\s)#.*$/, ''));
    rules.push({ matches: matcherOf(pattern), owners: owners.length > 0 ? owners : usual });
  }
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const before = known.get(path);
    if (before) return before;
    const owners = rules.findLast((it) => it.matches(path))?.owners ?? [];
    known.set(path, owners);
    return owners;
  };
}

function ownersOf(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((it) => /^@[^\s@]+$|^@@[^\s@]+$|^[^\s@]+@[^\s@]+$/.test(it));
  return [...new Set(words)].slice(0, MAX_OWNERS);
}

/** `docs/*` has the files of the folder alone, in contrast to `.gitignore`. */
function matcherOf(pattern: string): (path: string) => boolean {
  // Compiled when a path is compared with it: a file has more rules than a repository has manifests.
  let matches: ((path: string) => boolean) | undefined;
  const depth = pattern.endsWith('/*') && !pattern.includes('**') ? pattern.replace(/^\//, '').split('/').length : 0;
  return (path) => {
    if (depth > 0 && path.split('/').length !== depth) return false;
    matches ??= pathPatterns([pattern]);
    return matches(path);
  };
}
