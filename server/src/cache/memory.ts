import { createBounded } from '../model/bounded.ts';
import type { Cache, Cached } from './cache.ts';

/**
 * What a session keeps: some 20,000 versions at about 1.5 kB each, which is a workspace of 30 large manifests with
 * the candidates that were looked at for their fixes.
 */
const memoryCacheBytes = 32 * 1024 * 1024;

/** Keeps what was used last, up to a size. */
export function createMemoryCache(maximalBytes = memoryCacheBytes): Cache {
  const kept = createBounded<Cached>(maximalBytes, (it) => it.bytes);
  return {
    get: kept.get,
    set(entries) {
      for (const [id, cached] of entries) {
        if (cached.bytes <= maximalBytes) kept.set(id, cached);
        else kept.delete(id);
      }
    },
    expire() {
      for (const [id, cached] of kept.all()) kept.set(id, { ...cached, freshUntil: 0 });
    },
  };
}
