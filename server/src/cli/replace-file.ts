import { randomUUID } from 'node:crypto';
import { access, chmod, constants, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file atomically and keeps its permissions and links: a concurrent reader sees the old text or the new, and
 * a full disk leaves the old one. Rejects with the error of the file system.
 */
export async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  const real = await realpath(file);
  // A write-protected file must stay, although its folder allows its replacement.
  await access(real, constants.W_OK);
  await putInPlace(real, bytes, (await stat(real)).mode);
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
  await putInPlace(real, bytes, there?.mode).catch((error: NodeJS.ErrnoException) => {
    if (!fixed.has(error.code)) throw error;
    return writeFile(file, bytes);
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
