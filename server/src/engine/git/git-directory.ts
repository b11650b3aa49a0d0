import { constants, open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** In bytes, for files that contain a path or settings. */
const MAX_TEXT_BYTES = 64 * 1024;

/** The root of the repository that contains a directory. Links are not followed. */
export async function repositoryAbove(directory: string): Promise<string | undefined> {
  for (let at = directory; ; at = dirname(at)) {
    const isHere = await stat(join(at, '.git')).then(
      () => true,
      () => false,
    );
    if (isHere) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The directory of the index. A work tree or a submodule has a file with its path in place of the directory. */
export async function gitDirectory(repository: string): Promise<string | undefined> {
  const path = join(repository, '.git');
  const about = await stat(path).catch(() => undefined);
  if (about?.isDirectory()) return path;
  const [, named] = /^gitdir: (.+)/.exec((about && (await textAt(path))) ?? '') ?? [];
  return named === undefined ? undefined : resolve(repository, named.trim());
}

/** The file that gets a line with every commit, and with every other commit that is checked out. */
export async function commitLog(repository: string): Promise<string | undefined> {
  const place = await gitDirectory(repository);
  return place === undefined ? undefined : join(place, 'logs', 'HEAD');
}

/**
 * The settings of a repository; empty if they cannot be read. A linked work tree uses those of its main repository.
 * @param place its directory of git
 */
export async function gitConfig(place: string): Promise<string> {
  return (await textAt(join(await commonDirectory(place), 'config'))) ?? '';
}

/** The directory of objects, branches and settings: that of the main repository for a linked work tree. */
export async function commonDirectory(place: string): Promise<string> {
  return resolve(place, (await textAt(join(place, 'commondir')))?.trim() ?? '.');
}

async function textAt(path: string): Promise<string | undefined> {
  return (await bytesAt(path, MAX_TEXT_BYTES))?.toString();
}

/** Reads a plain file. Opening a pipe does not block. */
export async function bytesAt(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const about = await file.stat();
    return about.isFile() && about.size <= most ? await file.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
