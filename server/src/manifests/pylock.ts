import type { ManifestFormat } from '../model/manifest.ts';
import { pythonSource } from './python-source.ts';
import { readTomlLock, type TomlLock } from './toml-lock.ts';

/** The lockfile that all tools may write, opened itself. Source: PEP 751, which names the file, too. */
export const pylock: ManifestFormat = {
  id: 'pylock.toml',
  system: 'PYPI',
  record: 'lockfile',
  files: /(^|\/)pylock(?:\.[^./]+)?\.toml$/,
  parse: (text) => readTomlLock(text, format),
};

const origins = ['vcs', 'directory', 'archive'] as const;

const format: TomlLock = {
  system: 'PYPI',
  array: 'packages',
  origin: [...origins, 'index'],
  sourceOf: (origin) => pythonSource(origins.find((it) => origin.has(it)) ?? 'registry'),
  registryOf: (origin) => origin.get('index'),
  update: 'pip lock',
};
