import { pypi } from '../versions.ts';

/**
 * Whether an environment marker is true in no Python that a lockfile is for. PDM and Poetry keep what a package requires on
 * older ones.
 *
 *     requires_python = ">=3.11"      importlib-metadata ; python_version < "3.8"
 * @param pythons the ranges of Python of each target
 */
export function isNeverTrue(marker: string | undefined, pythons: readonly string[]): boolean {
  if (marker === undefined || pythons.length === 0 || /\bor\b/.test(marker)) return false;
  return marker.split(/\band\b/).some((part) => {
    const [, full, operator, version = ''] =
      /^[\s(]*python_(full_)?version\s*(<=?|==)\s*["'](\d[\d.]*)["'][\s)]*$/.exec(part) ?? [];
    if (operator === undefined) return false;
    return pythons.every((it) => {
      const [, lowest = ''] = /(?:>=|[\^~]=?|==)\s*(\d[\d.]*)/.exec(it) ?? [];
      const least = full ? lowest : lowest.split('.').slice(0, 2).join('.');
      const order = pypi.compare(least, version);
      return lowest !== '' && !it.includes('|') && (operator === '<' ? order >= 0 : order > 0);
    });
  });
}
