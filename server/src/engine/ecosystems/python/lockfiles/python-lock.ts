import { addTo } from '../../../base/collections.ts';
import { readTomlPackages, type TomlPackage } from '../../../formats/toml/packages.ts';
import type { GraphOfLockfile } from '../../../model/graph/locked-graph.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { InPlace, LockedAlternative, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import { once } from '../../shared/graph-builder.ts';
import { MAX_VERSIONS, pickLockedVersion } from '../../shared/lockfile.ts';
import { lockedPackage, readTomlLock, type TomlLock } from '../../shared/toml-lock.ts';
import { mayHoldTogether } from '../graph/markers.ts';
import { pypi } from '../versions.ts';
import { problemsOfFiles } from './locked-files.ts';

/** The differences between the lockfiles of Python's tools. */
interface PythonLock extends TomlLock {
  /** The directories of the manifests that the lockfile serves; its own without it. */
  readonly members?: (origins: Iterable<TomlPackage['origin']>) => ReadonlySet<string>;
  /** The key, among those of the origin, with the markers of an entry: a string, a list of alternatives, or a table. */
  readonly marker?: string;
  readonly installs?: Lockfile['installs'];
  /** Which of several entries of one name it takes. By their conditions without it. */
  readonly takesElsewhere?: (text: string, name: string, importer: string) => boolean;
  readonly graph: (text: string, format: TomlLock, locked: Lockfile['locked']) => GraphOfLockfile;
}

/** Parses a lockfile in TOML. A package from a folder or a repository has a version, too, but not a published one. */
export function parsePythonLock(text: string, format: PythonLock): Lockfile {
  let versions: ReadonlyMap<string, readonly LockedAlternative[]> | undefined;
  let members: ReadonlySet<string> | undefined;
  let others: ReadonlyMap<string, readonly Other[]> | undefined;
  return {
    get packages() {
      return [...readTomlLock(text, format)];
    },
    get problems() {
      return problemsOfFiles(text, format);
    },
    locked,
    inPlaceOf,
    alternatives,
    ...(format.installs && { installs: format.installs }),
    graph: once(() => format.graph(text, format, locked)),
  };

  /** An entry from elsewhere, which prevails where the file has one of a registry, too: Poetry installs both, that one last. */
  function inPlaceOf(dependency: Dependency, importer: string): InPlace | undefined {
    const { key, condition } = dependency;
    if (!isLocked(dependency)) return undefined;
    others ??= othersIn(text, format);
    const all = others.get(key.name) ?? [];
    versions ??= versionsIn(text, format);
    if (all.length === 0 || !versions.has(key.name)) return all[0];
    if (format.takesElsewhere) return format.takesElsewhere(text, key.name, importer) ? all[0] : undefined;
    return all.find((it) => condition === undefined || (it.marker && mayHoldTogether([condition, it.marker])));
  }

  function locked(dependency: Dependency, importer: string): string | undefined {
    if (inPlaceOf(dependency, importer)) return undefined;
    const found = possible(dependency, importer).map((it) => it.version);
    return found.length > 1 ? pickLockedVersion(found, rangeOf(dependency), pypi) : found[0];
  }

  function alternatives(dependency: Dependency, importer: string): readonly LockedAlternative[] {
    const found = possible(dependency, importer);
    if (found.length < 2 || inPlaceOf(dependency, importer)) return NO_ALTERNATIVES;
    const range = rangeOf(dependency);
    const inRange = range === undefined ? found : found.filter(({ version }) => pypi.keeps(version, range));
    return inRange.length < 2 ? NO_ALTERNATIVES : inRange.toSorted((a, b) => pypi.compare(b.version, a.version));
  }

  /** The versions that may be installed where the dependency is. */
  function possible(dependency: Dependency, importer: string): readonly LockedAlternative[] {
    members ??= format.members?.(originsIn(text, format)) ?? new Set(['']);
    if (!members.has(importer) || !isLocked(dependency)) return NO_ALTERNATIVES;
    versions ??= versionsIn(text, format);
    const all = versions.get(dependency.key.name) ?? NO_ALTERNATIVES;
    const { condition } = dependency;
    if (all.length < 2 || condition === undefined) return all;
    const together = all.filter((it) => mayHoldTogether([condition, it.condition ?? '']));
    return together.length > 0 ? together : all;
  }
}

const NO_ALTERNATIVES: readonly LockedAlternative[] = [];

function rangeOf({ requirement }: Dependency): string | undefined {
  return requirement.kind === 'literal' ? requirement.at.text : undefined;
}

/** An entry that does not come from a registry. */
interface Other extends InPlace {
  readonly marker: string | undefined;
}

/** Where the files say what an entry comes from. */
const origins = ['source.url', 'source', 'git', 'hg', 'svn', 'bzr', 'url', 'path'] as const;

function othersIn(text: string, format: PythonLock): ReadonlyMap<string, readonly Other[]> {
  const found = new Map<string, Other[]>();
  for (const it of readTomlPackages(text, format.array, format.origin)) {
    const entry = lockedPackage(it, format);
    if (entry?.source === undefined) continue;
    const name = canonicalName('PYPI', entry.name);
    const marker = format.marker === undefined ? undefined : markerOf(it.origin.get(format.marker));
    const address = origins.map((from) => it.origin.get(from)).find(Boolean);
    addTo(found, name, { name, source: entry.source, text: address ?? entry.version.text, marker });
  }
  return found;
}

/** The versions of each package from a registry, each once. */
function versionsIn(text: string, format: PythonLock): ReadonlyMap<string, readonly LockedAlternative[]> {
  const found = new Map<string, LockedAlternative[]>();
  for (const it of readTomlPackages(text, format.array, format.origin)) {
    const entry = lockedPackage(it, format);
    if (entry === undefined || entry.source !== undefined) continue;
    const id = canonicalName('PYPI', entry.name);
    const known = found.get(id) ?? [];
    const { text: version } = entry.version;
    // PDM lists a package once more for each set of extras.
    if (known.length >= MAX_VERSIONS || known.some((other) => other.version === version)) continue;
    const condition = format.marker === undefined ? undefined : markerOf(it.origin.get(format.marker));
    known.push({ version, ...(condition !== undefined && { condition }) });
    found.set(id, known);
  }
  return found;
}

/**
 *     python_version < \"3.9\"                                       as it is
 *     [ "python_full_version < '3.9'", "sys_platform == 'win32'" ]   either
 *     { main = "…", dev = "…" }                                      left out: it depends on the group
 */
function markerOf(value = ''): string | undefined {
  if (value === '' || value.startsWith('{')) return undefined;
  const plain = value.replaceAll('\\"', '"');
  if (!plain.startsWith('[')) return plain;
  const all = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, a, b]) =>
    (a ?? b ?? '').replaceAll('\\"', '"'),
  );
  if (all.length < 2) return all[0];
  return all.map((it) => `(${it})`).join(' or ');
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
