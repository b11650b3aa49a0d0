import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cli } from '../harness/cli.ts';
import { nobody } from '../harness/nobody.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface Folder {
  readonly path: string;
  write(name: string, content: string | Uint8Array): void;
  remove(): void;
}

/** A folder of its own, with some files in it. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Folder {
  const path = mkdtempSync(join(tmpdir(), 'package-insights-'));
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Starts the terminal program in a process of its own.
 * @param out where its output goes: a file that is open, or a pipe
 */
export function spawnProgram(
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
  out: number | 'pipe' = 'pipe',
): ChildProcess {
  return spawnScript(cli, args, directory, environment, out);
}

function spawnScript(
  script: string,
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>>,
  out: number | 'pipe',
): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...nobody, PACKAGE_INSIGHTS_CACHE_DIR: '', ...environment },
    stdio: ['ignore', out, 'pipe'],
  });
}

/** The terminal program in a process of its own, its output in pipes. */
export function runProgram(
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runScript(cli, args, directory, environment);
}

/** Another script, in the environment of the terminal program. */
export function runScript(
  script: string,
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawnScript(script, args, directory, environment, 'pipe');
  let out = '';
  let error = '';
  child.stdout?.setEncoding('utf8').on('data', (it: string) => {
    out += it;
  });
  child.stderr?.setEncoding('utf8').on('data', (it: string) => {
    error += it;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, error })));
}
