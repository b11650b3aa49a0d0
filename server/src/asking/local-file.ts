import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { nameOf } from '../model/uri.ts';

export interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** The file at an address; undefined where there is none on this machine. */
export async function localFile(uri: string): Promise<LocalFile | undefined> {
  try {
    const path = fileURLToPath(uri);
    const about = await stat(path);
    return about.isFile() ? { name: nameOf(uri), path, size: about.size } : undefined;
  } catch {
    // Another scheme, an address that is none, or nothing there.
    return undefined;
  }
}
