import { constants, lstat, open, realpath } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files, Unreadable } from '../model/ports.ts';
import { decode } from '../text/decode.ts';
import { stampOf } from './stamp.ts';
import { unreadableBy } from './unreadable.ts';
import { walk } from './walk.ts';

/** A manifest or lockfile larger than this is none that a person or a tool would write. Lockfiles of large monorepos reach 20 MB. */
const largest = 32 * 1024 * 1024;

/**
 * The files on disk below certain folders. What lies outside them, however a path or a symbolic link leads there, is
 * not there; nor are devices, sockets and pipes.
 * @param roots file URIs of the folders, asked for at each reading
 */
export function diskFiles(roots: () => readonly string[]): Files {
  const isInside = createContainment();
  const pathsOf = createPaths();
  async function look(uri: string): Promise<string | Unreadable | undefined> {
    const path = localPath(uri);
    if (path === undefined || liesAbove(path, pathsOf(roots()))) return undefined;
    try {
      const real = await realpath(path);
      if (!(await isInside(real, roots()))) return { why: 'outside' };
      const found = await readWhole(real);
      return found instanceof Uint8Array ? decode(found).text : found;
    } catch (error) {
      return unreadableBy(error);
    }
  }
  async function read(uri: string): Promise<string | undefined> {
    const found = await look(uri);
    return typeof found === 'string' ? found : undefined;
  }
  async function leadsInside(path: string): Promise<boolean> {
    const real = await realOf(path);
    return real !== undefined && isInside(real, roots());
  }
  return {
    read,
    look,
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
      if (!path || !(await leadsInside(path))) return [];
      return walk(path, matches, { most, leadsInside, ...(depth !== undefined && { depth }), ...(known && { known }) });
    },
    async stamp(uri) {
      const path = localPath(uri);
      return path === undefined || liesAbove(path, pathsOf(roots())) ? undefined : stampOf(path);
    },
  };
}

/**
 * The bytes of a plain file. What was looked at is what is read, whatever is put in its place meanwhile; opening a pipe
 * that nobody writes to does not wait, where the system knows how (elsewhere the flag is undefined, which adds nothing).
 */
async function readWhole(path: string): Promise<Uint8Array | Unreadable> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const about = await file.stat();
    if (!about.isFile()) return { why: 'no file' };
    if (about.size > largest) return { why: 'too large' };
    // Each way to the disk and back costs those who wait for a hint: where the length is as told, one is enough.
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(about.size + 1), 0, about.size + 1, 0);
    return bytesRead === about.size ? buffer.subarray(0, bytesRead) : await file.readFile();
  } finally {
    // Nobody has to wait for it.
    file.close().catch(() => undefined);
  }
}

/** Where the links of a path lead in the end; undefined where nothing is there. */
function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Tells what lies within folders, links followed. Where these lead is remembered. */
function createContainment(): (real: string, roots: readonly string[]) => Promise<boolean> {
  const known = new Map<string, Promise<string | undefined>>();

  function find(root: string): Promise<string | undefined> {
    const folder = localPath(root);
    const real = folder === undefined ? Promise.resolve(undefined) : realOf(folder);
    known.set(root, real);
    return real;
  }

  async function isInAny(real: string, folders: readonly Promise<string | undefined>[]): Promise<boolean> {
    const all = await Promise.all(folders);
    return all.some((it) => it !== undefined && isWithin(real, it));
  }

  return async (real, roots) => {
    const before = roots.map((it) => known.get(it) ?? find(it));
    // A folder may have become a link to another place since.
    return (await isInAny(real, before)) || isInAny(real, roots.map(find));
  };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Whether a path lies in a directory above all folders, as most do that are looked for upward from a manifest. Nothing
 * there may be read, so nobody has to go and look.
 */
function liesAbove(path: string, folders: readonly string[]): boolean {
  const directory = dirname(path);
  return !folders.some((it) => isWithin(path, it)) && folders.some((it) => isWithin(it, directory));
}

/** Finds the paths of folders, and remembers them: each of the dozens of files around a manifest is held against them. */
function createPaths(): (folders: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  function find(folder: string): readonly string[] {
    const path = localPath(folder);
    const found = path === undefined ? [] : [resolve(path)];
    known.set(folder, found);
    return found;
  }
  return (folders) => folders.flatMap((it) => known.get(it) ?? find(it));
}

/** The path of a file URI on this machine; undefined for other schemes and for hosts. */
function localPath(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    // A percent-encoded slash or a null byte is no file name.
    if (url.protocol !== 'file:' || url.host !== '' || /%2f|%00/i.test(url.pathname)) return undefined;
    return fileURLToPath(url);
  } catch {
    // No URI at all, a stray percent sign, or no drive where one is needed.
    return undefined;
  }
}
