import { stat } from 'node:fs';
import type { Stamp } from '../model/ports.ts';

/**
 * The stamp of what stands at a path, or at the end of a link. Whoever sets a file's time back changes its `ctime`. With a
 * callback it takes half the time: of a workspace's projects there may be a thousand.
 */
export function stampOf(path: string): Promise<Stamp | undefined> {
  return new Promise((resolve) => {
    stat(path, (error, about) => {
      if (error) resolve(undefined);
      else {
        const { dev, ino, size, mtimeMs, ctimeMs } = about;
        resolve({ mark: `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`, written: Math.max(mtimeMs, ctimeMs) });
      }
    });
  });
}
