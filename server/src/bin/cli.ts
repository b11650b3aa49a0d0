import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { cacheDirectory, cacheTrouble, foldersOfCommand } from '../platform/cache-directory.ts';

/*
 * Starts the terminal program with its compile cache. Compiled code is executed as it is, so it is kept only in the user's
 * own cache folder, where no other user can put any: a folder of answers may come from elsewhere, and a variable may lead
 * into what is checked.
 */
const [command, ...options] = process.argv.slice(2);
const { NODE_COMPILE_CACHE: chosen, PACKAGE_INSIGHTS_CACHE_DIR: given } = process.env;
const directory = given === undefined && chosen === undefined ? cacheDirectory() : undefined;
// An editor names its folders later, and may start the server anywhere.
const folders = command === 'lsp' ? 'unknown' : foldersOfCommand();
// Node before 22.1 has no compile cache.
if (directory !== undefined && 'enableCompileCache' in nodeModule && !cacheTrouble(directory, folders)) {
  try {
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
