import ignore from 'ignore';

/**
 * Reads globs with the rules of `.gitignore`: `fixtures` at any depth, `/fixtures` and `test/pictures/fixtures` from the top on.
 * @returns whether a path relative to the top, with `/`, matches one of them
 */
export function pathPatterns(patterns: readonly string[]): (path: string) => boolean {
  const rules = ignore({ ignorecase: false }).add(patterns.map((it) => it.replace(/^\.\//, '/')));
  return (path) => ignore.isPathValid(path) && rules.ignores(path);
}
