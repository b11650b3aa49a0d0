import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A folder that was being made this long ago, in ms, was given up: its maker was killed. */
const abandonedAfter = 3_600_000;

/**
 * The folder at `destination`, made now where it is not there yet. It is made aside and put in place in one step, so
 * a maker that is killed, or several at a time, never leave half a folder there.
 */
export async function madeOnce(destination: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(destination)) return destination;
  const folder = scratchFolder(dirname(destination), `${basename(destination)}.partial-`);
  try {
    await make(folder);
    renameSync(folder, destination);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Another one was faster.
    if (!existsSync(destination)) throw error;
  }
  return destination;
}

/** A new empty folder below `parent`; those of the same prefix that were given up are removed. */
export function scratchFolder(parent: string, prefix: string): string {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (name.startsWith(prefix) && Date.now() - statSync(path).mtimeMs > abandonedAfter) {
      rmSync(path, { recursive: true, force: true });
    }
  }
  return mkdtempSync(join(parent, prefix));
}
