import type { LockfileFormat } from '../model/lockfile.ts';
import { readPythonLock } from './python-locked.ts';

const origin = ['git', 'hg', 'svn', 'bzr', 'url', 'path'] as const;

/** PDM's lockfile. A package with extras is listed once more for each set of them. */
export const pdmLock: LockfileFormat = {
  id: 'pdm.lock',
  serves: ['pyproject.toml'],
  below: false,
  update: 'pdm lock',
  parse: (text) =>
    readPythonLock(text, { array: 'package', origin, isPublished: (it) => !origin.some((key) => it.has(key)) }),
};
