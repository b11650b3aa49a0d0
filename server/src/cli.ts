import { mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './platform/cache-directory.ts';

/*
 * Starts the terminal program with its compile cache. Compiled code is kept only in the user's own cache folder: a
 * folder of answers may come from elsewhere, and compiled code is executed.
 */
const { NODE_COMPILE_CACHE: chosen, PACKAGE_INSIGHTS_CACHE_DIR: given } = process.env;
const directory = given === undefined && chosen === undefined ? cacheDirectory() : undefined;
// Node before 22.1 has no compile cache.
if (directory !== undefined && 'enableCompileCache' in nodeModule) {
  try {
    // Cached answers are beside it, for this user only.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    nodeModule.enableCompileCache(join(directory, 'compiled'));
  } catch {
    // Without a writable disk nothing is cached.
  }
}
import('./program.ts');
