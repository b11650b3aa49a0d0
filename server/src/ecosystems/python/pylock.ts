import type { LockfileFormat } from '../../model/lockfile.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { lockedSource } from './local-sources.ts';
import { readPythonLock } from './toml-locks.ts';

const origin = ['vcs', 'directory', 'archive'] as const;

/** The lockfile that all tools may write. Source: PEP 751. */
export const pylockLockfile: LockfileFormat = {
  id: 'pylock.toml',
  serves: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  below: false,
  update: 'pip lock -e .',
  others: (manifest) => [...namesIn(manifest)].slice(0, mostNames).map(named),
  parse: (text) =>
    readPythonLock(text, { array: 'packages', origin, isPublished: (it) => !origin.some((key) => it.has(key)) }),
};

/** Each is a file to look for. Real manifests have a handful of groups and extras. */
const mostNames = 50;

/** A lockfile of one use of a project: `pylock.dev.toml` for the group `dev`. Its name has no dot in it. Source: PEP 751. */
function named(name: string): LockfileFormat {
  const { others: _, ...format } = pylockLockfile;
  const id = `pylock.${name}.toml`;
  return { ...format, id, update: `${format.update} -o ${id}` };
}

/** What a project's groups and extras are called, as tools name an export of one. */
function namesIn({ dependencies }: Manifest): Set<string> {
  return new Set(dependencies.flatMap(({ group = '' }) => /^(?:group|extra) ([\w-]{1,100})$/.exec(group)?.[1] ?? []));
}

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
  sourceOf: (origin) => lockedSource(origins.find((it) => origin.has(it)) ?? 'registry'),
  registryOf: (origin) => origin.get('index'),
  update: 'pip lock',
};
