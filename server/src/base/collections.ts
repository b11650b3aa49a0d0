/** Roughly what plain data takes in memory, in bytes: headers, slots, and a byte for each character. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 48;
  if (Array.isArray(value)) for (const it of value) bytes += 8 + weigh(it);
  else for (const name in value) bytes += 8 + weigh((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}

/** Values by what they have in common, in their order: `Map.groupBy`, which Node 20 does not have. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const it of values) addTo(groups, keyOf(it), it);
  return groups;
}

/** Puts a value at the end of its group. */
export function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

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
