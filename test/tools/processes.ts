import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** A program and how to call it. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A program that ended by itself. */
export interface Ended {
  /** `exit code 0`, `SIGTERM`, or why it did not start. */
  readonly how: string;
  readonly ok: boolean;
  /** What it printed to stdout, and to both. */
  readonly stdout: string;
  readonly output: string;
}

/** A program that runs until it is stopped. */
export interface Running {
  readonly name: string;
  /** Ends the program and its child processes. */
  stop(): Promise<void>;
  /** Resolves with how it ended, when it has. */
  readonly ended: Promise<string>;
}

/** A program that is ready. */
export interface Started extends Running {
  readonly pid: number;
  /** What it said when it was. */
  readonly said: RegExpExecArray;
}

/** In ms. A program that has not ended by then is killed. */
const GRACE_PERIOD = 3000;

const windows = process.platform === 'win32';

/** Every program that runs, so that none is left behind. */
const living = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of living) signal(child, 'SIGKILL');
});

/** Calls when this program is asked to end: Ctrl-C, a request, or the program that started it is gone. */
export function onEnd(action: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, action);
  process.on('disconnect', action);
  // The channel must not keep this process alive.
  process.channel?.unref();
}

/** Runs a program to its end. */
export function run(program: Program): Promise<Ended> {
  const { child, ended } = launch(program);
  let stdout = '';
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return ended.then((how) => ({ how, ok: how === 'exit code 0', stdout, output }));
}

/**
 * Starts a program that keeps running.
 * @param ready its output once it is ready
 * @throws with its output, if it ends before it is ready
 */
export function start(program: Program, ready: RegExp): Promise<Started> {
  const { child, ended } = launch(program);
  return new Promise((resolve, reject) => {
    let printed = '';
    let isReady = false;
    const onPrint = (chunk: string): void => {
      if (isReady) return;
      printed += chunk;
      const said = ready.exec(printed);
      if (said === null) return;
      isReady = true;
      resolve({ name: program.name, pid: child.pid ?? 0, said, ended, stop: () => stop(child, ended) });
    };
    child.stdout?.setEncoding('utf8').on('data', onPrint);
    child.stderr?.setEncoding('utf8').on('data', onPrint);
    ended.then((how) => reject(new Error(`${program.name} ended before it was ready (${how}):\n${printed}`)));
  });
}

/**
 * Starts a program that is in use from the moment it runs.
 * @param onStop ends what it has handed over to another process
 */
export function watch(program: Program, onStop: () => void): Running {
  const { child, ended } = launch(program);
  child.stdout?.resume();
  child.stderr?.resume();
  ended.then(onStop);
  return { name: program.name, ended, stop: () => stop(child, ended) };
}

/** Ends every program that this one started. */
export async function stopAll(): Promise<void> {
  await Promise.all([...living].map((child) => stop(child, endOf(child))));
}

function launch(program: Program): { child: ChildProcess; ended: Promise<string> } {
  // In a group of its own, so that it can be ended with everything that it starts.
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: program.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
    shell: windows && /\.cmd$|^[^.\\/]+$/.test(program.command),
  });
  living.add(child);
  // Child processes that survive would keep its output open.
  child.on('exit', () => signal(child, 'SIGKILL'));
  return { child, ended: endOf(child) };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    const end = (how: string): void => {
      living.delete(child);
      resolve(how);
    };
    child.on('error', (error) => end(error.message));
    // Not at `exit`, when output may still arrive.
    child.on('close', (code, signalName) => end(signalName ?? `exit code ${code}`));
  });
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), GRACE_PERIOD);
  await ended;
  clearTimeout(timer);
}

/** Signals a program and everything in its group. */
function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch {
    // No process of the group is left.
  }
}
