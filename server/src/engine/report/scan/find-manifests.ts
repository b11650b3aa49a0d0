import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { byText } from '../../base/text.ts';
import { formatOf, isReadFromResults } from '../../ecosystems/manifest-formats.ts';
import { decode } from '../../formats/text/decode.ts';
import { repositoryAbove } from '../../git/git-directory.ts';
import { createTrackedFiles } from '../../git/git-index.ts';
import { type GitIgnore, loadGitIgnore } from '../../git/gitignore.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { ExcludedManifests } from '../report.ts';
import type { NamesFor } from './disabled-systems.ts';
import { createExcludes, type ExcludeOptions } from './excludes.ts';

/** The manifests that were found, and the folders whose files they may refer to. */
export interface FoundManifests {
  /** Absolute paths, sorted, each once. */
  readonly files: readonly string[];
  readonly roots: readonly string[];
  /**
   * Absolute paths that cannot be read: folders without permission, and manifests that are links to a place outside.
   */
  readonly closed: readonly string[];
  /** Number of manifests that were found but excluded: in folders of packages, or hidden only by `.gitignore`. */
  readonly excluded: number;
  /** Of these, absolute paths of those that git tracks in folders of packages: a project may be built from them. */
  readonly aside: readonly string[];
  /** Absolute paths of manifests in hidden folders and those of results where no git says what the project has, likewise. */
  readonly hidden: readonly string[];
  /** The manifests that an option or a project file excludes. */
  readonly excludedBy: readonly ExcludedManifests[];
  /** Why an argument cannot be scanned, in the order of the arguments: `there is no file or folder lib`. */
  readonly refused: readonly string[];
}

export interface ManifestSearchOptions {
  /** Whether to include lockfiles and BOMs that are not arguments themselves. */
  readonly withRecords: boolean;
  /** For absolute paths. */
  readonly namesFor?: NamesFor;
  /** Files that are arguments are never excluded. */
  readonly exclude: ExcludeOptions;
}

/**
 * Finds manifests. A file argument is always included. In a folder, all files that git tracks are included, except
 * below folders of packages. Untracked files are included unless `.gitignore` or a skipped folder excludes them.
 * @param given paths as typed, relative to `directory`
 */
