import { sameUri } from '../model/uri.ts';
import type { Linking } from './linking.ts';

type Reading = Promise<Linking | undefined>;

/** What was read for each open document, or is being read. */
export class Linkings {
  readonly #all = new Map<string, Reading>();
  /** The addresses that were looked at, once all of them are known. */
  readonly #touched = new WeakMap<Reading, ReadonlySet<string>>();

  get uris(): readonly string[] {
    return [...this.#all.keys()];
  }

  get(uri: string): Reading | undefined {
    return this.#all.get(uri);
  }

  set(uri: string, reading: Reading): void {
    this.#all.set(uri, reading);
    reading.then(
      (it) => this.#touched.set(reading, it?.touched ?? new Set()),
      // Whoever needs it hears that it cannot be read.
      () => undefined,
    );
  }

  delete(uri: string): void {
    this.#all.delete(uri);
  }

  clear(): void {
    this.#all.clear();
  }

  /**
   * Forgets what some files take part in, since they have changed: it is read again when next needed.
   * @returns the documents
   */
  forget(files: readonly string[]): string[] {
    const same = files.map(sameUri);
    const stale = [...this.#all].filter(([, reading]) => {
      const touched = this.#touched.get(reading);
      // What is still being read may have read the old text.
      return touched === undefined || same.some((it) => touched.has(it));
    });
    for (const [uri] of stale) this.#all.delete(uri);
    return stale.map(([uri]) => uri);
  }
}
