import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** In ms. A folder of this age whose process is gone is abandoned. */
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

/**
 * A new empty folder below `parent`, named after this process. Those of the same prefix whose process is gone are
 * removed, if they are old as well: several machines may share the folder, each with processes of its own.
 */
export function scratchFolder(parent: string, prefix: string): string {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    const path = join(parent, name);
    if (pid > 0 && !isRunning(pid) && Date.now() - statSync(path).mtimeMs > abandonedAfter) {
      rmSync(path, { recursive: true, force: true });
    }
  }
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`));
}

/** Whether a process of this machine is there, and ours. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
