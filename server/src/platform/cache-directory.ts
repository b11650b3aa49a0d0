import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  canOthersChange,
  isInRepositoryNow,
  isOfWorkspaceNow,
  isOwn,
  workspacePlacesNow,
} from '../engine/git/whose-path.ts';

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

/** Why a cache directory is not used. `workspace`: it is in a folder that is checked; `others`: other users can change it. */
export type CacheTrouble = 'workspace' | 'others';

/**
 * Whether another user or a workspace may have put answers or compiled code into a cache directory. Creates it if missing, for this user
 * alone.
 * @param folders that are open or checked, paths or file URIs; while they are unknown, any repository may be one of them
 */
export function cacheTrouble(directory: string, folders: readonly string[] | 'unknown'): CacheTrouble | undefined {
  const isInside =
    folders === 'unknown' ? isInRepositoryNow(directory) : isOfWorkspaceNow(directory, workspacePlacesNow(folders));
  if (isInside) return 'workspace';
  let real: string;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    real = realpathSync(directory);
  } catch {
    // Without a directory, no file in it is used.
    return undefined;
  }
  return isOwn(real) && !canOthersChange(real) ? undefined : 'others';
}

/** The folders that a command line may check: the working directory, and every argument that may be a path. */
export function foldersOfCommand(args: readonly string[] = process.argv.slice(2)): readonly string[] {
  return [process.cwd(), ...args.map((it) => it.replace(/^--?[\w-]+=?/, '')).filter((it) => it !== '')];
}
