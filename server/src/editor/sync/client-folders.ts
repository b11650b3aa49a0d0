import { directoryOf, nameOf, pathOf, resolveUri, sameUri } from '../../engine/base/uri.ts';
import { type Clock, UnlistedFolders } from '../../engine/model/ports.ts';
import { fieldsIn } from '../params.ts';

/** What lies in a folder of an editor's file system, by name. */
export interface Folder {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Links, which count as files that lead outside. */
  readonly others: readonly string[];
}

/**
 * Lists a folder, given with its final slash; undefined where it must not be listed, `failed` where it could not be this
 * time. A missing one has nothing in it.
 */
export type ListFolder = (directory: string) => Promise<Folder | 'failed' | undefined>;

const NOTHING: Folder = { files: [], folders: [], others: [] };

/** @param found null for a folder that does not exist */
export function readFolder(found: unknown): Folder | 'failed' | undefined {
  if (found === null) return NOTHING;
  const { files, folders, others, why } = fieldsIn(found);
  if (typeof why === 'string') return why === 'failed' ? why : undefined;
  const names = [files, folders, others].map((it) =>
    Array.isArray(it) && it.every((name) => typeof name === 'string' && name !== '' && !name.includes('/'))
      ? (it as string[])
      : undefined,
  );
  const [a, b, c] = names;
  return a && b && c ? { files: a, folders: b, others: c } : 'failed';
}

/** Folders that are listed once, which tells of many names at once that nothing is there. */
export interface ListedFolders {
  readonly list: ListFolder;
  /** Whether a listing says that there is no such file. False where it cannot be told. */
  readonly isAbsent: (uri: string) => Promise<boolean>;
}

/** @param isInside whether a folder may be listed */
export function listedOnce(list: ListFolder, isInside: (directory: string) => boolean): ListedFolders {
  const known = new Map<string, ReturnType<ListFolder>>();
  const names = new WeakMap<Folder, ReadonlySet<string>>();

  function listing(directory: string): ReturnType<ListFolder> {
    const same = sameUri(directory);
    const before = known.get(same) ?? look(directory);
    known.set(same, before);
    return before;
  }
  async function look(directory: string): ReturnType<ListFolder> {
    return (await isAbsent(directory.slice(0, -1))) ? NOTHING : list(directory);
  }
  async function isAbsent(uri: string): Promise<boolean> {
    const directory = directoryOf(uri);
    const folder = isInside(directory) ? await listing(directory) : undefined;
    if (folder === undefined || folder === 'failed') return false;
    const all = names.get(folder) ?? new Set([folder.files, folder.folders, folder.others].flat().map(folded));
    names.set(folder, all);
    return !all.has(folded(nameOf(uri)));
  }
  return { list: listing, isAbsent };
}

/** A file system may not distinguish cases, or may write accents in another way. */
function folded(name: string): string {
  return name.normalize().toLowerCase();
}

/** Folders of generated files and of third-party packages, as in a search of the disk. */
const skippedFolders = /^(?:\..*|node_modules|target|bin|obj|dist|build|out|vendor|venv|__pycache__|site-packages)$/;
/** Folders that are listed in one search. */
const MAX_FOLDERS = 5000;
/** Folders that are listed at a time. */
const MAX_CONCURRENT = 64;
/** In ms. */
const SEARCH_TIME = 20_000;

/** The files of a folder and those below it, near ones first. */
export interface Walked {
  readonly uris: readonly string[];
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
}

/**
 * Throws `UnlistedFolders`.
 * @param depth the number of levels to search; null for all, without folders of built files
 */
export async function walkFolders(
  { list, clock }: { readonly list: ListFolder; readonly clock: Clock },
  directory: string,
  matches: RegExp,
  most: number,
  depth: number | null,
): Promise<Walked> {
  const uris: string[] = [];
  const failed: string[] = [];
  const isSkipped = (name: string): boolean => (depth === null ? skippedFolders.test(name) : name === 'node_modules');
  const queue = [{ folder: directory, below: depth ?? Number.POSITIVE_INFINITY }];
  const until = clock.now() + SEARCH_TIME;
  for (let looked = 0; queue.length > 0 && uris.length < most; looked += MAX_CONCURRENT) {
    if (looked >= MAX_FOLDERS || clock.now() >= until) return { uris, isWhole: false };
    const some = queue.splice(0, MAX_CONCURRENT);
    const all = await Promise.all(some.map((it) => list(it.folder)));
    for (const [at, listed = NOTHING] of all.entries()) {
      const { folder = '', below = 0 } = some[at] ?? {};
      if (listed === 'failed') failed.push(folder);
      const { files, folders } = listed === 'failed' ? NOTHING : listed;
      for (const name of files) {
        const uri = resolveUri(folder, name);
        if (matches.test(pathOf(uri))) uris.push(uri);
      }
      if (below <= 0) continue;
      for (const name of folders)
        if (!isSkipped(name)) queue.push({ folder: resolveUri(folder, `${name}/`), below: below - 1 });
    }
  }
  if (failed.length > 0) throw new UnlistedFolders(uris.slice(0, most), failed);
  return { uris: uris.slice(0, most), isWhole: true };
}
