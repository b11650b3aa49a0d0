import { mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
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
/*
 * Editors start the server most often, and it is all that they need: none of the terminal program is loaded for it. The
 * program reads every other command line, and explains a wrong one. `--clientProcessId` as in the Language Server
 * Protocol, "Implementation Considerations".
 */
const [command, ...options] = process.argv.slice(2);
const isUsual = options.every((it) => it === '--stdio' || /^--clientProcessId=\d+$/.test(it));
if (command === 'lsp' && isUsual && options.includes('--stdio')) {
  // The editor's pipe, and the watch over its process, would keep this process alive.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
  import('./server.ts').then(() => {
    // The room that V8 has for new objects stays as large as the start made it. Answers arrive in bursts, and it would grow
    // for the largest: by 15 MB with 800 dependencies. The extension limits it on the server's command line.
    setFlagsFromString('--semi-space-growth-factor=1');
  });
} else import('./program.ts');
