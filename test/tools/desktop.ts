import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Program, type Running, run, watch } from './processes.ts';

/** The command of a desktop VS Code that can show a window here, or undefined where there is none. */
export function desktopCommand(): string | undefined {
  // In a terminal of a remote window, `code` talks to that window and cannot start an editor.
  if (!hasDisplay() || process.env.VSCODE_IPC_HOOK_CLI !== undefined) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (
    (process.env.PATH ?? '')
      .split(delimiter)
      .map((it) => join(it, name))
      // Under /mnt is the host Windows of WSL, whose editor uses other paths.
      .find((it) => existsSync(it) && !it.startsWith('/mnt/'))
  );
}

/** Whether a program can show a window here. */
export function hasDisplay(): boolean {
  const { platform, env } = process;
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}

export interface Desktop {
  /** Settings, extensions and state go below this folder, apart from the person's own. */
  readonly home: string;
  readonly folder: string;
  /** Extensions to install. */
  readonly vsix: readonly string[];
  /** In addition to that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Opens a window on a folder; it has ended when the person closes it. */
export async function openDesktop(command: string, desktop: Desktop): Promise<Running> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name));
  const env = { ...Object.fromEntries(own), ...desktop.environment };
  const where = ['--user-data-dir', desktop.home, '--extensions-dir', join(desktop.home, 'extensions')];
  const code = (args: readonly string[]): Program => ({ name: 'VS Code', command, args: [...where, ...args], env });
  const installed = await run(code(desktop.vsix.flatMap((it) => ['--install-extension', it])));
  if (!installed.ok) throw new Error(`The extension could not be installed:\n${installed.output}`);
  return watch(code(['--new-window', '--wait', desktop.folder]), () => endWindow(desktop.home));
}

/** The window belongs to another process than `code`. It writes its id into its folder. */
function endWindow(home: string): void {
  const lock = join(home, 'code.lock');
  const pid = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : Number.NaN;
  if (!(pid > 1)) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
