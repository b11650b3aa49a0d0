import { mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';

/*
 * What `package-insights` names: the program, with what was compiled of it last time. Where the environment says where
 * such things are kept, it is done already; Node before 22.1 cannot.
 */
const directory = cacheDirectory();
const { NODE_COMPILE_CACHE: chosen } = process.env;
if (directory !== undefined && chosen === undefined && 'enableCompileCache' in nodeModule) {
  try {
    // Answers are kept beside it, for this user alone.
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    nodeModule.enableCompileCache(join(directory, 'compiled'));
  } catch {
    // A disk that cannot be written to keeps nothing.
  }
}
import('./program.ts');
