import type { ManifestFormat } from '../model/manifest.ts';
import { pythonSource } from './python-source.ts';
import { readTomlLock, type TomlLock } from './toml-lock.ts';

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
    const found = pythonSource(/^\{?\s*(\w+)/.exec(source)?.[1] ?? 'registry');
    // A member of the workspace, but for its root.
    return found === 'none' && !/(?:=\s*["']|\+)\.\/?(?:["']|$)/.test(source) ? 'workspace' : found;
  },
  registryOf: (origin) => /\bregistry(?:\s*=\s*["']|\+)([^"']+)/.exec(origin.get('source') ?? '')?.[1],
  update: 'uv lock',
};
