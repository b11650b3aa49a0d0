import { LruMap } from '../../base/lru-map.ts';
import { sameUri } from '../../base/uri.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import type { ManifestReader } from '../load/file-reader.ts';
import { MAX_PROJECT_FILES } from './project-files.ts';

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

/** How long a list of files stays valid, in ms: not every editor reports new files, and a person asks several times. */
const CACHE_MS = 5000;

/** The files of a project and their chains, each read once until one of its files changes. */
export class ProjectChains {
  readonly #known = new LruMap<string, KnownChain>(MAX_PROJECT_FILES);
  /** By `sameUri`, which of all changes was the last of a file. */
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** By folder and pattern. */
  readonly #found = new Map<string, FoundUris>();
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
    const uris = files.find(folder, matches, MAX_PROJECT_FILES);
    this.#found.set(id, { at: now, uris });
    return uris;
  }

  /** An edit needs all files as they are now. */
  forgetFound(): void {
    this.#found.clear();
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
    const reading = reader.startReading();
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
    for (const it of uris) this.#changed.set(sameUri(it), this.#changes);
  }

  forgetAll(): void {
    this.#known.clear();
    this.forgetFound();
    this.#changed.clear();
  }
}
