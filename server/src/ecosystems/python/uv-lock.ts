import type { TomlPackage } from '../../formats/toml/packages.ts';
import type { LockfileFormat } from '../../model/lockfile.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { lockedSource } from './local-sources.ts';
import { readPythonLock } from './toml-locks.ts';

/**
 * uv's lockfile, opened itself.
 *
 *     source = { registry = "https://…" }     in older files: source = "registry+https://…"
 *                ^^^^^^^^
 */
export const uvLock: ManifestFormat = {
  id: 'uv.lock',
  system: 'PYPI',
  record: 'lockfile',
  files: /(^|\/)uv\.lock$/,
  parse: (text) => readTomlLock(text, format),
};

const format: TomlLock = {
  system: 'PYPI',
  array: 'package',
  origin: ['source'],
  sourceOf: (origin) => {
    const source = origin.get('source') ?? '';
    const found = lockedSource(/^\{?\s*(\w+)/.exec(source)?.[1] ?? 'registry');
    // A member of the workspace, but for its root.
    return found === 'none' && !/(?:=\s*["']|\+)\.\/?(?:["']|$)/.test(source) ? 'workspace' : found;
  },
  registryOf: (origin) => /\bregistry(?:\s*=\s*["']|\+)([^"']+)/.exec(origin.get('source') ?? '')?.[1],
  update: 'uv lock',
};

/**
 * uv's lockfile. A workspace has one, at its root.
 *
 *     [[package]]                                          [[package]]
 *     name = "flask"                                       name = "member"
 *     version = "3.0.3"                                    version = "0.1.0"
 *     source = { registry = "https://…" }                  source = { editable = "packages/member" }
 */
export const uvLockfile: LockfileFormat = {
  id: 'uv.lock',
  serves: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  below: true,
  update: 'uv lock',
  parse: (text) => readPythonLock(text, { array: 'package', origin: ['source'], isPublished, members }),
};

/** Older files write `source = "registry+https://…"`. */
function isPublished(origin: TomlPackage['origin']): boolean {
  return /^(?:\{\s*registry\b|registry\+)/.test(origin.get('source') ?? 'registry+');
}

function members(origins: readonly TomlPackage['origin'][]): ReadonlySet<string> {
  const directories = origins.flatMap((it) => {
    const source = it.get('source') ?? '';
    const [, path, older] =
      /^(?:\{\s*(?:editable|virtual|directory)\s*=\s*["']([^"']*)|(?:editable|virtual|directory)\+(.*))/.exec(source) ??
      [];
    const directory = path ?? older;
    return directory === undefined ? [] : [directory.replace(/^\.\/?/, '').replace(/\/$/, '')];
  });
  // A workspace whose root is no package of its own may have groups there.
  return new Set(['', ...directories]);
}
