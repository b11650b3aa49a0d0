import type { LockfileFormat } from '../../model/lockfile.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { lockedSource } from './local-sources.ts';
import { readPythonLock } from './toml-locks.ts';

/** Poetry's lockfile, opened itself. What was not taken from an index has a table `[package.source]`; `legacy` is an index too. */
export const poetryLock: ManifestFormat = {
  id: 'poetry.lock',
  system: 'PYPI',
  record: 'lockfile',
  files: /(^|\/)poetry\.lock$/,
  parse: (text) => readTomlLock(text, format),
};

const format: TomlLock = {
  system: 'PYPI',
  array: 'package',
  origin: ['source.type', 'source.url'],
  sourceOf: (origin) => lockedSource(origin.get('source.type') ?? 'legacy'),
  registryOf: (origin) => origin.get('source.url'),
  update: 'poetry lock',
};

/** Poetry's lockfile. What was not taken from an index has a table `[package.source]`; `legacy` is an index too. */
export const poetryLockfile: LockfileFormat = {
  id: 'poetry.lock',
  serves: ['pyproject.toml'],
  below: false,
  update: 'poetry lock',
  parse: (text) =>
    readPythonLock(text, {
      array: 'package',
      origin: ['source.type'],
      isPublished: (it) => (it.get('source.type') ?? 'legacy') === 'legacy',
    }),
};
