import type { Snapshot } from '../../analysis/snapshot.ts';
import { directoryOf, relativeTo } from '../../base/uri.ts';
import { canonicalName } from '../../model/keys.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';

/** A lockfile with a package that its client installs, and that no manifest requires. */
export interface Unrequired {
  readonly found: FoundLockfile;
  /** In canonical spelling. */
  readonly name: string;
}

/** The manifests beside each other count together: a project may have its requirements in several files. */
export function unrequiredIn(snapshots: readonly Snapshot[]): readonly Unrequired[] {
  return snapshots.flatMap((snapshot): Unrequired[] => {
    const directory = directoryOf(snapshot.uri);
    const served = snapshot.lockfiles.filter(({ lockfile }) => lockfile.unrequired);
    if (snapshot.format.id !== 'pyproject.toml' || served.length === 0) return [];
    const beside = snapshots.filter((it) => directoryOf(it.uri) === directory);
    // What is not understood may require it.
    if (beside.some(({ chain }) => chain.truncatedAt || chain.files.some((it) => it.manifest.problems.length > 0)))
      return [];
    const all = beside.flatMap((it) => [it, ...it.included]).flatMap((it) => it.dependencies);
    const required = new Set(
      all.flatMap(({ linked: { key, dependency } }) => [key.name, canonicalName('PYPI', dependency.name)]),
    );
    return served.flatMap((found) => {
      const importer = relativeTo(found.directory, directory);
      const name = importer === undefined ? undefined : found.lockfile.unrequired?.(required, importer);
      return name === undefined ? [] : { found, name };
    });
  });
}
