import type { Cache, Cached } from './cache.ts';

/**
 * What a session keeps: some 20,000 versions at about 1.5 kB each, which is a workspace of 30 large manifests with
 * the candidates that were looked at for their fixes.
 */
const memoryCacheBytes = 32 * 1024 * 1024;

/** Keeps what was used last, up to a size. */
export function createMemoryCache(maximalBytes = memoryCacheBytes): Cache {
  // A map keeps the order of insertion: what is used is taken out and put at the end, so the oldest stand first.
  const kept = new Map<string, Cached>();
  let bytes = 0;

  function remove(id: string): void {
    bytes -= kept.get(id)?.bytes ?? 0;
    kept.delete(id);
  }

  return {
    get(id) {
      const cached = kept.get(id);
      if (cached === undefined) return undefined;
      kept.delete(id);
      kept.set(id, cached);
      return cached;
    },

    set(entries) {
      for (const [id, cached] of entries) {
        remove(id);
        kept.set(id, cached);
        bytes += cached.bytes;
      }
      for (const id of kept.keys()) {
        if (bytes <= maximalBytes) break;
        remove(id);
      }
    },

    expire() {
      for (const [id, cached] of kept) kept.set(id, { ...cached, freshUntil: 0 });
    },
  };
}
