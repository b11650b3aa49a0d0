import { stat } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DirectoryListing, Stamp } from '../model/ports.ts';

/** Folders that tools fill. What a person wrote stands elsewhere. */
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
/** Directories looked into in one search: a larger tree is answered in part. */
const MAX_DIRECTORIES = 5000;
/** Directories looked into at a time: Node has four threads for them. */
const MAX_CONCURRENT = 32;

interface Search {
  readonly most: number;
  readonly depth?: number;
  readonly known?: Map<string, DirectoryListing>;
  /** Whether what a path leads to, links followed, may be looked into. */
  readonly leadsInside: (path: string) => Promise<boolean>;
}

/**
 * The addresses of the files below a directory whose path matches. Breadth first, so that what is near is found although
 * the tree is too large.
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
      // Round and round goes nobody: links are followed as far down as somebody said.
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
  // Whoever looks for a file there looks at the file itself.
  if (before && below <= 0 && before.files.length > 0) return before;
  // The stamp is older than what is read: what is put there meanwhile makes it another one.
  const stamp = known && (await stampOf(directory));
  if (stamp && before?.mark === stamp.mark) return before;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return nothing;
  const path = `${directory.replaceAll(sep, '/')}/`;
  // Symbolic links are neither files nor directories here: nothing is found twice, and nothing outside.
  const files = entries.filter((it) => it.isFile() && matches.test(path + it.name)).map((it) => it.name);
  const folders = entries.filter((it) => it.isDirectory()).map((it) => it.name);
  const links = entries.filter((it) => it.isSymbolicLink()).map((it) => it.name);
  if (stamp) known.set(directory, { ...stamp, files, folders, links });
  return { files, folders, links };
}

/**
 * The stamp of what stands at a path, or at the end of a link. Whoever sets a file's time back changes its `ctime`. With a
 * callback it takes half the time: of a workspace's projects there may be a thousand.
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
