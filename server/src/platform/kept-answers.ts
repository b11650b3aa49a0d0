import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Cache, createMemoryCache } from '../facts/cache/cache.ts';
import { cachedServices } from '../facts/cache/cached-services.ts';
import { cacheFile, createDiskCache } from '../facts/cache/disk.ts';
import { readAnswers } from '../facts/cache/sqlite.ts';
import type { CachedService } from '../model/cached-answers.ts';
import { cacheDirectory } from './cache-directory.ts';
import { systemClock } from './clock.ts';

/** The cache of answers for later starts, with a function that closes it. */
export interface OpenCache {
  readonly cache: Cache;
  close(): void;
}

/** @param log told once when answers cannot be kept on disk */
export function openAnswerCache(log?: (line: string) => void): OpenCache {
  const directory = cacheDirectory();
  const front = createMemoryCache();
  if (directory === undefined) return { cache: front, close: () => {} };
  const cache = createDiskCache({ directory, front, clock: systemClock, ...(log && { log }) });
  return { cache, close: cache.close };
}

/**
 * Lists the services with cached answers in a file or folder, by default on this machine. Rejects where it cannot be
 * read.
 */
export async function readCachedServices(path: string | undefined): Promise<readonly CachedService[]> {
  const place = path ?? cacheDirectory();
  if (place === undefined) throw new Error('PACKAGE_INSIGHTS_CACHE_DIR is empty, so nothing is kept');
  if (!statSync(place).isDirectory()) return cachedServices(readAnswers(place));
  const file = join(place, cacheFile);
  return existsSync(file) ? cachedServices(readAnswers(file)) : [];
}
