import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Cache } from './cache/cache.ts';
import { createDiskCache } from './cache/disk.ts';
import { createMemoryCache } from './cache/memory.ts';
import { systemClock } from './clock.ts';

/** Answers kept for the next start, and what lets go of them at the end. */
export interface Kept {
  readonly cache: Cache;
  close(): void;
}

/** @param log told once when answers cannot be kept on disk */
export function keptAnswers(log?: (line: string) => void): Kept {
  const directory = cacheDirectory(process.env, process.platform, homedir());
  const front = createMemoryCache();
  if (directory === undefined) return { cache: front, close: () => {} };
  const cache = createDiskCache({ directory, front, clock: systemClock, ...(log && { log }) });
  return { cache, close: cache.close };
}

/**
 * Where answers are kept: what PACKAGE_INSIGHTS_CACHE_DIR says (nowhere, if it is empty), else where the system keeps
 * such things. No workspace has a say in it.
 */
export function cacheDirectory(
  environment: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform,
  home: string,
): string | undefined {
  const { PACKAGE_INSIGHTS_CACHE_DIR: given, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (given !== undefined) return given === '' ? undefined : given;
  if (xdg?.startsWith('/')) return join(xdg, 'package-insights');
  if (platform === 'win32') return join(local || join(home, 'AppData', 'Local'), 'package-insights', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'package-insights');
  return join(home, '.cache', 'package-insights');
}