export async function findManifests(
  given: readonly string[],
  directory: string,
  { withRecords, exclude, namesFor }: ManifestSearchOptions,
): Promise<FoundManifests> {
  const formatAt: FormatAt = (path) => formatOf(slashed(path), namesFor?.(path));
  const excludes = createExcludes({ ...exclude, ...(namesFor && { namesFor }) }, directory);
  const excludedBy = new Map<string, Set<string>>();
  const tracked = createTrackedFiles();
  const files = new Set<string>();
  const roots = new Set<string>();
  // A home folder as the working directory does not make the person's own settings part of the project.
  const isProject = !isWithin(homedir(), directory);
  const closed = new Set<string>();
  const refused: string[] = [];
  let excluded = 0;
  const aside: string[] = [];
  const hidden: string[] = [];
  for (const typed of given) {
    const path = resolve(directory, typed);
    const about = await stat(path).catch(() => undefined);
    if (about === undefined) {
      refused.push(l10n.t('no such file or folder: {0}', typed));
      continue;
    }
    const folder = about.isDirectory() ? path : dirname(path);
    const repository = await repositoryAbove(folder);
    // In a repository only tracked files and settings that keep names private are read, so its folder suffices.
    roots.add(repository === undefined && isProject && isWithin(folder, directory) ? directory : folder);
    if (!about.isDirectory()) {
      const format = formatAt(path);
      // One that cannot be opened counts as unread.
      if (format === undefined || (about.isFile() && (await begins(path, format)) === false))
        refused.push(l10n.t('{0} is not a supported manifest', typed));
      else files.add(path);
    } else {
      const below = repository === undefined ? [] : trackedBelow(path, repository, await tracked(repository));
      const gitIgnore = await loadGitIgnore(path, repository);
      const walked = await walk(path, gitIgnore, { withRecords, looksAside: below.length === 0, formatAt });
      hidden.push(...walked.aside);
      const found = new Set(walked.found);
      const links = [...walked.links];
      const outside = new Set<string>();
      for (const it of below) {
        if (found.has(it) || links.includes(it) || !isWanted(formatAt(it), withRecords)) continue;
        const about = await lstat(it).catch(() => undefined);
        if (isInPackageFolder(relative(path, it))) {
          excluded += about === undefined ? 0 : 1;
          if (about?.isFile()) aside.push(it);
        } else if (about === undefined && isMisread(it)) outside.add(it);
        else if (about?.isSymbolicLink()) links.push(it);
        else if (about?.isFile() && (await hasManifestContent(it, formatAt))) found.add(it);
      }
      // Without an index it is unknown whether a hidden file is part of the project.
      if (below.length === 0) excluded += walked.hidden;
      for (const it of links) {
        const real = await realpath(it).catch(() => undefined);
        if (real === undefined || !isWithin(real, await realpath(path))) outside.add(it);
        else if (!found.has(real)) found.add(it);
      }
      const top = repository ?? (isWithin(path, directory) ? directory : path);
      for (const it of [...found, ...outside]) {
        const by = await excludes(it, top);
        if (by !== undefined) excludedBy.set(by, (excludedBy.get(by) ?? new Set()).add(it));
        else if (found.has(it)) files.add(it);
        else closed.add(it);
      }
      for (const it of walked.closed) closed.add(it);
      // Of a folder that git knows, the index names the manifests.
      for (const it of walked.misread) if (!below.some((file) => isWithin(file, it))) closed.add(it);
    }
  }
  return {
    files: [...files].sort(byPath),
    roots: [...roots],
    closed: [...closed].sort(byPath),
    excluded,
    aside: aside.sort(byPath),
    hidden: hidden.sort(byPath),
    excludedBy: [...excludedBy]
      .map(([by, all]) => ({ by, count: [...all].filter((it) => !files.has(it)).length }))
      .filter((it) => it.count > 0),
    refused,
  };
}

/** Absolute paths of the tracked files below a folder of a repository. */
function trackedBelow(folder: string, repository: string, paths: ReadonlySet<string>): string[] {
  const inside = relative(repository, folder).split(sep).join('/');
  const prefix = inside === '' ? '' : `${inside}/`;
  return [...paths].filter((it) => it.startsWith(prefix)).map((it) => join(repository, ...it.split('/')));
}

/** The format of an absolute path. */
type FormatAt = (path: string) => ManifestFormat | undefined;

/** Folders of third-party packages. */
const packageFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'venv',
  '.venv',
  '__pycache__',
  'site-packages',
]);

function isInPackageFolder(path: string): boolean {
  return path.split(sep).some((it) => packageFolders.has(it));
}

/** Folders of generated files. Manifests that people write there are tracked by git. */
const skippedFolders: ReadonlySet<string> = new Set([...packageFolders, 'target', 'bin', 'obj', 'dist']);

/** Hidden folders belong to tools, except this one: it declares the .NET tools of a project. */
const hiddenFoldersToSearch: ReadonlySet<string> = new Set(['.config', '.mvn']);

interface Found {
  readonly found: readonly string[];
  readonly closed: readonly string[];
  /** Folders, and files with the names of manifests, whose names are not UTF-8: no string names them. */
  readonly misread: readonly string[];
  /** Symbolic links with the names of manifests. */
  readonly links: readonly string[];
  /** Number of files with the names of manifests that `.gitignore` hides in the searched folders. */
  readonly hidden: number;
  /** Manifests in hidden folders and those of results: a project may name them. */
  readonly aside: readonly string[];
}

/** Hidden folders and those of results that are searched. */
const MAX_ASIDE_FOLDERS = 2000;

/** Folders of installed packages, and of git: no project lies in them. */
const installedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'venv',
  '.venv',
  '__pycache__',
  'site-packages',
  '.git',
]);

interface WalkOptions {
  readonly withRecords: boolean;
  /** Whether hidden folders and those of results are searched, too. */
  readonly looksAside: boolean;
  readonly formatAt: FormatAt;
}

