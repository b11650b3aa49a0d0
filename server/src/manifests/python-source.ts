import type { Source } from '../model/manifest.ts';

/**
 * Where a package was taken from, by the word that a lockfile of Python has for it. A package that the project itself is
 * made of, in a folder that is edited, was taken from nowhere.
 */
export function pythonSource(word: string): Source | 'registry' | 'none' {
  switch (word) {
    case 'registry':
    case 'legacy':
      return 'registry';
    case 'editable':
    case 'virtual':
      return 'none';
    case 'directory':
    case 'path':
    case 'file':
      return 'path';
    case 'url':
    case 'archive':
      return 'url';
    default:
      return 'git';
  }
}
