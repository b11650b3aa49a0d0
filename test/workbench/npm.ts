import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/**
 * Runs npm, the one that started this program where one did.
 * @returns what it printed
 * @throws with its messages, where it fails
 */
export function npm(args: readonly string[], cwd: string): string {
  const started = process.env.npm_execpath;
  const result = started?.endsWith('npm-cli.js')
    ? run(process.execPath, [started, ...args], cwd, false)
    : run('npm', args, cwd, process.platform === 'win32');
  if (result.status === 0) return result.stdout;
  throw new Error(`npm ${args.join(' ')} failed:\n${result.error?.message ?? result.stderr}`);
}

function run(command: string, args: readonly string[], cwd: string, shell: boolean): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd, shell, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
