import { addTo } from '../model/grouped.ts';
import type { Versioning } from '../model/versioning.ts';

/** Versions of one package that count. A lockfile holds a few, for different environments; each is held against each dependency. */
const most = 100;

/** Notes a version that is locked. */
export function addVersion(versions: Map<string, string[]>, name: string, version: string): void {
  if ((versions.get(name)?.length ?? 0) < most) addTo(versions, name, version);
}

/**
 * Of the versions of one package that are locked the highest that is asked for; where none of them is, the highest.
 * @param range undefined where nothing certain is asked for
 */
export function chosen(
  versions: readonly string[],
  range: string | undefined,
  { keeps, compare }: Versioning,
): string | undefined {
  const asked = range === undefined ? [] : versions.filter((it) => keeps(it, range));
  return (asked.length > 0 ? asked : versions).toSorted(compare).at(-1);
}
