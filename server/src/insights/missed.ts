import type { Cached } from '../cache/cache.ts';
import { createMemoryCache } from '../cache/memory.ts';
import type { Wanted } from '../model/ports.ts';
import { identify } from './identity.ts';
import { createShelf, isUnknown } from './shelf.ts';

/** Tells what a service had nothing to answer about, by the answers that are kept of it. */
export function missedBy(
  entries: readonly (readonly [id: string, cached: Cached])[],
): (baseUrl: string, wanted: Wanted) => boolean {
  const cache = createMemoryCache(Number.POSITIVE_INFINITY);
  cache.set(entries.filter(([, it]) => isUnknown(it)));
  return (baseUrl, wanted) => createShelf(cache, baseUrl).read(identify(wanted).id) !== undefined;
}
