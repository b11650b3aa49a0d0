import { constants, lstat, open, realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Unreadable } from '../engine/base/unreadable.ts';
import { decode } from '../engine/formats/text/decode.ts';
import { createFormerTexts } from '../engine/git/former-files.ts';
import { commitLog, repositoryAbove } from '../engine/git/git-directory.ts';
import { createTrackedFiles } from '../engine/git/git-index.ts';
import { type Files, textOf } from '../engine/model/ports.ts';
import { findFiles, stampOf } from './walk.ts';

/** In bytes. Lockfiles of large monorepos reach 20 MB; a larger file is not a manifest or lockfile. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The files on disk below certain folders, and the tracked files of the repositories that contain these folders.
 * Everything else counts as absent, also behind a path or symbolic link; so do devices, sockets and pipes. In a
 * repository that contains private files, such as a home directory, only the shared files can be opened.
 * @param roots file URIs of the folders, asked for at each reading
 */
export function diskFiles(roots: () => readonly string[]): Files {
  const isInside = createContainment();
  const pathsOf = createPaths();
  const repositoryOf = createRepositories();
  const tracked = createTrackedFiles();
  const formerTexts = createFormerTexts((it) => decode(it).text);
  const repositories = async (): Promise<string[]> => {
    const all = await Promise.all(pathsOf(roots()).map(repositoryOf));
    return [...new Set(all.filter((it) => it !== undefined))];
  };
  const widely = async (): Promise<string[]> => [...roots(), ...(await repositories()).map(folderUri)];

  async function trackedOnly(real: string): Promise<Unreadable | undefined> {
    let why: Unreadable['why'] = 'outside';
    for (const it of await repositories()) {
      const root = await realOf(it);
      if (root === undefined || !isWithin(real, root)) continue;
      if ((await tracked(root)).has(relative(root, real).split(sep).join('/'))) return undefined;
      why = 'untracked';
    }
    return { why };
  }
  async function withinRepository(real: string): Promise<Unreadable | undefined> {
    return (await isInside(real, await widely())) ? undefined : { why: 'outside' };
  }
  /** @param isBarred why a file outside of the folders must not be read, links followed */
  function looking(isBarred: (real: string) => Promise<Unreadable | undefined>): NonNullable<Files['tryRead']> {
    return async (uri) => {
      const path = localPath(uri);
      if (path === undefined) return undefined;
      // No file above all folders may be read, so the disk is not accessed.
      if (liesAbove(path, pathsOf(roots())) && liesAbove(path, pathsOf(await widely()))) return undefined;
      try {
        const real = await realpath(path);
        const barred = (await isInside(real, roots())) ? undefined : await isBarred(real);
        if (barred) return barred;
        const found = await readWhole(real);
        return found instanceof Uint8Array ? decode(found).text : found;
      } catch (error) {
        return unreadableAt(path, error);
      }
    };
  }
  function finding(folders: () => Promise<readonly string[]>): Files['find'] {
    return async (directory, matches, most, depth, known) => {
      const within = await folders();
      const leadsInside = async (path: string): Promise<boolean> => {
        const real = await realOf(path);
        return real !== undefined && isInside(real, within);
      };
      const path = localPath(directory);
      if (!path || !(await leadsInside(path))) return [];
      return findFiles(path, matches, {
        most,
        leadsInside,
        ...(depth !== undefined && { depth }),
        ...(known && { known }),
      });
    };
  }
  function stamping(folders: () => Promise<readonly string[]>): NonNullable<Files['stamp']> {
    return async (uri) => {
      const path = localPath(uri);
      return path === undefined || liesAbove(path, pathsOf(await folders())) ? undefined : stampOf(path);
    };
  }
  const look = looking(trackedOnly);
  const lookAround = looking(withinRepository);
  return {
    read: async (uri) => textOf(await look(uri)),
    tryRead: look,
    async isBlocked(uri) {
      const path = localPath(uri);
      if (path === undefined) return true;
      // A dangling link exists, too: writing to it creates its target.
      const isThere = await lstat(path).then(
        () => true,
        () => false,
      );
      return isThere && typeof (await look(uri)) !== 'string';
    },
    async isLinked(uri) {
      const path = localPath(uri);
      const folder = pathsOf(roots()).find((it) => path !== undefined && isWithin(path, it));
      if (path === undefined || folder === undefined) return true;
      const [real, realFolder] = await Promise.all([realOf(path), realOf(folder)]);
      return real !== undefined && (realFolder === undefined || real !== resolve(realFolder, relative(folder, path)));
    },
    async former(uri, isLike) {
      const path = localPath(uri);
      const isOurs = path !== undefined && pathsOf(roots()).some((it) => isWithin(path, it));
      return isOurs ? formerTexts(path, isLike) : undefined;
    },
    async commitLog(uri) {
      const path = localPath(uri);
      const repository = path === undefined ? undefined : await repositoryAbove(dirname(path));
      const log = repository === undefined ? undefined : await commitLog(repository);
      return log === undefined ? undefined : pathToFileURL(log).href;
    },
    find: finding(async () => roots()),
    stamp: stamping(async () => roots()),
    inRepository: {
      read: async (uri) => textOf(await lookAround(uri)),
      tryRead: lookAround,
      find: finding(widely),
      stamp: stamping(widely),
      async top(uri) {
        const path = localPath(uri);
        const around = pathsOf(await widely()).filter((it) => path !== undefined && isWithin(path, it));
        const [outermost] = around.sort((a, b) => a.length - b.length);
        return outermost === undefined ? undefined : folderUri(outermost);
      },
    },
  };
}

