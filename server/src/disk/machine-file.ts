import { constants, open, readdir } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { Unreadable } from '../model/ports.ts';
import { decode } from '../text/decode.ts';
import { unreadableBy } from './unreadable.ts';

/** In bytes. Settings that a person keeps for a tool are some kilobytes. */
const largest = 1024 * 1024;

/** Entries of one directory that an asterisk stands for. Whoever has more versions of a program has the newest among them. */
const mostExpanded = 50;

/** The paths that one with an asterisk stands for: `~/.nvm/versions/node/*` + `/etc/npmrc`, `~/.nuget/config/*.config`. */
export async function machinePaths(path: string): Promise<readonly string[]> {
  const at = path.indexOf('*');
  if (at < 0) return [path];
  const directory = dirname(`${path.slice(0, at)}x`);
  const [ending = '', ...rest] = path.slice(at + 1).split(sep);
  const entries = await readdir(directory).catch(() => []);
  const found = entries.filter((it) => it.endsWith(ending)).sort();
  return found.slice(-mostExpanded).map((it) => [directory, it, ...rest].join(sep));
}

/**
 * The text of a settings file of this machine, wherever links lead: people keep such files in repositories of their own.
 * Undefined where there is none. The path must come from the machine, never from a workspace.
 */
export async function readMachineFile(path: string): Promise<string | Unreadable | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) return { why: 'no file' };
      return about.size <= largest ? decode(await file.readFile()).text : { why: 'too large' };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadableBy(error);
  }
}
