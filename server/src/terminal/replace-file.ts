import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  lstat,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A plain file as it was when it was read. */
export interface OpenedFile {
  readonly bytes: Uint8Array;
  /**
   * Replaces the file atomically and keeps its permissions: a concurrent reader sees the old text or the new, and a full
   * disk leaves the old one. Rejects with the error of the file system, or resolves to false if another file has taken its
   * place since it was read: nothing is written then.
   */
  replace(bytes: Uint8Array): Promise<boolean>;
}

/**
 * Reads a plain file that is to be replaced. A link in its place is not followed, and a pipe is not waited for. Rejects
 * with the error of the file system.
 * @param path a real path
 * @returns undefined for what is no plain file
 */
export async function openForReplacement(path: string): Promise<OpenedFile | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(ignoreLink);
  if (file === undefined) return undefined;
  try {
    const then = await file.stat({ bigint: true });
    if (!then.isFile()) return undefined;
    const isSame = async (): Promise<boolean> => {
      const now = await lstat(path, { bigint: true }).catch(() => undefined);
      // The path could lead elsewhere if a folder above were exchanged for a link.
      const isInPlace = (await realpath(path).catch(() => undefined)) === path;
      return isInPlace && now?.ino === then.ino && now.dev === then.dev && now.mtimeNs === then.mtimeNs;
    };
    return {
      bytes: await file.readFile(),
      async replace(bytes) {
        // A write-protected file must stay, although its folder allows its replacement.
        await access(path, constants.W_OK);
        return putInPlace(path, bytes, Number(then.mode), isSame);
      },
    };
  } finally {
    await file.close();
  }
}

function ignoreLink(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ELOOP') throw error;
}

/**
 * Writes a file that may not exist yet, atomically like `replaceFile`. A file that cannot be replaced is overwritten in
 * place: a pipe, a device, the target of standard output, a file with other hard links or another owner, and one in a
 * read-only folder.
 */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  const real = there ? await realpath(file).catch(() => undefined) : await missing(file);
  const isExchangeable = !there || (there.isFile() && there.nlink === 1 && isOwn(there.uid));
  if (real === undefined || !isExchangeable || /^\/(?:dev|proc)\//.test(file)) return writeFile(file, bytes);
  if (there) await access(real, constants.W_OK);
  await putInPlace(real, bytes, there?.mode).catch(async (error: NodeJS.ErrnoException) => {
    if (!fixed.has(error.code)) throw error;
    await writeFile(file, bytes);
    return true;
  });
}

/** Windows has no owners by number. */
function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** The folder is read-only, or the file is a mount point, as in containers. */
const fixed: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/** The path of a file to be created; undefined for a dangling link, which is written through. */
async function missing(file: string): Promise<string | undefined> {
  const folder = await realpath(dirname(file));
  const path = join(folder, basename(file));
  return (await isLink(path)) ? undefined : path;
}

async function isLink(path: string): Promise<boolean> {
  return readlink(path).then(
    () => true,
    () => false,
  );
}

/** @param mayReplace asked before the file is replaced; nothing is written otherwise */
async function putInPlace(
  file: string,
  bytes: Uint8Array,
  mode: number | undefined,
  mayReplace?: () => Promise<boolean>,
): Promise<boolean> {
  const beside = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await writeFile(beside, bytes, { flag: 'wx' });
    if (mode !== undefined) await chmod(beside, mode);
    const isAllowed = mayReplace === undefined || (await mayReplace());
    await (isAllowed ? rename(beside, file) : rm(beside));
    return isAllowed;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
