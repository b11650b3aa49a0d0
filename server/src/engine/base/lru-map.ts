/**
 * A map that drops its least recently used entries when they exceed a size. Uses count once it is half full. The last
 * entry that was set stays, however large it is.
 */
export class LruMap<K, V> {
  // A map keeps the order of insertion. A used entry is inserted again, so the oldest ones come first.
  readonly #entries = new Map<K, V>();
  readonly #maxSize: number;
  readonly #sizeOf: (value: V) => number;
  #size = 0;

  /** @param sizeOf the size of a value, in the unit of `maxSize`; always the same for the same value. Absent: each counts 1. */
  constructor(maxSize: number, sizeOf: (value: V) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  /** Marks the entry as used. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    // The order does not matter yet, and each change of it costs as much as ten reads.
    if (value === undefined || this.#size * 2 < this.#maxSize) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(value);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** All entries, the least recently used first. */
  entries(): readonly (readonly [key: K, value: V])[] {
    return [...this.#entries];
  }
}
