import type { TomlPackage } from '../../../formats/toml/packages.ts';
import { lockfileFormat } from '../../shared/lockfile.ts';
import type { TomlLock } from '../../shared/toml-lock.ts';
import { projectDirectory, uvGraph } from '../graph/uv-graph.ts';
import { parsePythonLock, sourceOfWord } from './python-lock.ts';
import { takesElsewhere } from './uv-sources.ts';

/**
 * uv's lockfile. A workspace has one, at its root.
 *
 *     [[package]]                                          [[package]]
 *     name = "flask"                                       name = "member"
 *     version = "3.0.3"                                    version = "0.1.0"
 *     source = { registry = "https://…" }                  source = { editable = "packages/member" }
 *
 * Older files write `source = "registry+https://…"`.
 */
export const uvLock = lockfileFormat({
  id: 'uv.lock',
  system: 'PYPI',
  files: /(^|\/)uv\.lock$/,
  serves: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  below: true,
  update: 'uv lock',
  parse: (text) =>
    parsePythonLock(text, {
      array: 'package',
      origin: ['source', marker],
      marker,
      sourceOf,
      registryOf,
      members,
      installs: 'roots',
      takesElsewhere,
      graph: uvGraph,
    }),
});

/** The forks of the resolution that an entry belongs to. */
const marker = 'resolution-markers';

type Origin = TomlPackage['origin'];

function sourceOf(origin: Origin): ReturnType<TomlLock['sourceOf']> {
  const source = origin.get('source') ?? '';
  const found = sourceOfWord(/^\{?\s*(\w+)/.exec(source)?.[1] ?? 'registry');
  // All members of the workspace but its root.
  return found === 'none' && !/(?:=\s*["']|\+)\.\/?(?:["']|$)/.test(source) ? 'workspace' : found;
}

function registryOf(origin: Origin): string | undefined {
  return /\bregistry(?:\s*=\s*["']|\+)([^"']+)/.exec(origin.get('source') ?? '')?.[1];
}

function members(origins: Iterable<Origin>): ReadonlySet<string> {
  // The root of a workspace may have groups without being a package.
  const directories = new Set(['']);
  for (const it of origins) {
    const directory = projectDirectory(it.get('source') ?? '');
    if (directory !== undefined) directories.add(directory);
  }
  return directories;
}
