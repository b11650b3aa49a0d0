import { directoryOf, relativeTo, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import { memberPatterns } from '../../ecosystems/member-patterns.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { DirectoryListing, Files, Stamp } from '../../model/ports.ts';
import {
  memberFilePattern,
  mergeProjectInfo,
  type ParseManifest,
  type ProjectInfo,
  readProjectInfo,
  solutionFile,
} from './roots.ts';

/** Characters read of a project file, whose name is near the beginning. Real ones have some thousand. */
const MAX_PROJECT_LENGTH = 1024 * 1024;
/** Projects read of one workspace. The largest public workspaces have about 1000. */
export const MAX_PROJECTS = 2000;
/** Cached paths, most of which do not exist: each manifest probes some in the folders above it. */
const MAX_CACHED_PATHS = 20_000;
/** Solutions above a project, and where they are looked for. Real repositories have a few, some levels above. */
const MAX_SOLUTIONS = 20;
const MAX_DIRECTORIES_ABOVE = 16;
/** How long a result stays valid, in ms: thousands of manifests that are evaluated together share it. */
const CACHE_MS = 1000;
/**
 * In ms. The slowest file system clock (FAT) ticks every two seconds: a file written within one tick may have changed
 * again.
 */
export const FILE_CLOCK_TICK_MS = 2000;

/** The format of a file by its name, also one that a person has chosen. */
export type FormatOf = (uri: string) => ManifestFormat | undefined;

interface CachedProject {
  readonly info: ProjectInfo | undefined;
  readonly stamp: Stamp | undefined;
  /** When its stamp was last compared, in ms since the epoch. */
  checkedAt: number;
}

/** The project info of the files in a workspace. An unchanged file is not read again. */
export class ProjectIndex {
  readonly #files: NonNullable<Files['inRepository']>;
  readonly #now: () => number;
  readonly #parse: ParseManifest;
  readonly #formatOf: FormatOf | undefined;
  /** By `sameUri`. */
  readonly #known = new Map<string, CachedProject>();
  /** The info of each file when it last had no syntax problem. */
  readonly #lastValid = new Map<string, ProjectInfo>();
  /** Grows when something is forgotten: a read that began before may have the old text. */
  #generation = 0;
  /** The listings of directories, by the pattern of the search. */
  readonly #folders = new Map<string, Map<string, DirectoryListing>>();

  constructor(files: NonNullable<Files['inRepository']>, now: () => number, parse: ParseManifest, formatOf?: FormatOf) {
    this.#formatOf = formatOf;
    this.#files = files;
    this.#now = now;
    this.#parse = parse;
  }

  /** Some files were saved or deleted. */
  forget(uris: readonly string[]): void {
    this.#generation++;
    // Files beside them may have changed with them, without an event of their own.
    for (const it of this.#known.values()) it.checkedAt = Number.NEGATIVE_INFINITY;
    for (const it of uris) {
      // A new file may have come with others.
      if (!this.has(it)) this.#folders.clear();
      this.#known.delete(sameUri(it));
    }
  }

  forgetAll(): void {
    this.#generation++;
    this.#known.clear();
    this.#folders.clear();
  }

  /** Whether the file existed when it was last read. */
  has(uri: string): boolean {
    return this.#known.get(sameUri(uri))?.info !== undefined;
  }

  /** The info of a file, and how many characters had to be read for it; undefined if it does not exist. */
  async read(
    uri: string,
    as?: ManifestFormat,
  ): Promise<{ readonly said: ProjectInfo; readonly read: number } | undefined> {
    const same = sameUri(uri);
    const now = this.#now();
    const generation = this.#generation;
    const before = this.#known.get(same);
    if (before && now - before.checkedAt < CACHE_MS) return before.info && { said: before.info, read: 0 };
    const { stamp: stampOf } = this.#files;
    // The stamp is taken before the text: a write in between changes the stamp.
    const stamp = await stampOf?.(uri);
    if (before && stamp && before.stamp?.mark === stamp.mark) {
      if (generation === this.#generation) before.checkedAt = now;
      return before.info && { said: before.info, read: 0 };
    }
    const text = stampOf && stamp === undefined ? undefined : await this.#files.read(uri);
    const beginning = text?.slice(0, MAX_PROJECT_LENGTH);
    const info =
      beginning === undefined
        ? undefined
        : this.#withLastValid(same, readProjectInfo(uri, beginning, this.#parse, as ?? this.#formatOf?.(uri)));
    if (this.#known.size >= MAX_CACHED_PATHS) this.#known.clear();
    const isSettled = stamp !== undefined && this.#now() - stamp.written >= FILE_CLOCK_TICK_MS;
    if (generation === this.#generation)
      this.#known.set(same, { info, stamp: isSettled ? stamp : undefined, checkedAt: now });
    return info && { said: info, read: beginning?.length ?? 0 };
  }

  /** Some editors save incomplete texts by themselves. The last valid info of a broken file counts, too. */
  #withLastValid(same: string, said: ProjectInfo): ProjectInfo {
    const before = this.#lastValid.get(same);
    if (said.isBroken) return before ? mergeProjectInfo(before, said) : said;
    if (this.#lastValid.size >= MAX_CACHED_PATHS) this.#lastValid.clear();
    this.#lastValid.set(same, said);
    return said;
  }

  /** The solutions of .NET in the directory of a file and above. */
  async solutionsAbove(uri: string): Promise<readonly string[]> {
    const known = this.#folders.get(solutionFile.source) ?? new Map<string, DirectoryListing>();
    this.#folders.set(solutionFile.source, known);
    const found: string[] = [];
    for (const it of [...upwardFrom(directoryOf(uri))].slice(0, MAX_DIRECTORIES_ABOVE))
      found.push(...(await this.#files.find(it, solutionFile, MAX_SOLUTIONS, 0, known)));
    return found.slice(0, MAX_SOLUTIONS);
  }

  /** The project files in the directories that a root lists by patterns. */
  async findMembers(root: string, packages: readonly string[]): Promise<readonly string[]> {
    const { source } = memberFilePattern(root);
    const known = this.#folders.get(source) ?? new Map<string, DirectoryListing>();
    this.#folders.set(source, known);
    const found = await findMembers(this.#files, root, packages, known);
    const now = this.#now();
    if (known.size > MAX_CACHED_PATHS) known.clear();
    for (const [path, it] of known) if (now - it.written < FILE_CLOCK_TICK_MS) known.delete(path);
    return found;
  }
}

/**
 * The project files in the directories that a root lists by patterns.
 * @param known as in `Files.find`
 */
export async function findMembers(
  files: Pick<Files, 'find'>,
  root: string,
  packages: readonly string[],
  known?: Map<string, DirectoryListing>,
): Promise<readonly string[]> {
  const directory = directoryOf(root);
  const { include, places } = memberPatterns(packages);
  const matches = memberFilePattern(root);
  const found: string[] = [];
  for (const place of places) {
    const start = place.directory === '' ? directory : resolveUri(directory, `${place.directory}/`);
    for (const it of await files.find(start, matches, MAX_PROJECTS, place.depth, known)) {
      const below = relativeTo(start, directoryOf(it));
      if (below !== undefined && include(`${place.directory}/${below}`)) found.push(it);
    }
    if (found.length >= MAX_PROJECTS) break;
  }
  return found;
}
