import type { ManifestFormat } from '../model/manifest.ts';
import { pythonSource } from './python-source.ts';
import { readTomlLock, type TomlLock } from './toml-lock.ts';

/** PDM's lockfile, opened itself. A package with extras is listed once more for each set of them. */
export const pdmLock: ManifestFormat = {
  id: 'pdm.lock',
  system: 'PYPI',
  record: 'lockfile',
  files: /(^|\/)pdm(?:\.[\w.-]+)?\.lock$/,
  parse: (text) => readTomlLock(text, format),
};

const origins = ['git', 'hg', 'svn', 'bzr', 'url', 'path'] as const;

const format: TomlLock = {
  system: 'PYPI',
  array: 'package',
  origin: origins,
  sourceOf: (origin) => pythonSource(origins.find((it) => origin.has(it)) ?? 'registry'),
  update: 'pdm lock',
};
