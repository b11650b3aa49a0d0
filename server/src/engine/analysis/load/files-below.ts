import { sameUri } from '../../base/uri.ts';
import { definesAny } from '../../ecosystems/gradle/files/source-files.ts';
import { manifestFormats } from '../../ecosystems/manifest-formats.ts';
import type { FileRef } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import type { ChainFile } from './chain-files.ts';
import type { ManifestReader } from './file-reader.ts';
import { referencedUris } from './file-references.ts';

/** Files of one directory that are looked through. Real builds have up to a hundred. */
const MAX_FILES = 300;

interface ReadFile extends ParsedManifest {
  readonly text: string;
}

/** What was read of a chain. */
interface ChainReads {
  readonly touched: Set<string>;
  readonly texts: Map<string, string>;
  readonly chainFiles: Map<string, ChainFile>;
}

/** Reads the files of directories that references mean, each directory once. */
export class FilesBelowReader {
  readonly #files: Files;
  readonly #reader: ManifestReader;
  readonly #known: ChainReads;
  readonly #found = new Map<string, Promise<readonly ReadFile[]>>();

  constructor(files: Files, reader: ManifestReader, known: ChainReads) {
    this.#files = files;
    this.#reader = reader;
    this.#known = known;
  }

  /**
   * Those of the nearest directory that define what is looked for.
   * @param chain the files that look for something
   */
  async read(uri: string, ref: FileRef, chain: readonly ParsedManifest[]): Promise<readonly ParsedManifest[]> {
    const wanted = () => chain.flatMap((it) => it.manifest.references.flatMap((other) => other.below?.names ?? []));
    const names = ref.below?.names ?? wanted();
    if (names.length === 0) return [];
    for (const directory of referencedUris(uri, ref)) {
      const files = await this.#filesBelow(`${directory}/`, ref);
      if (files.length === 0) continue;
      const found = files.filter((it) => sameUri(it.uri) !== sameUri(uri) && definesAny(it.manifest, names));
      for (const { uri: at, format, text } of found) {
        this.#known.texts.set(at, text);
        this.#known.chainFiles.set(sameUri(at), { uri: at, format: format.id, text });
      }
      return found;
    }
    return [];
  }

  #filesBelow(directory: string, ref: FileRef): Promise<readonly ReadFile[]> {
    const key = `${directory} ${ref.below?.depth}`;
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.#find(directory, ref);
    this.#found.set(key, found);
    return found;
  }

  async #find(directory: string, { format: id, below }: FileRef): Promise<readonly ReadFile[]> {
    const format = manifestFormats.find((it) => it.id === id);
    if (format === undefined || below === undefined) return [];
    // A file may be added.
    this.#known.touched.add(sameUri(directory));
    const uris = await this.#files.find(directory, below.matches, MAX_FILES, below.depth);
    for (const it of uris) this.#known.touched.add(sameUri(it));
    const texts = await Promise.all(uris.map((it) => this.#files.read(it)));
    return uris.flatMap((uri, at) => {
      const text = texts[at];
      return text === undefined ? [] : [{ uri, format, text, manifest: this.#reader.manifest(uri, format, text) }];
    });
  }
}
