import { randomUUID } from 'node:crypto';
import { access, chmod, constants, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Puts a new file in the place of one, with its permissions and behind its links: who reads it meanwhile sees the old
 * text or the new, and a full disk leaves the old one. Rejects with what the file system says.
 */
export async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  const real = await realpath(file);
  // Somebody has protected it, though its folder would let another take its place.
  await access(real, constants.W_OK);
  await putInPlace(real, bytes, (await stat(real)).mode);
}

/**
 * Writes a file that may not be there yet, in one step like `replaceFile`. What cannot be exchanged is written where it
 * stands: a pipe, a device, what standard output goes to, a file with other names or another owner, and one in a
 * folder that takes no new file.
 */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  const real = there ? await realpath(file).catch(() => undefined) : await missing(file);
  const isExchangeable = !there || (there.isFile() && there.nlink === 1 && isOwn(there.uid));
  if (real === undefined || !isExchangeable || /^\/(?:dev|proc)\//.test(file)) return writeFile(file, bytes);
  if (there) await access(real, constants.W_OK);
  await putInPlace(real, bytes, there?.mode).catch((error: NodeJS.ErrnoException) => {
    if (!fixed.has(error.code)) throw error;
    return writeFile(file, bytes);
  });
}

/** Windows has no owners by number. */
function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** The folder takes no new file, or the file is mounted by itself, as containers do. */
const fixed: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/** Where a file that is not there will stand; undefined for a link that leads nowhere, which is written through. */
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

async function putInPlace(file: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const beside = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    await writeFile(beside, bytes, { flag: 'wx' });
    if (mode !== undefined) await chmod(beside, mode);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
