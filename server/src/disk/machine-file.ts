import { constants, open } from 'node:fs/promises';
import { decode } from '../text/decode.ts';

/** In bytes. Settings that a person keeps for a tool are some kilobytes. */
const largest = 1024 * 1024;

/**
 * The text of a settings file of this machine, wherever links lead: people keep such files in repositories of their own.
 * Undefined where there is none. The path must come from the machine, never from a workspace.
 */
export async function readMachineFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const about = await file.stat();
    return about.isFile() && about.size <= largest ? decode(await file.readFile()).text : undefined;
  } catch {
    // It may be seen, but not read.
    return undefined;
  } finally {
    await file.close();
  }
}
