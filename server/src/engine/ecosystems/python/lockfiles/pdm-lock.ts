import { lockfileFormat } from '../../shared/lockfile.ts';
import { pdmGraph } from '../graph/pdm-graph.ts';
import { parsePythonLock, sourceOfWord } from './python-lock.ts';

const origin = ['git', 'hg', 'svn', 'bzr', 'url', 'path'] as const;

/** PDM's lockfile. It lists a package with extras once more for each set of them. */
export const pdmLock = lockfileFormat({
  id: 'pdm.lock',
  system: 'PYPI',
  files: /(^|\/)pdm(?:\.[\w.-]+)?\.lock$/,
  serves: ['pyproject.toml'],
  below: false,
  update: 'pdm lock',
  parse: (text) =>
    parsePythonLock(text, {
      array: 'package',
      origin: [...origin, 'marker'],
      marker: 'marker',
      sourceOf: (named) => sourceOfWord(origin.find((it) => named.has(it)) ?? 'registry'),
      installs: 'entries',
      graph: pdmGraph,
    }),
});