/** Finds the repository of each folder and remembers it: repositories rarely move while an editor is open. */
function createRepositories(): (folder: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return (folder) => {
    const repository = known.get(folder) ?? repositoryAbove(folder);
    known.set(folder, repository);
    return repository;
  };
}

/**
 * Reads the bytes of a plain file. The check and the read use one handle, so that a replaced file does not matter. The
 * flag makes opening a pipe without a writer return at once; where a system lacks it, it is undefined and adds nothing.
 */
async function readWhole(path: string): Promise<Uint8Array | Unreadable> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const about = await file.stat();
    if (!about.isFile()) return { why: 'no file' };
    if (about.size > MAX_BYTES) return { why: 'too large' };
    // Each disk access delays hints: where the size was right, one read is enough.
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(about.size + 1), 0, about.size + 1, 0);
    return bytesRead === about.size ? buffer.subarray(0, bytesRead) : await file.readFile();
  } finally {
    // Closing does not delay the answer.
    file.close().catch(() => undefined);
  }
}

/** The real path behind all links; undefined where it does not exist. */
function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/**
 * Returns a function that checks whether a real path is in one of the folders. It remembers the real paths of the
 * folders.
 */
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
    // A folder may have been replaced by a link since.
    return (await isInAny(real, before)) || isInAny(real, roots.map(find));
  };
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Whether a path is directly in a directory above all folders. Most searches upward from a manifest end there. Nothing
 * there may be read, so the disk need not be accessed.
 */
function liesAbove(path: string, folders: readonly string[]): boolean {
  const directory = dirname(path);
  return !folders.some((it) => isWithin(path, it)) && folders.some((it) => isWithin(it, directory));
}

/** Converts folder URIs to paths and remembers them: dozens of files around each manifest are compared with them. */
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

/** The real paths of folders, and of the repositories that contain them. */
export async function realFoldersAround(folders: readonly string[]): Promise<readonly string[]> {
  const paths = createPaths()(folders);
  const real = (await Promise.all(paths.map(realOf))).filter((it) => it !== undefined);
  const repositories = await Promise.all([...paths, ...real].map(repositoryAbove));
  const around = await Promise.all(repositories.flatMap((it) => (it === undefined ? [] : realOf(it))));
  return [...new Set([...real, ...around.filter((it) => it !== undefined)])];
}

/** The path of a file URI on this machine; undefined for other schemes and for hosts. */
function localPath(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    // A file name cannot contain a percent-encoded slash or a null byte.
    if (url.protocol !== 'file:' || url.host !== '' || /%2f|%00/i.test(url.pathname)) return undefined;
    return fileURLToPath(url);
  } catch {
    // Not a URI, a stray percent sign, or a missing drive.
    return undefined;
  }
}

function folderUri(path: string): string {
  return pathToFileURL(path.endsWith(sep) ? path : path + sep).href;
}

/** The reason why a file cannot be read; undefined where it does not exist, not even as a link. */
export async function unreadableAt(path: string, error: unknown): Promise<Unreadable | undefined> {
  return unreadableBy(error) ?? ((await isBehindDanglingLink(path)) ? { why: 'dangling' } : undefined);
}

/** Whether the file itself, or a folder above it, is a link to nothing: a share that is not mounted. */
async function isBehindDanglingLink(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const about = await lstat(at).catch(() => undefined);
    if (about) return about.isSymbolicLink() && (await realOf(at)) === undefined;
    if (at === dirname(at)) return false;
  }
}

/** The reason why a file cannot be read; undefined where it does not exist. */
export function unreadableBy(error: unknown): Unreadable | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (absent.has(code)) return undefined;
  if (code === 'EISDIR') return { why: 'no file' };
  return /^E(?:ACCES|PERM)$/.test(code) ? { why: 'denied' } : { why: 'failed', code };
}

/** Missing file, path through something that is not a directory, path that is too long. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);