/** Searches a folder. Links to folders are not followed, which avoids duplicates and cycles. */
async function walk(
  top: string,
  outside: GitIgnore,
  { withRecords, looksAside, formatAt }: WalkOptions,
): Promise<Found> {
  const found: string[] = [];
  const closed: string[] = [];
  const misread: string[] = [];
  const links: string[] = [];
  const aside: string[] = [];
  let hidden = 0;
  let asideFolders = 0;
  const queue: {
    readonly directory: string;
    readonly ignored: GitIgnore;
    readonly ofProjects?: true;
    readonly isAside?: true;
  }[] = [{ directory: top, ignored: outside }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { directory, ofProjects, isAside } = next;
    const ignored = await next.ignored.within(directory);
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && isMisread(directory)) misread.push(directory);
      // A folder that was deleted meanwhile is empty.
      else if (error.code !== 'ENOENT') closed.push(directory);
      return [];
    });
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        const isTools =
          skippedFolders.has(entry.name) || (entry.name.startsWith('.') && !hiddenFoldersToSearch.has(entry.name));
        const isResults = entry.name === 'obj';
        if (ofProjects || ignored.has(path, true)) continue;
        if (isAside || (isTools && !isResults)) {
          if (!looksAside || installedFolders.has(entry.name) || ++asideFolders > MAX_ASIDE_FOLDERS) continue;
          queue.push({ directory: path, ignored, isAside: true });
        } else queue.push({ directory: path, ignored, ...(isResults && { ofProjects: true }) });
      } else if (isAside) {
        const isNamed = entry.isFile() && isWanted(formatAt(path), withRecords) && !ignored.has(path, false);
        if (isNamed && (await hasManifestContent(path, formatAt))) aside.push(path);
      } else if (ofProjects && !isReadFromResults(entry.name)) {
        // The others are results of a build.
      } else if (isWanted(formatAt(path), withRecords)) {
        if (ignored.has(path, false)) hidden++;
        else if (isMisread(path) && !(await isThere(path))) misread.push(path);
        else if (entry.isSymbolicLink()) links.push(path);
        else if (entry.isFile() && (await hasManifestContent(path, formatAt))) found.push(path);
      }
    }
  }
  return { found, closed, misread, links, hidden, aside };
}

/**
 * Whether the name of a file is that of a manifest. Lockfiles and BOMs repeat dependencies of manifests, where they can
 * be fixed.
 */
function isWanted(format: ManifestFormat | undefined, withRecords: boolean): boolean {
  return format !== undefined && (withRecords || format.record === undefined);
}

/** Whether a path may be one with bytes that are not UTF-8, which were replaced when it was read. */
function isMisread(path: string): boolean {
  return path.includes('\ufffd');
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the content of a file fits its name. */
async function hasManifestContent(path: string, formatAt: FormatAt): Promise<boolean> {
  const format = formatAt(path);
  return format !== undefined && (await begins(path, format)) === true;
}

/** In bytes. The start of a file shows whether it is a manifest: most C# files are not. */
const MAX_PROBE_BYTES = 4096;
/** In bytes, of a file that may name it anywhere. What is longer is read as a manifest, and so are its limits. */
const MAX_CODE_BYTES = 1024 * 1024;

/** Undefined for a file that cannot be opened. */
async function begins(path: string, { begins: start, beginsAnywhere }: ManifestFormat): Promise<boolean | undefined> {
  if (start === undefined) return true;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const most = beginsAnywhere ? MAX_CODE_BYTES : MAX_PROBE_BYTES;
    const { size } = await file.stat();
    if (beginsAnywhere && size > most) return true;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, most)), 0, Math.min(size, most), 0);
    return start.test(decode(buffer.subarray(0, bytesRead)).text);
  } finally {
    await file.close();
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** Compares by code units, folder by folder, with the same result on every machine. */
function byPath(a: string, b: string): number {
  return byText(a.replaceAll(sep, '\0'), b.replaceAll(sep, '\0'));
}
