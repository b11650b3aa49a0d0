import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../model/ports.ts';
import { hasSqlite, troubleOf } from './database.ts';
import { keepToOwner, NotOurs } from './private-file.ts';

export interface SharedFileOptions<T extends { close(): void }> {
  /** Created if missing, for this user alone. */
  readonly directory: string;
  /** With the version of the schema: `answers-1` for `answers-1.sqlite`. */
  readonly name: string;
  /** Opens the file, with `openDatabase`. @throws errors of SQLite, and `Foreign` */
  open(path: string, toRead: boolean): T;
  readonly clock: Clock;
  /**
   * Called when a file was set aside (`renamed`), and once when nothing is written any more (`unwritten`).
   */
  readonly onTrouble?: (trouble: 'renamed' | 'unwritten', error: unknown) => void;
}

/** A file that several processes of this user have open. Nothing is opened or created before it is used. */
export interface SharedFile<T> {
  /** `reading`: it cannot be written. `off`: without SQLite, unreadable, or closed. */
  readonly state: 'on' | 'reading' | 'off';
  /** Another process locks it: until then it is left alone. In ms since the epoch. */
  readonly restUntil: number;
  /**
   * Uses the file. Returns undefined after any error; the next use may succeed.
   * @param isUrgent a locked file is not left alone: the process is about to end
   */
  use<R>(work: (opened: T) => R, isUrgent?: boolean): { readonly done: R } | undefined;
  /** Reads, also while the file is left alone: a writer seldom locks readers out. Tries again if it cannot be written. */
  read<R>(work: (opened: T) => R): { readonly done: R } | undefined;
  close(): void;
}

export const sharedFileLimits = {
  /** How long a locked file is left alone, in ms. */
  rest: 5_000,
  /** Files set aside in one session. */
  repairs: 2,
} as const;

export function openSharedFile<T extends { close(): void }>(options: SharedFileOptions<T>): SharedFile<T> {
  const { directory, name, clock, onTrouble } = options;
  const path = join(directory, `${name}.sqlite`);
  let state: SharedFile<T>['state'] = hasSqlite() ? 'on' : 'off';
  let opened: T | undefined;
  /** The inode of the file that is open, or could not be opened. */
  let file: bigint | undefined;
  let restUntil = 0;
  let repairs = 0;

  function open(): T {
    if (state === 'reading') return options.open(path, true);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Created before it is opened, so that a damaged one is known by its inode.
    keepToOwner(path);
    file = inodeOf(path);
    const made = options.open(path, false);
    file ??= inodeOf(path);
    return made;
  }

  function handle(error: unknown): void {
    const trouble = troubleOf(error);
    if (trouble === 'busy') {
      restUntil = clock.now() + sharedFileLimits.rest;
      return;
    }
    letGo();
    if (state === 'reading' || error instanceof NotOurs) state = 'off';
    else if (trouble === 'damaged' && repairs++ < sharedFileLimits.repairs && setAside(directory, name, file)) {
      onTrouble?.('renamed', error);
    } else {
      state = 'reading';
      onTrouble?.('unwritten', error);
    }
  }

  function rests(): boolean {
    const left = restUntil - clock.now();
    // The clock may have been set back.
    return left > 0 && left <= sharedFileLimits.rest;
  }

  function letGo(): void {
    const last = opened;
    opened = undefined;
    try {
      last?.close();
    } catch {
      // The file is closed with the process.
    }
  }

  function use<R>(work: (opened: T) => R, isUrgent = false): { readonly done: R } | undefined {
    if (state === 'off' || (rests() && !isUrgent)) return undefined;
    try {
      opened ??= open();
      return { done: work(opened) };
    } catch (error) {
      handle(error);
      return undefined;
    }
  }

  return {
    get state() {
      return state;
    },
    get restUntil() {
      return restUntil;
    },
    use,
    read(work) {
      const before = state;
      return use(work, true) ?? (state === before ? undefined : use(work, true));
    },
    close() {
      letGo();
      state = 'off';
    },
  };
}

/** The inode of a file, which differs from that of its successor; undefined if there is none. */
function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/**
 * Renames a damaged file. A second process that does the same finds and uses the new file. The next damaged one replaces
 * it.
 * @param file the inode of the damaged file
 */
function setAside(directory: string, name: string, file: bigint | undefined): boolean {
  const path = join(directory, `${name}.sqlite`);
  try {
    if (inodeOf(path) !== file) return true;
    renameSync(path, join(directory, `${name}.damaged.sqlite`));
    // Another process may have the old file open. The new file must not be read through the index of the old log.
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}
