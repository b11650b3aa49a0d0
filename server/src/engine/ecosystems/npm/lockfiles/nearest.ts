/** Directories in which one package is looked for. Real ones are not nested half as deep. */
const MAX_ABOVE = 100;

/** In characters of all places that are looked at. 20,000 packages take a twentieth of it. */
const MAX_LOOKED_AT = 500_000_000;

/**
 * Finds packages as Node resolves them: in the directory of the one that requires it, else in those above.
 * @param find the package of a name in a directory
 * @param above undefined for the uppermost directory
 */
export function createNearest(
  find: (directory: string, name: string) => number | undefined,
  above: (directory: string) => string | undefined,
): (from: string, name: string) => number | undefined {
  let left = MAX_LOOKED_AT;
  return (from, name) => {
    let directory: string | undefined = from;
    for (let steps = 0; directory !== undefined && steps < MAX_ABOVE && left > 0; steps++) {
      left -= directory.length + name.length;
      const found = find(directory, name);
      if (found !== undefined) return found;
      directory = above(directory);
    }
    return undefined;
  };
}
