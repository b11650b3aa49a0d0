import type { LockfileFormat } from '../model/lockfile.ts';
import { readPythonLock } from './python-locked.ts';

/** Poetry's lockfile. What was not taken from an index has a table `[package.source]`; `legacy` is an index too. */
export const poetryLock: LockfileFormat = {
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
