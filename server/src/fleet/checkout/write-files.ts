import { mkdir, open, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { checkoutLimits } from './checkout.ts';

/**
 * Whether a path of a repository can be written below a folder: relative, without steps upward, without the folder of git,
 * and of limited length and depth.
 */
export function isSafePath(path: string): boolean {
  if (Buffer.byteLength(path) > checkoutLimits.path || /[\0\\]/.test(path)) return false;
  const names = path.split('/');
  return (
    names.length <= checkoutLimits.depth &&
    names.every((it) => it !== '' && it !== '.' && it !== '..' && Buffer.byteLength(it) <= MAX_NAME_BYTES) &&
    !names.some((it) => it.toLowerCase() === '.git')
  );
}

/** Source: NAME_MAX of Linux. */
const MAX_NAME_BYTES = 255;

/** The files of a repository that are written to an empty folder. */
export interface FileWriter {
  /** Replaces nothing, and writes nothing through a link. Rejects with errors of the disk. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Writes what reads as a file that is too large, in place of one. */
  writeTooLarge(path: string): Promise<void>;
  /** Creates a link as it is. It is read only where it leads within the folder. */
  link(path: string, target: string): Promise<void>;
}

/** @param directory a folder that nothing else writes to */
export function writeFilesTo(directory: string): FileWriter {
  const known = new Set<string>();
  async function placeOf(path: string): Promise<string> {
    const place = join(directory, ...path.split('/'));
    const folder = dirname(place);
    if (!known.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A link that the repository has in place of a folder leads elsewhere.
      const [real, root] = [await realpath(folder), await realpath(directory)];
      if (real !== root && !real.startsWith(root + sep)) throw new Error('a path leads out of the repository');
      known.add(folder);
    }
    return place;
  }
  return {
    async write(path, bytes) {
      await writeFile(await placeOf(path), bytes, { flag: 'wx', mode: 0o600 });
    },
    async writeTooLarge(path) {
      const place = await placeOf(path);
      await (await open(place, 'wx', 0o600)).close();
      // It takes no room on the disk.
      await truncate(place, checkoutLimits.fileBytes + 1);
    },
    async link(path, target) {
      await symlink(target, await placeOf(path));
      known.clear();
    },
  };
}

/** Removes a checkout. What cannot be removed stays for the system to clean. */
export async function removeFiles(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
}
