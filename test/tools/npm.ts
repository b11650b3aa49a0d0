import { run } from './processes.ts';

/**
 * Runs npm, the one that started this program where one did.
 * @returns what it printed
 * @throws with its messages, where it fails
 */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const started = process.env.npm_execpath;
  const program = started?.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [started, ...args] }
    : { command: 'npm', args };
  const { ok, how, stdout, output } = await run({ name: 'npm', ...program, cwd });
  if (!ok) throw new Error(`npm ${args.join(' ')} failed (${how}):\n${output}`);
  return stdout;
}
