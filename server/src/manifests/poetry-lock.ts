import type { ManifestFormat } from '../model/manifest.ts';
import { pythonSource } from './python-source.ts';
import { readTomlLock, type TomlLock } from './toml-lock.ts';

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
  sourceOf: (origin) => pythonSource(origin.get('source.type') ?? 'legacy'),
  registryOf: (origin) => origin.get('source.url'),
  update: 'poetry lock',
};
