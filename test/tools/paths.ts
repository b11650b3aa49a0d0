import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(import.meta.dirname, '..', '..');

/** What the workbench makes and may make again: downloads, scratch folders, screenshots. Not in the repository. */
export const cache = join(root, '.cache');
