import { constants, open } from 'node:fs/promises';
import type { Unreadable } from '../model/ports.ts';
import { decode } from '../text/decode.ts';
import { unreadableBy } from './unreadable.ts';

/** In bytes. Settings that a person keeps for a tool are some kilobytes. */
const largest = 1024 * 1024;

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
