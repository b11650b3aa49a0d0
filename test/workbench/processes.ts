import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** A program that runs until it is stopped. */
export interface Running {
  readonly name: string;
  /** What it printed that said it is ready. */
  readonly said: RegExpExecArray;
  /** Ends it and all that it started. */
  stop(): Promise<void>;
  /** Resolves when it has ended, however it came to. */
  readonly ended: Promise<string>;
}

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** What it prints when it can be used. */
  readonly ready: RegExp;
  /** Receives everything it prints. */
  readonly output?: (text: string) => void;
}

/** A program that has not ended this many ms after it was asked to is killed. */
const patience = 3000;

/**
 * Starts a program, in a process group of its own so that it can be ended with everything it started.
 * @throws with what it printed, where it ends before it is ready
 */
export function start(program: Program): Promise<Running> {
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: program.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return new Promise((resolve, reject) => {
    let printed = '';
    let ready = false;
    const listen = (chunk: string): void => {
      program.output?.(chunk);
      if (ready) return;
      printed += chunk;
      const said = program.ready.exec(printed);
      if (said === null) return;
      ready = true;
      resolve({ name: program.name, said, ended, stop: () => stop(child, ended) });
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    ended.then((how) => reject(new Error(`${program.name} ended before it was ready (${how}):\n${printed}`)));
  });
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), patience);
  await ended;
  clearTimeout(timer);
  // The program is gone; what it started may not be.
  signal(child, 'SIGKILL');
}

/** Signals the whole group; one that is gone already is fine. */
function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch {
    // No process of the group is left.
  }
}
