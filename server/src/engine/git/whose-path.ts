import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readFile, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, resolve, sep, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Whose is a path: where it lies decides, not who named it. A file below an open folder or its repository is the
 * workspace's, so a stranger may have written it, whatever variable or setting of this machine leads there.
 */

/** The folders of a workspace and the repositories around them, with the paths behind their links. */
export type WorkspacePlaces = readonly string[];

/** @param folders paths or file URIs; others are passed over */
export function workspacePlaces(folders: readonly string[]): Promise<WorkspacePlaces> {
  return answered(placesOf(folders));
}

export function workspacePlacesNow(folders: readonly string[]): WorkspacePlaces {
  return answeredNow(placesOf(folders));
}

/** Whether a path lies in the workspace, or leads through it: a link there decides where it ends. */
export function isOfWorkspace(path: string, places: WorkspacePlaces): Promise<boolean> {
  return answered(leadsInto(path, places));
}

export function isOfWorkspaceNow(path: string, places: WorkspacePlaces): boolean {
  return answeredNow(leadsInto(path, places));
}

/** Whether a path, or what its links lead to, lies in any repository. */
export function isInRepositoryNow(path: string): boolean {
  return answeredNow(isInRepository(path));
}

/** Whether a path is a folder or lies below it. Both are absolute. Case counts only where file systems tell it apart. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform = process.platform): boolean {
  const { relative, isAbsolute, sep } = platform === 'win32' ? win32 : posix;
  const way = relative(comparable(folder, platform), comparable(path, platform));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 *     \\?\C:\Users\Me  →  c:\users\me        \\?\UNC\host\share  →  \\host\share
 */
function comparable(path: string, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'win32':
      return win32
        .normalize(path.replace(/^[\\/]{2}[?.][\\/](?:(UNC)[\\/])?/i, (_, unc) => (unc ? '\\\\' : '')))
        .toLowerCase();
    case 'darwin':
      return path.normalize('NFC').toLowerCase();
    default:
      return path;
  }
}

/** The uid that stands for users which a namespace does not know, as root in a sandbox. Source: Linux, overflowuid. */
const UNMAPPED = 65534;

/**
 * Whether another user than this one and the administrator can change what lies at a path, by its permissions or by
 * those of a folder above. Links must be resolved before. False on Windows, which has no owners by number.
 */
