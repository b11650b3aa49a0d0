import { LruMap } from '../../base/lru-map.ts';

/**
 * In bytes: some 20,000 versions at about 1.5 kB each, which is a workspace of 30 large manifests with the candidates of
 * their fixes.
 */
const MAX_MEMORY_BYTES = 32 * 1024 * 1024;

/** Keeps the most recently used answers, up to a size. */
export function createMemoryCache(maxBytes = MAX_MEMORY_BYTES): Cache {
  const answers = new LruMap<string, CacheEntry>(maxBytes, (it) => it.bytes);
  return {
    get: (id) => answers.get(id),
    set(entries, isOnce = false) {
      for (const [id, cached] of entries) {
        if (isOnce && answers.get(id) === undefined) continue;
        if (cached.bytes <= maxBytes) answers.set(id, cached);
        else answers.delete(id);
      }
    },
    expire() {
      for (const [id, cached] of answers.entries()) answers.set(id, { ...cached, freshUntil: 0 });
    },
  };
}

/** An answer in the cache. */
export interface CacheEntry {
  /** Plain data that survives JSON. */
  readonly value: unknown;
  /** When the service answered, in ms since the epoch. */
  readonly at: number;
  /** When it is to be requested again, in ms since the epoch; it stays readable after that. */
  readonly freshUntil: number;
  /** Its approximate size. */
  readonly bytes: number;
}

/** Keeps answers by identifier. An answer may be gone at any later time. No call waits. */
export interface Cache {
  /** @param isOnce it is not read again soon, so memory does not keep it */
  get(id: string, isOnce?: boolean): CacheEntry | undefined;
  /**
   * Written to a disk together.
   * @param isOnce as in `get`: where there is no disk, they are not kept
   */
  set(entries: readonly (readonly [id: string, cached: CacheEntry])[], isOnce?: boolean): void;
  /** Marks every answer as stale. */
  expire(): void;
}
