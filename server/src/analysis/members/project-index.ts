import { directoryOf, relativeTo, resolveUri, sameUri } from '../../base/uri.ts';
import { memberPatterns } from '../../ecosystems/member-globs.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { DirectoryListing, Files, Stamp } from '../../model/ports.ts';
import { memberFilePattern, mergeProjectInfo, type ParseManifest, type ProjectInfo, readProjectInfo } from './roots.ts';

/** Characters that are read of a project, whose name stands at the beginning. Real ones have some thousand. */
const MAX_PROJECT_LENGTH = 1024 * 1024;
/** Projects of one workspace that are looked at. Those of the largest public ones have some 1000. */
export const MAX_PROJECTS = 2000;
/** Addresses, most of them of what is not there: each manifest looks for some in the folders above it. */
const MAX_CACHED_PATHS = 20_000;
/** How long what was found is taken for what is there, in ms: thousands of manifests that are looked at at once share it. */
const CACHE_MS = 1000;
/** In ms. A file system's clock ticks every two seconds at the slowest (FAT): what was written since may be written again. */
const FILE_CLOCK_TICK_MS = 2000;

interface CachedProject {
  readonly info: ProjectInfo | undefined;
  readonly stamp: Stamp | undefined;
  /** When it was last looked at. */
  checkedAt: number;
}

/** What the projects of a workspace say of themselves. What has not changed since it was read is not read again. */
export class ProjectIndex {
  readonly #files: NonNullable<Files['inRepository']>;
  readonly #now: () => number;
  readonly #parse: ParseManifest;
  /** By `sameUri`. */
  readonly #known = new Map<string, CachedProject>();
  /** What each said when it was last understood as a whole. */
  readonly #lastValid = new Map<string, ProjectInfo>();
  /** Grows whenever something is forgotten: what was begun before may have read the old text. */
  #generation = 0;
  /** What directories held, by the names of files that were looked for. */
  readonly #folders = new Map<string, Map<string, DirectoryListing>>();

  constructor(files: NonNullable<Files['inRepository']>, now: () => number, parse: ParseManifest) {
    this.#files = files;
    this.#now = now;
    this.#parse = parse;
  }

  /** These were saved, or are gone. */
  forget(uris: readonly string[]): void {
    this.#generation++;
    // What stands beside them may have come with them, without a word of its own.
    for (const it of this.#known.values()) it.checkedAt = Number.NEGATIVE_INFINITY;
    for (const it of uris) {
      // One that is new may stand beside others.
      if (!this.has(it)) this.#folders.clear();
      this.#known.delete(sameUri(it));
    }
  }

  forgetAll(): void {
    this.#generation++;
    this.#known.clear();
    this.#folders.clear();
  }

  /** Whether a file was there when it was last looked at. */
  has(uri: string): boolean {
    return this.#known.get(sameUri(uri))?.info !== undefined;
  }

  /** What a file says, and how many characters had to be read for it; undefined where there is none. */
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
    // The stamp is older than what is read: what is written meanwhile makes it another one.
    const stamp = await stampOf?.(uri);
    if (before && stamp && before.stamp?.mark === stamp.mark) {
      if (generation === this.#generation) before.checkedAt = now;
      return before.info && { said: before.info, read: 0 };
    }
    const text = stampOf && stamp === undefined ? undefined : await this.#files.read(uri);
    const beginning = text?.slice(0, MAX_PROJECT_LENGTH);
    const info =
      beginning === undefined ? undefined : this.#withLastValid(same, readProjectInfo(uri, beginning, this.#parse, as));
    if (this.#known.size >= MAX_CACHED_PATHS) this.#known.clear();
    const isSettled = stamp !== undefined && this.#now() - stamp.written >= FILE_CLOCK_TICK_MS;
    if (generation === this.#generation)
      this.#known.set(same, { info, stamp: isSettled ? stamp : undefined, checkedAt: now });
    return info && { said: info, read: beginning?.length ?? 0 };
  }

  /** Of a text that is saved while it is half typed, as some editors do by themselves, what it said before counts, too. */
  #withLastValid(same: string, said: ProjectInfo): ProjectInfo {
    const before = this.#lastValid.get(same);
    if (said.isBroken) return before ? mergeProjectInfo(before, said) : said;
    if (this.#lastValid.size >= MAX_CACHED_PATHS) this.#lastValid.clear();
    this.#lastValid.set(same, said);
    return said;
  }

  /** The files of the projects in the directories that a root lists by patterns. */
  async findMembers(root: string, packages: readonly string[]): Promise<readonly string[]> {
    const directory = directoryOf(root);
    const { include, places } = memberPatterns(packages);
    const matches = memberFilePattern(root);
    const known = this.#folders.get(matches.source) ?? new Map<string, DirectoryListing>();
    this.#folders.set(matches.source, known);
    const found: string[] = [];
    for (const place of places) {
      const start = place.directory === '' ? directory : resolveUri(directory, `${place.directory}/`);
      for (const it of await this.#files.find(start, matches, MAX_PROJECTS, place.depth, known)) {
        const below = relativeTo(start, directoryOf(it));
        if (below !== undefined && include(`${place.directory}/${below}`)) found.push(it);
      }
      if (found.length >= MAX_PROJECTS) break;
    }
    const now = this.#now();
    if (known.size > MAX_CACHED_PATHS) known.clear();
    for (const [path, it] of known) if (now - it.written < FILE_CLOCK_TICK_MS) known.delete(path);
    return found;
  }
}
