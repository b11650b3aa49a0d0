import { sameUri } from '../model/uri.ts';
import type { Linking } from './linking.ts';

type Reading = Promise<Linking | undefined>;

/** What was read for each open document, or is being read. */
export class Linkings {
  readonly #all = new Map<string, Reading>();
  /** The addresses that were looked at, once all of them are known. */
  readonly #touched = new WeakMap<Reading, ReadonlySet<string>>();
  /** What changed while it was being read, by `sameUri`. */
  readonly #changed = new Map<Reading, Set<string>>();

  get uris(): readonly string[] {
    return [...this.#all.keys()];
  }

  get(uri: string): Reading | undefined {
    return this.#all.get(uri);
  }

  /** Whether a document has been read, and nothing has changed since. */
  has(uri: string): boolean {
    const reading = this.#all.get(uri);
    return reading !== undefined && this.#touched.has(reading);
  }

  /** Reads a document, again where a file that takes part in it changes meanwhile. */
  read(uri: string, read: () => Reading): Reading {
    const reading: Reading = read().then((it) => {
      const touched = it?.touched ?? new Set<string>();
      const changed = this.#changed.get(reading);
      this.#changed.delete(reading);
      const isCurrent = this.#all.get(uri) === reading;
      if (isCurrent && changed && overlap(changed, touched)) return this.read(uri, read);
      this.#touched.set(reading, touched);
      return it;
    });
    this.#all.set(uri, reading);
    // Whoever needs it hears that it cannot be read.
    reading.catch(() => this.#changed.delete(reading));
    return reading;
  }

  /** A document gets other surroundings: no file is read again, but for one that is just being read. */
  renew(uri: string, renew: (linking: Linking) => Linking): void {
    const before = this.#all.get(uri);
    if (before === undefined) return;
    if (this.#touched.has(before)) {
      this.read(uri, async () => {
        const it = await before;
        return it && renew(it);
      });
    } else this.#note(before, [sameUri(uri)]);
  }

  delete(uri: string): void {
    this.#all.delete(uri);
  }

  clear(): void {
    this.#all.clear();
  }

  /**
   * Forgets what some files take part in, since they have changed: it is read again when next needed. What is being read
   * is left to end: where a hundred documents are opened together, each would else begin all before it anew.
   * @returns the documents, those among them that are being read and may turn out not to be concerned
   */
  forget(files: readonly string[]): string[] {
    const same = new Set(files.map(sameUri));
    const concerned: string[] = [];
    for (const [uri, reading] of this.#all) {
      const touched = this.#touched.get(reading);
      if (touched && !overlap(same, touched)) continue;
      concerned.push(uri);
      if (touched) this.#all.delete(uri);
      else this.#note(reading, same);
    }
    return concerned;
  }

  #note(reading: Reading, files: Iterable<string>): void {
    const changed = this.#changed.get(reading) ?? new Set();
    for (const it of files) changed.add(it);
    this.#changed.set(reading, changed);
  }
}

function overlap(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [fewer, more] = some.size < others.size ? [some, others] : [others, some];
  for (const it of fewer) if (more.has(it)) return true;
  return false;
}
