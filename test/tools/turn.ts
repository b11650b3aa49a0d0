import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from './scratch.ts';

/** Interval between attempts, in ms. */
const pause = 100;

/**
 * Runs an action that only one process of this checkout may run at a time, such as building into `dist`. The file at
 * `path` names the owner; the lock of a process that is gone is free.
 */
export async function inTurn<T>(path: string, action: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  while (!take(path)) {
    const owner = ownerOf(path);
    if (owner !== undefined && !isRunning(owner)) rmSync(path, { force: true });
    else await setTimeout(pause);
  }
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined while it is just being written, or gone already. */
function ownerOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
