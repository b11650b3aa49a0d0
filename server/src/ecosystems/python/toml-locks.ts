import { type TomlPackage, tomlPackages } from '../../formats/toml/packages.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Lockfile } from '../../model/lockfile.ts';
import type { Dependency } from '../../model/manifest.ts';
import { addVersion, pickLockedVersion } from '../shared/lockfile.ts';
import { pypi } from './versions.ts';

/** What tells the lockfiles of Python's tools apart. */
interface PythonLock {
  /** The array that lists packages. */
  readonly array: 'package' | 'packages';
  /** The names that say where a package was taken from. */
  readonly origin: readonly string[];
  /** Whether a package was taken from an index: what stands in a folder has a version too, but none that was published. */
  readonly isPublished: (origin: TomlPackage['origin']) => boolean;
  /** The directories of the manifests that are served; absent where only that beside the lockfile is. */
  readonly members?: (origins: readonly TomlPackage['origin'][]) => ReadonlySet<string>;
}

/** Reads a lockfile in TOML. */
export function readPythonLock(text: string, { array, origin, isPublished, members }: PythonLock): Lockfile {
  const packages = tomlPackages(text, array, origin);
  const versions = new Map<string, string[]>();
  for (const it of packages) {
    const name = canonicalName('PYPI', it.name?.text ?? '');
    const version = it.version?.text ?? '';
    if (version !== '' && isPublished(it.origin)) addVersion(versions, name, version);
  }
  const served = members?.(packages.map((it) => it.origin)) ?? new Set(['']);
  return {
    packages: [],
    problems: [],
    locked: (it, importer) => {
      if (!served.has(importer) || !isLocked(it)) return undefined;
      const { key, requirement } = it;
      return pickLockedVersion(
        versions.get(key.name) ?? [],
        requirement.kind === 'literal' ? requirement.at.text : undefined,
        pypi,
      );
    },
  };
}

/** What builds a package, and the environments of Hatch, are installed on their own, whatever a lockfile says. */
function isLocked({ scope, group }: Dependency): boolean {
  return scope !== 'build' && group?.startsWith('hatch ') !== true;
}
