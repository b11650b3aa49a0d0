import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(import.meta.dirname, '..', '..');

/** Files that the tools can recreate: downloads, scratch folders, screenshots. Not in the repository. */
export const cache = join(root, '.cache');
