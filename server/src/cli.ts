import { mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './platform/answer-cache.ts';

/*
 * What `package-insights` names: the program, with what was compiled of it last time. That is kept where this user's
 * programs keep things, and nowhere else: a folder of answers may have been carried here, and compiled code runs.
 */
const { NODE_COMPILE_CACHE: chosen, PACKAGE_INSIGHTS_CACHE_DIR: given } = process.env;
const directory = given === undefined && chosen === undefined ? cacheDirectory() : undefined;
// Node before 22.1 cannot.
if (directory !== undefined && 'enableCompileCache' in nodeModule) {
  try {
    // Answers are kept beside it, for this user alone.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    nodeModule.enableCompileCache(join(directory, 'compiled'));
  } catch {
    // A disk that cannot be written to keeps nothing.
  }
}
import('./program.ts');
