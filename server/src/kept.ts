import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from './cache/cache.ts';
import { cacheFile, createDiskCache } from './cache/disk.ts';
import { createMemoryCache } from './cache/memory.ts';
import { readAnswers } from './cache/sqlite.ts';
import { cacheDirectory } from './cache-directory.ts';
import { systemClock } from './clock.ts';
import { keptServices } from './insights/kept.ts';
import type { KeptService } from './model/kept.ts';

/** Answers kept for the next start, and what lets go of them at the end. */
export interface Kept {
  readonly cache: Cache;
  close(): void;
}

/** @param log told once when answers cannot be kept on disk */
export function keptAnswers(log?: (line: string) => void): Kept {
  const directory = cacheDirectory();
  const front = createMemoryCache();
  if (directory === undefined) return { cache: front, close: () => {} };
  const cache = createDiskCache({ directory, front, clock: systemClock, ...(log && { log }) });
  return { cache, close: cache.close };
}

/** The services of which answers are kept in a file or folder, or on this machine. Rejects where that cannot be read. */
export async function keptIn(path: string | undefined): Promise<readonly KeptService[]> {
  const place = path ?? cacheDirectory();
  if (place === undefined) throw new Error('PACKAGE_INSIGHTS_CACHE_DIR is empty, so nothing is kept');
  if (!statSync(place).isDirectory()) return keptServices(readAnswers(place));
  const file = join(place, cacheFile);
  return existsSync(file) ? keptServices(readAnswers(file)) : [];
}
