import { stat } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DirectoryListing, Stamp } from '../engine/model/ports.ts';

/** Folders of generated files and of third-party packages. */
const skippedFolders = new Set([
  'node_modules',
  'target',
  'bin',
  'obj',
  'dist',
  'build',
  'out',
  'vendor',
  'venv',
  '__pycache__',
  'site-packages',
]);
/** Directories read in one search. A larger tree is searched in part. */
const MAX_DIRECTORIES = 5000;
/** Directories read at a time: Node has four threads for them. */
const MAX_CONCURRENT = 32;

interface Search {
  readonly most: number;
  readonly depth?: number;
  readonly known?: Map<string, DirectoryListing>;
  /** Whether the target of a path, links followed, is inside the allowed folders. */
  readonly leadsInside: (path: string) => Promise<boolean>;
}

/**
 * Finds the files below a directory whose paths match, and returns their URIs. The search is breadth-first, so that
 * near files are found even if the tree is too large.
 */
export async function findFiles(
  root: string,
  matches: RegExp,
  { most, depth, known, leadsInside }: Search,
): Promise<string[]> {
  const found: string[] = [];
  const isSaid = depth !== undefined && Number.isFinite(depth);
  const isPassedOver = (name: string): boolean =>
    isSaid ? name === 'node_modules' : name.startsWith('.') || skippedFolders.has(name);
  const queue = [{ directory: root, below: depth ?? Number.POSITIVE_INFINITY }];
  for (let looked = 0; looked < MAX_DIRECTORIES && found.length < most; looked += MAX_CONCURRENT) {
    const some = queue.splice(0, MAX_CONCURRENT);
    if (some.length === 0) break;
    const folders = await Promise.all(some.map((it) => folderAt(it.directory, it.below, matches, known)));
    for (const [at, { files, folders: inner, links }] of folders.entries()) {
      const { directory = '', below = 0 } = some[at] ?? {};
      for (const name of files) found.push(pathToFileURL(join(directory, name)).href);
      if (below <= 0) continue;
      const enter = (name: string) => queue.push({ directory: join(directory, name), below: below - 1 });
      for (const name of inner) if (!isPassedOver(name)) enter(name);
      // Links are followed only with a given depth, which ends cycles.
      if (!isSaid) continue;
      for (const name of links) if (!isPassedOver(name) && (await leadsInside(join(directory, name)))) enter(name);
    }
  }
  return found.slice(0, most);
}

type Found = Pick<DirectoryListing, 'files' | 'folders' | 'links'>;

const nothing: Found = { files: [], folders: [], links: [] };

async function folderAt(directory: string, below: number, matches: RegExp, known: Search['known']): Promise<Found> {
  const before = known?.get(directory);
  // The caller reads the files that it finds anyway.
  if (before && below <= 0 && before.files.length > 0) return before;
  // The stamp is taken before the read, so that a later change yields another stamp.
  const stamp = known && (await stampOf(directory));
  if (stamp && before?.mark === stamp.mark) return before;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return nothing;
  const path = `${directory.replaceAll(sep, '/')}/`;
  // Symbolic links count neither as files nor as directories, which avoids duplicates and files outside.
  const files = entries.filter((it) => it.isFile() && matches.test(path + it.name)).map((it) => it.name);
  const folders = entries.filter((it) => it.isDirectory()).map((it) => it.name);
  const links = entries.filter((it) => it.isSymbolicLink()).map((it) => it.name);
  if (stamp) known.set(directory, { ...stamp, files, folders, links });
  return { files, folders, links };
}

/**
 * The stamp of a file or directory, links followed. Setting the time of a file back changes its `ctime`. The callback
 * API takes half the time of the promise API, and a workspace may have a thousand projects.
 */
export function stampOf(path: string): Promise<Stamp | undefined> {
  return new Promise((resolve) => {
    stat(path, (error, about) => {
      if (error) resolve(undefined);
      else {
        const { dev, ino, size, mtimeMs, ctimeMs } = about;
        resolve({ mark: `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`, written: Math.max(mtimeMs, ctimeMs) });
      }
    });
  });
}
