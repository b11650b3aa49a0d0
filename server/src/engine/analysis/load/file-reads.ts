import type { Unreadable } from '../../base/unreadable.ts';
import { sameUri } from '../../base/uri.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { type Files, textOf } from '../../model/ports.ts';
import type { ManifestReader } from './file-reader.ts';

/** Reads files for one document and records every probed address: a change at one of them makes what was read outdated. */
export class FileReads {
  readonly touched = new Set<string>();
  readonly files: Files;
  readonly reader: ManifestReader;
  readonly #prefetched = new Map<string, Promise<string | Unreadable | undefined>>();
  readonly #reads = new Map<string, Promise<string | Unreadable | undefined>>();

  constructor(files: Files, reader: ManifestReader) {
    this.files = files;
    this.reader = reader;
  }

  /** Starts several reads at once: one after the other would multiply the latency of a slow disk. */
  prefetch(uris: readonly string[]): void {
    for (const uri of uris) {
      const text = this.#startReadInRepository(uri);
      // Callers that need the text handle the error.
      text.catch(() => undefined);
      this.#prefetched.set(uri, text);
    }
  }

  /** Each once: the chains of a build have most of their places in common. */
  tryRead(uri: string): Promise<string | Unreadable | undefined> {
    this.touched.add(sameUri(uri));
    const known = this.#reads.get(uri) ?? (this.files.tryRead ?? this.files.read)(uri);
    this.#reads.set(uri, known);
    return known;
  }

  async readText(uri: string): Promise<string | undefined> {
    return textOf(await this.tryRead(uri));
  }

  async readManifest(uri: string, format: ManifestFormat): Promise<ParsedManifest | undefined> {
    const text = await this.readText(uri);
    return text === undefined ? undefined : { uri, format, manifest: this.reader.manifest(uri, format, text) };
  }

  /** Reads a file whose name the workspace does not choose: lockfiles, registry settings, the project file. */
  async tryReadInRepository(uri: string): Promise<string | Unreadable | undefined> {
    this.touched.add(sameUri(uri));
    return this.#prefetched.get(uri) ?? this.#startReadInRepository(uri);
  }

  #startReadInRepository(uri: string): Promise<string | Unreadable | undefined> {
    const files = this.files.inRepository ?? this.files;
    return (files.tryRead ?? files.read)(uri);
  }
}
