import type { LockfileFormat } from '../../../model/lockfile.ts';
import type { Manifest } from '../../../model/manifest.ts';
import { lockfileFormat } from '../../shared/lockfile.ts';
import { pylockGraph } from '../graph/pylock-graph.ts';
import { parsePythonLock, sourceOfWord } from './python-lock.ts';

const sources = ['vcs', 'directory', 'archive'] as const;

/** The lockfile that all tools may write. Source: PEP 751, for its name, too. */
export const pylock = lockfileFormat({
  id: 'pylock.toml',
  system: 'PYPI',
  files: /(^|\/)pylock(?:\.[^./]+)?\.toml$/,
  serves: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  below: false,
  update: 'pip lock -e .',
  writer: 'pip lock',
  others: (manifest) => [...groupNames(manifest)].slice(0, MAX_NAMED_LOCKFILES).map(namedLockfile),
  parse: (text) =>
    parsePythonLock(text, {
      array: 'packages',
      origin: [...sources, 'index', 'marker'],
      marker: 'marker',
      sourceOf: (origin) => sourceOfWord(sources.find((it) => origin.has(it)) ?? 'registry'),
      registryOf: (origin) => origin.get('index'),
      graph: pylockGraph,
    }),
});

/** Each is a file to look for. Real manifests have a handful of groups and extras. */
const MAX_NAMED_LOCKFILES = 50;

/** The lockfile of a group or an extra: `pylock.dev.toml` for the group `dev`. The name has no dot. Source: PEP 751. */
function namedLockfile(name: string): LockfileFormat {
  const { others: _, ...format } = pylock;
  const id = `pylock.${name}.toml`;
  return { ...format, id, update: `${format.update} -o ${id}` };
}

/** The names of a project's groups and extras, which tools use for the lockfile of one. */
function groupNames({ dependencies }: Manifest): Set<string> {
  return new Set(dependencies.flatMap(({ group = '' }) => /^(?:group|extra) ([\w-]{1,100})$/.exec(group)?.[1] ?? []));
}
