import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** A file of another user that more than its owner may read. */
export class NotOurs extends Error {}

/** What SQLite writes beside a file. */
const besides = ['-wal', '-shm', '-journal'] as const;

/**
 * Creates a file of SQLite for this user alone, or makes one that is there readable for nobody else, with what is beside it.
 * What SQLite adds has the permissions of the file.
 * @throws `NotOurs`, and errors of the file system
 */
export function keepToOwner(path: string): void {
  if (path === ':memory:') return;
  if (!narrow(path)) closeSync(openSync(path, 'a', 0o600));
  for (const it of besides) narrow(path + it);
}

/** Makes a file readable for its owner alone. Returns whether there is something. @throws `NotOurs` */
export function narrow(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() && (there.mode & 0o077) !== 0) {
    try {
      chmodSync(path, 0o600);
    } catch {
      // A file system may have no permissions, or be read-only.
      const isOurs = process.geteuid === undefined || there.uid === process.geteuid();
      if (!isOurs) throw new NotOurs('it belongs to another user, and others may read it');
    }
  }
  return there !== undefined;
}
