import { constants, lstat, open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files } from '../model/ports.ts';
import { decode } from '../text/decode.ts';
import { stampOf } from './stamp.ts';
import { walk } from './walk.ts';

/** A manifest or lockfile larger than this is none that a person or a tool would write. Lockfiles of large monorepos reach 20 MB. */
const largest = 32 * 1024 * 1024;

/**
 * The files on disk below certain folders. What lies outside them, however a path or a symbolic link leads there, is
 * not there; nor are devices, sockets and pipes.
 * @param roots file URIs of the folders, asked for at each reading
 */
export function diskFiles(roots: () => readonly string[]): Files {
  async function read(uri: string): Promise<string | undefined> {
    const path = localPath(uri);
    const real = path && (await realpath(path).catch(() => undefined));
    if (!real || !(await isRealWithin(real, roots()))) return undefined;
    const bytes = await readWhole(real).catch(() => undefined);
    return bytes && decode(bytes).text;
  }
  return {
    read,
    async isBarred(uri) {
      const path = localPath(uri);
      if (path === undefined) return true;
      // A link that leads nowhere stands there, too: whoever writes makes the file that it names.
      const isThere = await lstat(path).then(
        () => true,
        () => false,
      );
      return isThere && (await read(uri)) === undefined;
    },
    async find(directory, matches, most, depth, known) {
      const path = localPath(directory);
      if (path === undefined || !(await isWithin(path, roots()))) return [];
      return walk(path, matches, { most, ...(depth !== undefined && { depth }), ...(known && { known }) });
    },
    async stamp(uri) {
      const path = localPath(uri);
      return path === undefined ? undefined : stampOf(path);
    },
  };
}

/**
 * The bytes of a plain file. What was looked at is what is read, whatever is put in its place meanwhile; opening a pipe
 * that nobody writes to does not wait, where the system knows how (elsewhere the flag is undefined, which adds nothing).
 */
async function readWhole(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const about = await file.stat();
    return about.isFile() && about.size <= largest ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

async function isWithin(path: string, roots: readonly string[]): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && isRealWithin(real, roots);
}

async function isRealWithin(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const folder = localPath(root);
    const realRoot = folder && (await realpath(folder).catch(() => undefined));
    if (realRoot && (real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)))
      return true;
  }
  return false;
}

/** The path of a file URI on this machine; undefined for other schemes and for hosts. */
function localPath(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== 'file:' || url.host !== '') return undefined;
  // A percent-encoded slash or a null byte is no file name.
  if (/%2f|%00/i.test(url.pathname)) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    // A stray percent sign, or no drive where one is needed.
    return undefined;
  }
}
