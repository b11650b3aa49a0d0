import type { LockfileFormat } from '../model/lockfile.ts';
import { readPythonLock } from './python-locked.ts';

const origin = ['vcs', 'directory', 'archive'] as const;

/** The lockfile that all tools may write. Source: PEP 751. */
export const pylock: LockfileFormat = {
  id: 'pylock.toml',
  serves: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  below: false,
  update: 'pip lock -e .',
  parse: (text) =>
    readPythonLock(text, { array: 'packages', origin, isPublished: (it) => !origin.some((key) => it.has(key)) }),
};
