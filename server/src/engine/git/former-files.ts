import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { bytesAt, commonDirectory, gitConfig, gitDirectory, repositoryAbove } from './git-directory.ts';
import { openObjects, type ReadObject } from './object-store.ts';

/** In bytes. Repositories with a hundred thousand branches have some 10 MB. */
const MAX_REFS_BYTES = 64 * 1024 * 1024;
/** A reference to a reference to one. Source: git, SYMREF_MAXDEPTH. */
const MAX_SYMBOLIC = 5;
/** Directories that are searched for files which were renamed. */
const MAX_DIRECTORIES = 2000;
/** Files that may have been renamed to one. */
const MAX_RENAMED = 50;

/** `none`: nothing is committed yet. */
export type Commit = { readonly id: string } | 'none';

/**
 * The commit that is checked out; undefined where it cannot be found out: references are kept in another form than files.
 */
export async function headOf(repository: string): Promise<Commit | undefined> {
  const place = await gitDirectory(repository);
  if (place === undefined || /^\s*refstorage\s*=\s*"?(?!files)\w/im.test(await gitConfig(place))) return undefined;
  const common = await commonDirectory(place);
  const textOf = async (directory: string, name: string): Promise<string | undefined> =>
    (await bytesAt(join(directory, name), MAX_REFS_BYTES))?.toString();
  let text: string | undefined = await textOf(place, 'HEAD');
  if (text === undefined) return undefined;
  for (let depth = 0; depth <= MAX_SYMBOLIC; depth++) {
    const [, id] = /^([\da-f]{40}|[\da-f]{64})\s*$/.exec(text) ?? [];
    if (id !== undefined) return { id };
    const [, name]: readonly (string | undefined)[] = /^ref: (refs\/[^\s\\]+)\s*$/.exec(text) ?? [];
    if (name === undefined || name.includes('..')) return undefined;
    const next: string | undefined =
      (await textOf(place, name)) ??
      (await textOf(common, name)) ??
      packedRef((await textOf(common, 'packed-refs')) ?? '', name);
    if (next === undefined) return 'none';
    text = next;
  }
  return undefined;
}

/** `0123… refs/heads/main` */
function packedRef(text: string, name: string): string | undefined {
  for (let at = text.indexOf(` ${name}`); at >= 0; at = text.indexOf(` ${name}`, at + 1)) {
    const end = at + 1 + name.length;
    if (end === text.length || text[end] === '\n' || text[end] === '\r')
      return text.slice(text.lastIndexOf('\n', at) + 1, at);
  }
  return undefined;
}

/**
 * The texts that a file may have had in a commit: its own; where it was not there, those of like files that are gone
 * since, one of which it may have been; none for a new file. Undefined where that is not known: outside of repositories,
 * and for objects that cannot be read.
 * @param isLike by the path from the root of the repository, with `/`
 * @returns the same list again while the commit is the same
 */
export type ReadFormerTexts = (
  path: string,
  isLike: (path: string) => boolean,
) => Promise<readonly string[] | undefined>;

interface Known {
  readonly commit: string;
  readonly texts: Map<string, Promise<readonly string[] | undefined>>;
  /** All files. */
  paths?: Promise<readonly string[]>;
}

const nothing: readonly string[] = [];

/**
 * Reads the objects of repositories without git itself, and each once for a commit.
 * @param commitOf the commit to look into
 */
export function createFormerTexts(decode: (bytes: Uint8Array) => string, commitOf = headOf): ReadFormerTexts {
  const known = new Map<string, Known>();
  return async (path, isLike) => {
    const real = await realPlace(path);
    const repository = await repositoryAbove(dirname(real));
    const commit = repository === undefined ? undefined : await commitOf(repository);
    if (repository === undefined || commit === undefined) return undefined;
    if (commit === 'none') return nothing;
    const before = known.get(repository);
    const here: Known = before?.commit === commit.id ? before : { commit: commit.id, texts: new Map() };
    known.set(repository, here);
    const texts = here.texts.get(real) ?? textsOf(relative(repository, real), repository, here, isLike);
    here.texts.set(real, texts);
    return texts;
  };

  async function textsOf(
    path: string,
    repository: string,
    here: Known,
    isLike: (path: string) => boolean,
  ): Promise<readonly string[] | undefined> {
    const tree = await openTree(repository, here.commit);
    const own = await tree?.file(path.split(sep));
    if (tree === undefined || own === undefined) return undefined;
    if (own !== 'absent') return [decode(own)];
    here.paths ??= tree.paths();
    const texts: string[] = [];
    for (const it of await here.paths) {
      if (texts.length === MAX_RENAMED) break;
      if (!isLike(it) || (await exists(join(repository, ...it.split('/'))))) continue;
      const bytes = await tree.file(it.split('/'));
      if (bytes instanceof Buffer) texts.push(decode(bytes));
    }
    return texts;
  }
}

/** Links are followed: a repository contains what they lead to. */
async function realPlace(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => undefined);
  return whole ?? join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

interface Tree {
  /** Undefined where an object cannot be read. */
  file(path: readonly string[]): Promise<Buffer | 'absent' | undefined>;
  /** With `/`. Not all of them in a repository of very many directories. */
  paths(): Promise<readonly string[]>;
}

async function openTree(repository: string, commit: string): Promise<Tree | undefined> {
  const place = await gitDirectory(repository);
  if (place === undefined) return undefined;
  const read = openObjects(join(await commonDirectory(place), 'objects'), commit.length / 2);
  const found = await read(commit);
  const [, root] = (found?.kind === 'commit' && /^tree ([\da-f]+)\n/.exec(found.bytes.toString('latin1', 0, 80))) || [];
  if (root === undefined) return undefined;
  return {
    async file(path) {
      let id = root;
      for (const [at, name] of path.entries()) {
        const entries = await entriesOf(read, id, commit.length / 2);
        const isLast = at === path.length - 1;
        const entry = entries?.find((it) => it.name === name.normalize('NFC') && it.isTree !== isLast);
        if (entries === undefined) return undefined;
        if (entry === undefined) return 'absent';
        id = entry.id;
      }
      const blob = await read(id);
      return blob?.kind === 'blob' ? blob.bytes : undefined;
    },
    async paths() {
      const open = [{ path: '', id: root }];
      const paths: string[] = [];
      for (let at = 0; at < open.length && at < MAX_DIRECTORIES; at++) {
        const { path, id } = open[at] ?? { path: '', id: '' };
        for (const it of (await entriesOf(read, id, commit.length / 2)) ?? []) {
          if (it.isTree) open.push({ path: `${path}${it.name}/`, id: it.id });
          else paths.push(path + it.name);
        }
      }
      return paths;
    },
  };
}

interface TreeEntry {
  readonly name: string;
  readonly id: string;
  readonly isTree: boolean;
}

/** Directories and plain files, without links and submodules. Source: git-mktree, and `100644 name\0` of each entry. */
async function entriesOf(read: ReadObject, id: string, hash: number): Promise<readonly TreeEntry[] | undefined> {
  const found = await read(id);
  if (found?.kind !== 'tree') return undefined;
  const { bytes } = found;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + hash >= bytes.length + 1) return undefined;
    const mode = bytes.toString('latin1', at, space);
    at = end + 1 + hash;
    if (mode !== '40000' && !mode.startsWith('100')) continue;
    const name = bytes.toString('utf8', space + 1, end).normalize('NFC');
    entries.push({ name, id: bytes.toString('hex', end + 1, at), isTree: mode === '40000' });
  }
  return entries;
}
