import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Cache, createMemoryCache } from '../engine/facts/cache/cache.ts';
import { cachedServices } from '../engine/facts/cache/cached-services.ts';
import { cacheFile, createDiskCache, type DiskCache } from '../engine/facts/cache/disk.ts';
import { readAnswers } from '../engine/facts/cache/sqlite.ts';
import type { CachedService } from '../engine/model/cached-answers.ts';
import { type CacheTrouble, cacheDirectory, cacheTrouble, foldersOfCommand } from './cache-directory.ts';
import { systemClock } from './clock.ts';

/** The cache of answers for later starts, with a function that closes it. */
export interface OpenCache {
  readonly cache: Cache;
  close(): void;
}

export interface AnswerCacheOptions {
  /** Paths or file URIs of the folders that are open or checked, when the cache is first used. */
  readonly folders: () => readonly string[];
  /** Told once when answers cannot be kept on disk. */
  readonly log?: (line: string) => void;
  /** Told where neither former answers are used nor new ones kept. */
  readonly onTrouble: (trouble: CacheTrouble, directory: string) => void;
}

export function openAnswerCache({ folders, log, onTrouble }: AnswerCacheOptions): OpenCache {
  const directory = cacheDirectory();
  const front = createMemoryCache();
  if (directory === undefined) return { cache: front, close: () => {} };
  let onDisk: DiskCache | undefined;
  let opened: Cache | undefined;
  const open = (): Cache => {
    const trouble = cacheTrouble(directory, folders());
    if (trouble !== undefined) {
      onTrouble(trouble, directory);
      return front;
    }
    onDisk = createDiskCache({ directory, front, clock: systemClock, ...(log && { log }) });
    return onDisk;
  };
  const cache = (): Cache => {
    opened ??= open();
    return opened;
  };
  return {
    cache: {
      get: (id, isOnce) => cache().get(id, isOnce),
      set: (entries, isOnce) => cache().set(entries, isOnce),
      expire: () => cache().expire(),
    },
    close: () => onDisk?.close(),
  };
}

export function cacheTroubleText(trouble: CacheTrouble, directory: string): string {
  switch (trouble) {
    case 'workspace':
      return l10n.t('no answers are kept, since {0} is in a folder that is checked, or in its repository', directory);
    case 'others':
      return l10n.t('no answers are kept, since other users can change {0}', directory);
  }
}

/**
 * Lists the services with cached answers in a file or folder, by default on this machine. Rejects where it cannot be
 * read.
 */
export async function readCachedServices(path: string | undefined): Promise<readonly CachedService[]> {
  const place = path ?? cacheDirectory();
  if (place === undefined) throw new Error('PACKAGE_INSIGHTS_CACHE_DIR is empty, so nothing is kept');
  const trouble = path === undefined ? cacheTrouble(place, foldersOfCommand()) : undefined;
  if (trouble !== undefined) throw new Error(cacheTroubleText(trouble, place));
  if (!statSync(place).isDirectory()) return cachedServices(readAnswers(place));
  const file = join(place, cacheFile);
  return existsSync(file) ? cachedServices(readAnswers(file)) : [];
}
