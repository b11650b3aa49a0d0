/** Keeps what was used last, up to a size of all of it; what was put there last stays, however large. */
export interface Bounded<T> {
  /** What is asked for counts as used. */
  get(id: string): T | undefined;
  set(id: string, value: T): void;
  delete(id: string): void;
  all(): readonly (readonly [id: string, value: T])[];
}

/** @param sizeOf what a value takes, in the unit of `most`; always the same for the same value */
export function createBounded<T>(most: number, sizeOf: (value: T) => number): Bounded<T> {
  // A map keeps the order of insertion: what is used is taken out and put at the end, so the oldest stand first.
  const kept = new Map<string, T>();
  let size = 0;

  function remove(id: string): T | undefined {
    const value = kept.get(id);
    if (value !== undefined) size -= sizeOf(value);
    kept.delete(id);
    return value;
  }

  function put(id: string, value: T): void {
    kept.set(id, value);
    size += sizeOf(value);
  }

  return {
    get(id) {
      const value = remove(id);
      if (value !== undefined) put(id, value);
      return value;
    },

    set(id, value) {
      remove(id);
      put(id, value);
      for (const oldest of kept.keys()) {
        if (size <= most || oldest === id) break;
        remove(oldest);
      }
    },

    delete: remove,
    all: () => [...kept],
  };
}
