import type { LockfileFormat } from '../model/lockfile.ts';
import type { TomlPackage } from '../text/toml-packages.ts';
import { readPythonLock } from './python-locked.ts';

/**
 * uv's lockfile. A workspace has one, at its root.
 *
 *     [[package]]                                          [[package]]
 *     name = "flask"                                       name = "member"
 *     version = "3.0.3"                                    version = "0.1.0"
 *     source = { registry = "https://…" }                  source = { editable = "packages/member" }
 */
export const uvLock: LockfileFormat = {
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
