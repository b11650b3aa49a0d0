import { createBounded } from '../../base/collections.ts';

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

/** An answer as it is kept. */
export interface Cached {
  /** Plain data: what survives a way through JSON. */
  readonly value: unknown;
  /** When the service answered, in ms since the epoch. */
  readonly at: number;
  /** When it is to be asked again, in ms since the epoch; it stays readable after that. */
  readonly freshUntil: number;
  /** Roughly what it takes to keep. */
  readonly bytes: number;
}

/** Keeps answers by identifier. What is put away may be gone at any later time, and never makes a caller wait. */
export interface Cache {
  get(id: string): Cached | undefined;
  /** Put away together, for one write to a disk. */
  set(entries: readonly (readonly [id: string, cached: Cached])[]): void;
  /** Counts everything as no longer fresh. */
  expire(): void;
}
