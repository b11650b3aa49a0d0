import { lockfileFormat } from '../../shared/lockfile.ts';
import { poetryGraph } from '../graph/poetry-graph.ts';
import { parsePythonLock, sourceOfWord } from './python-lock.ts';

/** Poetry's lockfile. A package that does not come from PyPI has a table `[package.source]`; `legacy` is an index, too. */
export const poetryLock = lockfileFormat({
  id: 'poetry.lock',
  system: 'PYPI',
  files: /(^|\/)poetry\.lock$/,
  serves: ['pyproject.toml'],
  below: false,
  update: 'poetry lock',
  parse: (text) =>
    parsePythonLock(text, {
      array: 'package',
      origin: ['source.type', 'source.url', 'markers'],
      marker: 'markers',
      sourceOf: (origin) => sourceOfWord(origin.get('source.type') ?? 'legacy'),
      registryOf: (origin) => origin.get('source.url'),
      installs: 'entries',
      graph: poetryGraph,
    }),
});
