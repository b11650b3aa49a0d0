import { LruMap } from '../../base/lru-map.ts';
import type { Unreadable } from '../../base/unreadable.ts';
import { sameUri } from '../../base/uri.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import type { DirectoryListing, Files, Stamp } from '../../model/ports.ts';
import { startReading } from '../load/file-chain.ts';
import type { ManifestReader } from '../load/file-reader.ts';
import { FILE_CLOCK_TICK_MS } from '../members/project-index.ts';
import { MAX_PROJECT_FILES } from './limits.ts';

/** The chain of a file that need not be open. */
export interface ProjectChain {
  readonly chain: ManifestChain;
  /** By URI. */
  readonly texts: ReadonlyMap<string, string>;
}

interface KnownChain extends ProjectChain {
  readonly text: string;
  /** The files that were looked for, by `sameUri`. */
  readonly touched: ReadonlySet<string>;
  /** How many changes were known when it was read. */
  readonly changes: number;
}

interface FoundUris {
  /** In ms since the epoch. */
  readonly at: number;
  readonly uris: Promise<readonly string[]>;
}

interface KnownText {
  readonly text: string;
  /** Absent where it proves nothing. */
  readonly stamp: Stamp | undefined;
  /** In ms since the epoch. */
  readonly checkedAt: number;
  /** In which of the times between that all files counted as changed. */
  readonly round: number;
}

/** Directories whose contents are kept. Large monorepos have some thousand. */
const MAX_LISTINGS = 10_000;

/** Characters of all texts. Source: the manifests of the largest public builds have some six million. */
const MAX_KEPT_LENGTH = 8 * 1024 * 1024;

/** How long a list of files stays valid, in ms: not every editor reports new files, and a person asks several times. */
const CACHE_MS = 5000;

/** The files of a project and their chains, each read once until one of its files changes. */
export class ProjectChains {
  readonly #known = new LruMap<string, KnownChain>(MAX_PROJECT_FILES);
  /** By `sameUri`. */
  readonly #texts = new LruMap<string, KnownText>(MAX_KEPT_LENGTH, (it) => it.text.length);
  #round = 0;
  /** By `sameUri`, which of all changes was the last of a file. */
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** By folder and pattern. */
  readonly #found = new Map<string, FoundUris>();
  /** What each directory had, by pattern. */
  readonly #listings = new Map<string, Map<string, DirectoryListing>>();
  readonly #now: () => number;

  /** @param now in ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The files below a folder whose paths match. */
  find(files: Pick<Files, 'find'>, folder: string, matches: RegExp): Promise<readonly string[]> {
    const id = `${folder} ${matches.source}`;
    const before = this.#found.get(id);
    const now = this.#now();
    if (before && Math.abs(now - before.at) < CACHE_MS) return before.uris;
    const uris = this.#list(files, folder, matches);
    this.#found.set(id, { at: now, uris });
    return uris;
  }

  async #list(files: Pick<Files, 'find'>, folder: string, matches: RegExp): Promise<readonly string[]> {
    const known = this.#listings.get(matches.source) ?? new Map<string, DirectoryListing>();
    this.#listings.set(matches.source, known);
    const uris = await files.find(folder, matches, MAX_PROJECT_FILES, undefined, known);
    const now = this.#now();
    if (known.size > MAX_LISTINGS) known.clear();
    for (const [path, it] of known) if (now - it.written < FILE_CLOCK_TICK_MS) known.delete(path);
    return uris;
  }

  /** A file, as `tryRead` says it; not read again as long as its stamp is the same. */
  async text(files: Pick<Files, 'read' | 'tryRead' | 'stamp'>, uri: string): Promise<string | Unreadable | undefined> {
    const same = sameUri(uri);
    const before = this.#texts.get(same);
    const now = this.#now();
    if (before?.round === this.#round && Math.abs(now - before.checkedAt) < CACHE_MS) return before.text;
    const { changes, round } = { changes: this.#changes, round: this.#round };
    // The stamp is taken before the text: a write in between changes the stamp.
    const stamp = await files.stamp?.(uri);
    const isSame = before?.stamp !== undefined && before.stamp.mark === stamp?.mark;
    const text = isSame ? before.text : await (files.tryRead ?? files.read)(uri);
    if (typeof text !== 'string' || changes !== this.#changes) return text;
    const isSettled = stamp !== undefined && now - stamp.written >= FILE_CLOCK_TICK_MS;
    this.#texts.set(same, { text, stamp: isSettled ? stamp : undefined, checkedAt: now, round });
    return text;
  }

  /** An edit needs all files as they are now. */
  forgetFound(): void {
    this.#found.clear();
    this.#round++;
  }

  /** @param texts of files that have just been read, by URI: not every client reports what changes on the disk */
  async read(
    { uri, format }: ParsedManifest,
    text: string,
    reader: ManifestReader,
    texts: ReadonlyMap<string, string>,
  ): Promise<ProjectChain> {
    const known = this.#known.get(uri);
    if (known?.text === text && this.#isCurrent(known, texts)) return known;
    const changes = this.#changes;
    const reading = startReading(reader);
    const chain = await reading.chain(uri, format, text, format.usedFiles);
    const read = { chain, texts: reading.texts, touched: reading.touched, text, changes };
    this.#known.set(uri, read);
    return read;
  }

  #isCurrent(known: KnownChain, texts: ReadonlyMap<string, string>): boolean {
    for (const [uri, its] of known.texts) if ((texts.get(uri) ?? its) !== its) return false;
    for (const it of known.touched) if ((this.#changed.get(it) ?? 0) > known.changes) return false;
    return true;
  }

  /** Some files have changed. */
  forget(uris: readonly string[]): void {
    this.#changes++;
    // A file that is there may come with another.
    if (uris.length > 1 || uris.some((it) => !this.#known.get(it))) this.forgetFound();
    for (const it of uris) {
      this.#changed.set(sameUri(it), this.#changes);
      this.#texts.delete(sameUri(it));
    }
  }

  forgetAll(): void {
    this.#known.clear();
    this.#texts.clear();
    this.#listings.clear();
    this.forgetFound();
    this.#changed.clear();
  }
}
