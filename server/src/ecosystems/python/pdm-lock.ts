import type { LockfileFormat } from '../../model/lockfile.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { lockedSource } from './local-sources.ts';
import { readPythonLock } from './toml-locks.ts';

const origin = ['git', 'hg', 'svn', 'bzr', 'url', 'path'] as const;

/** PDM's lockfile. A package with extras is listed once more for each set of them. */
export const pdmLockfile: LockfileFormat = {
  id: 'pdm.lock',
  serves: ['pyproject.toml'],
  below: false,
  update: 'pdm lock',
  parse: (text) =>
    readPythonLock(text, { array: 'package', origin, isPublished: (it) => !origin.some((key) => it.has(key)) }),
};

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
  sourceOf: (origin) => lockedSource(origins.find((it) => origin.has(it)) ?? 'registry'),
  update: 'pdm lock',
};