export function canOthersChange(path: string): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  for (let at = path, isTop = true; ; at = dirname(at), isTop = false) {
    const about = lstatSync(at, { throwIfNoEntry: false });
    // Of a sticky folder (/tmp), only the owner of an entry can replace it.
    if (about === undefined || ((about.mode & 0o022) !== 0 && (isTop || (about.mode & 0o1000) === 0))) return true;
    if (about.uid !== own && about.uid !== 0 && (isTop || about.uid !== UNMAPPED)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Whether this user is the owner. True on Windows. */
export function isOwn(path: string): boolean {
  const own = process.getuid?.();
  return own === undefined || lstatSync(path, { throwIfNoEntry: false })?.uid === own;
}

/** A question to the disk. `link`: where a link leads. `git`: the text of `.git` in a folder, empty for a folder. */
interface Question {
  readonly about: 'link' | 'git';
  readonly path: string;
}

/** Asked by one function, answered with or without a pause of the caller. The answer is undefined where there is none. */
type Asking<T> = Generator<Question, T, string | undefined>;

async function answered<T>(asking: Asking<T>): Promise<T> {
  let next = asking.next();
  while (!next.done) {
    const { about, path } = next.value;
    const answer = about === 'link' ? readlink(path) : textOfGit(join(path, '.git'));
    next = asking.next(await answer.catch(() => undefined));
  }
  return next.value;
}

function answeredNow<T>(asking: Asking<T>): T {
  /** Paths of one command line share most folders. */
  const known = new Map<string, string | undefined>();
  let next = asking.next();
  while (!next.done) {
    const { about, path } = next.value;
    const key = `${about} ${path}`;
    if (!known.has(key)) known.set(key, answerNow(next.value));
    next = asking.next(known.get(key));
  }
  return next.value;
}

/** Without errors for what is not there, which would take most of the time. */
function answerNow({ about, path }: Question): string | undefined {
  try {
    if (about === 'git') return textOfGitNow(join(path, '.git'));
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** In bytes. The file contains one path. */
const MAX_GIT_FILE = 8192;

async function textOfGit(path: string): Promise<string> {
  const about = await stat(path);
  return about.isFile() && about.size <= MAX_GIT_FILE ? readFile(path, 'utf8') : '';
}

function textOfGitNow(path: string): string | undefined {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) return undefined;
  return about.isFile() && about.size <= MAX_GIT_FILE ? readFileSync(path, 'utf8') : '';
}

function* placesOf(folders: readonly string[]): Asking<WorkspacePlaces> {
  const places = new Set<string>();
  for (const folder of folders) {
    const path = pathOf(folder);
    if (path === undefined) continue;
    // A link to a folder is in one repository, its target in another.
    for (const it of yield* endsOf(path)) {
      places.add(it);
      for (const repository of yield* repositoriesAbove(it))
        for (const end of yield* endsOf(repository)) places.add(end);
    }
  }
  return [...places];
}

function pathOf(folder: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]+:/i.test(folder)) return resolve(folder);
  try {
    return resolve(fileURLToPath(folder));
  } catch {
    // Of another file system, or of another machine.
    return undefined;
  }
}

/** The nearest repository. A submodule belongs to the one above it, a linked work tree to the main one. */
function* repositoriesAbove(directory: string): Asking<readonly string[]> {
  for (let at = directory; ; at = dirname(at)) {
    const text = yield { about: 'git', path: at };
    if (text !== undefined) {
      const [, named] = /^gitdir: (.+)/.exec(text) ?? [];
      const [, main] =
        /^(.*)[\\/]\.git[\\/](?:modules|worktrees)[\\/]/.exec(named ? resolve(at, named.trim()) : '') ?? [];
      return main === undefined ? [at] : [at, main];
    }
    if (at === dirname(at)) return [];
  }
}

/** A path as it is written, and the one behind its links. */
function* endsOf(path: string): Asking<readonly string[]> {
  const way = yield* wayTo(path);
  return [resolve(path), ...(way?.slice(-1) ?? [])];
}

function* leadsInto(path: string, places: WorkspacePlaces): Asking<boolean> {
  const way = yield* wayTo(path);
  return way === undefined || [resolve(path), ...way].some((it) => places.some((place) => isWithin(it, place)));
}

function* isInRepository(path: string): Asking<boolean> {
  for (const it of yield* endsOf(path)) if ((yield* repositoriesAbove(it)).length > 0) return true;
  return false;
}

/** Links on the way to a file. Source: Linux, MAXSYMLINKS. */
const MAX_LINKS = 40;

/** The links that a path leads through, and its end; undefined for a circle. */
function* wayTo(path: string): Asking<readonly string[] | undefined> {
  const way: string[] = [];
  let [at, rest] = split(isAbsolute(path) ? path : resolve(path));
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === '..') {
      at = dirname(at);
      continue;
    }
    const here = join(at, next);
    const target = yield { about: 'link', path: here };
    if (target === undefined) {
      at = here;
      continue;
    }
    if (way.push(here) > MAX_LINKS) return undefined;
    const [root, parts] = split(target);
    if (root !== '') at = root;
    rest = [...parts, ...rest];
  }
  return [...way, at];
}

/** `/a/./b` → `/` and `a`, `b` */
function split(path: string): [root: string, parts: string[]] {
  const { root } = (sep === '\\' ? win32 : posix).parse(path);
  const parts = path.slice(root.length).split(sep === '\\' ? /[\\/]+/ : /\/+/);
  return [root, parts.filter((it) => it !== '' && it !== '.')];
}
