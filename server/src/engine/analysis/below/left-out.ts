import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import { type VersionKey, versionId } from '../../model/keys.ts';
import type { Snapshot } from '../snapshot.ts';

/**
 * What the lockfiles of a manifest list besides its own dependencies, each version once: what its dependencies bring, where
 * a person leaves that out. The graph is not searched for it, so what other manifests of the same lockfile bring counts.
 */
export function leftOutBelow({ format, lockfiles, dependencies }: LockedManifest): readonly VersionKey[] {
  if (format.record !== undefined) return [];
  const own = new Set(dependencies.flatMap(ownVersion));
  const found = new Map<string, VersionKey>();
  for (const { format: of, lockfile } of lockfiles) {
    const { system } = of.opened;
    if (system === 'any') continue;
    for (const { name, packageName = name, version, source } of lockfile.packages) {
      if (source !== undefined) continue;
      const key = { system, name: packageName, version: version.text };
      const id = versionId(key);
      if (!own.has(id)) found.set(id, key);
    }
  }
  return [...found.values()];
}

type LockedManifest = Pick<Snapshot, 'format' | 'lockfiles' | 'dependencies'>;

function ownVersion({ linked: { key }, resolution }: EvaluatedDependency): string[] {
  const { system, name } = key;
  return resolution.kind === 'version' ? [versionId({ system, name, version: resolution.version })] : [];
}
