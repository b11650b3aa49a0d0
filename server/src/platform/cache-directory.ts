import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The directory of cached answers: PACKAGE_INSIGHTS_CACHE_DIR (none, if it is empty), else the cache directory of the
 * system. No workspace can change it.
 */
export function cacheDirectory(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string | undefined {
  const { PACKAGE_INSIGHTS_CACHE_DIR: given, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (given !== undefined) return given === '' ? undefined : given;
  if (xdg?.startsWith('/')) return join(xdg, 'package-insights');
  if (platform === 'win32') return join(local || join(home, 'AppData', 'Local'), 'package-insights', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'package-insights');
  return join(home, '.cache', 'package-insights');
}

/**
 * The directory of the ledger: the one of cached answers, or with PACKAGE_INSIGHTS_LEDGER=user the one of the system. An
 * editor that keeps answers in a directory of its own counts together with the other programs of this user: together
 * they spend a budget, wait, and know which requests came from this machine.
 */
export function ledgerDirectory(
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
  platform?: NodeJS.Platform,
  home?: string,
): string | undefined {
  const { PACKAGE_INSIGHTS_CACHE_DIR: _, ...others } = environment;
  return cacheDirectory(environment['PACKAGE_INSIGHTS_LEDGER'] === 'user' ? others : environment, platform, home);
}
