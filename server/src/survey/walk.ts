import { existsSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { formatOf } from '../manifests/index.ts';
import { byText } from '../model/by-text.ts';
import type { ManifestFormat } from '../model/manifest.ts';
import { decode } from '../text/decode.ts';
import { type Ignored, ignoredIn } from './ignored.ts';

/** The files to look at, and the folders that what they refer to may lie in. */
export interface Walked {
  /** Absolute paths, sorted, each once. */
  readonly files: readonly string[];
  readonly roots: readonly string[];
  /** Absolute paths of folders that may not be read: what they hold is not among the files. */
  readonly closed: readonly string[];
  /** Why something that was named cannot be looked at, in the order of naming: `there is no file or folder lib`. */
  readonly refused: readonly string[];
}

export interface WalkOptions {
  /** Whether lockfiles and bills of materials are taken, too, where they are not named themselves. */
  readonly withRecords: boolean;
}

/**
 * Finds manifests: a file that is named is taken, whatever leaves it out; a folder is walked, without what `.gitignore`
 * names and without folders that tools fill.
 * @param given paths as typed, relative to `directory`
 */
export async function findManifests(
  given: readonly string[],
  directory: string,
  { withRecords }: WalkOptions,
): Promise<Walked> {
  const files = new Set<string>();
  const roots = new Set<string>();
  const closed = new Set<string>();
  const refused: string[] = [];
  for (const typed of given) {
    const path = resolve(directory, typed);
    const about = await stat(path).catch(() => undefined);
    if (about === undefined) {
      refused.push(l10n.t('there is no file or folder {0}', typed));
      continue;
    }
    const folder = about.isDirectory() ? path : dirname(path);
    const repository = repositoryOf(folder);
    // Of a repository no more is read than git tracks, and the settings that keep names on the machine.
    roots.add(repository === undefined && isWithin(folder, directory) ? directory : folder);
    if (!about.isDirectory()) {
      if (formatOf(slashed(path)) === undefined)
        refused.push(l10n.t('{0} is no manifest of a kind that is read', typed));
      else files.add(path);
    } else {
      const walked = await walk(path, await ignoredIn(path, repository), withRecords);
      for (const it of walked.found) files.add(it);
      for (const it of walked.closed) closed.add(it);
    }
  }
  return { files: [...files].sort(byPath), roots: [...roots], closed: [...closed].sort(byPath), refused };
}

/** Folders that tools fill. What a person wrote stands elsewhere. */
const passedOver: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'target',
  'bin',
  'obj',
  'dist',
  'vendor',
  'venv',
  '__pycache__',
  'site-packages',
]);

/** Hidden folders belong to tools; this one holds the tools of .NET as a person has chosen them. */
const shown: ReadonlySet<string> = new Set(['.config']);

/** Symbolic links are not followed: nothing is found twice, and a circle is none. */
async function walk(
  top: string,
  outside: Ignored,
  withRecords: boolean,
): Promise<{ readonly found: readonly string[]; readonly closed: readonly string[] }> {
  const found: string[] = [];
  const closed: string[] = [];
  const queue: { readonly directory: string; readonly ignored: Ignored }[] = [{ directory: top, ignored: outside }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { directory } = next;
    const ignored = await next.ignored.within(directory);
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      // One that has gone meanwhile holds nothing.
      if (error.code !== 'ENOENT') closed.push(directory);
      return [];
    });
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        const isTools = passedOver.has(entry.name) || (entry.name.startsWith('.') && !shown.has(entry.name));
        if (!isTools && !ignored.has(path, true)) queue.push({ directory: path, ignored });
      } else if (entry.isFile()) {
        const format = formatOf(slashed(path));
        // What a record says of a project is found in its manifests, where it can be fixed.
        const isWanted = format && (withRecords || format.record === undefined);
        if (isWanted && !ignored.has(path, false) && (await begins(path, format))) found.push(path);
      }
    }
  }
  return { found, closed };
}

/** How much of a file is looked at to see whether it is a manifest at all: most C# files are none. */
const looked = 4096;

async function begins(path: string, { begins: start }: ManifestFormat): Promise<boolean> {
  if (start === undefined) return true;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(looked), 0, looked, 0);
    return start.test(decode(buffer.subarray(0, bytesRead)).text);
  } finally {
    await file.close();
  }
}

/** The root of the repository that a folder belongs to. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** By code units, folder by folder: the same on every machine. */
function byPath(a: string, b: string): number {
  return byText(a.replaceAll(sep, '\0'), b.replaceAll(sep, '\0'));
}
