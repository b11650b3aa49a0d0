import { readTomlPackages, type TomlPackage } from '../../formats/toml/packages.ts';
import type { GraphOfLockfile } from '../../model/graph/locked-graph.ts';
import type { Lockfile } from '../../model/lockfile.ts';
import type { Dependency, Source } from '../../model/manifest.ts';
import { once } from '../shared/graph-builder.ts';
import { pickLockedVersion, versionsByName } from '../shared/lockfile.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { pypi } from './versions.ts';

/** The differences between the lockfiles of Python's tools. */
interface PythonLock extends TomlLock {
  /** The directories of the manifests that the lockfile serves; its own without it. */
  readonly members?: (origins: Iterable<TomlPackage['origin']>) => ReadonlySet<string>;
  readonly graph: (text: string, format: TomlLock, locked: Lockfile['locked']) => GraphOfLockfile;
}

/** Parses a lockfile in TOML. A package from a folder or a repository has a version, too, but not a published one. */
export function parsePythonLock(text: string, format: PythonLock): Lockfile {
  let versions: ReadonlyMap<string, readonly string[]> | undefined;
  let members: ReadonlySet<string> | undefined;
  return {
    get packages() {
      return [...readTomlLock(text, format)];
    },
    problems: [],
    locked,
    graph: once(() => format.graph(text, format, locked)),
  };

  function locked(dependency: Dependency, importer: string): string | undefined {
    members ??= format.members?.(originsIn(text, format)) ?? new Set(['']);
    if (!members.has(importer) || !isLocked(dependency)) return undefined;
    versions ??= versionsByName('PYPI', readTomlLock(text, format));
    const { key, requirement } = dependency;
    const range = requirement.kind === 'literal' ? requirement.at.text : undefined;
    return pickLockedVersion(versions.get(key.name) ?? [], range, pypi);
  }
}

function* originsIn(text: string, { array, origin }: TomlLock): Iterable<TomlPackage['origin']> {
  for (const it of readTomlPackages(text, array, origin)) yield it.origin;
}

/** Build dependencies and the environments of Hatch are installed separately, whatever a lockfile contains. */
function isLocked({ scope, group }: Dependency): boolean {
  return scope !== 'build' && group?.startsWith('hatch ') !== true;
}

/**
 * The source that a lockfile names with a word: `editable`. The project itself, in a folder that is edited, has none: no
 * package depends on it.
 */
export function sourceOfWord(word: string): Source | 'registry' | 'none' {
  switch (word) {
    case 'registry':
    case 'legacy':
      return 'registry';
    case 'editable':
    case 'virtual':
      return 'none';
    case 'directory':
    case 'path':
    case 'file':
      return 'path';
    case 'url':
    case 'archive':
      return 'url';
    default:
      return 'git';
  }
}
