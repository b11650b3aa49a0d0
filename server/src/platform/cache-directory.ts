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
