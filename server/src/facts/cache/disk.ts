import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../model/ports.ts';
import type { Cache, CacheEntry } from './cache.ts';
import { hasSqlite, openStore, type Store, schemaVersion, troubleOf } from './sqlite.ts';

export interface DiskOptions {
  /** Created if missing, for this user alone, because it contains names of private packages. */
  readonly directory: string;
  /** Keeps the answers in use, so the disk is read once for each. */
  readonly front: Cache;
  readonly clock: Clock;
  /** Called when answers cannot be kept on disk, or a file was set aside. */
  readonly log?: (line: string) => void;
  readonly maximalBytes?: number;
}

/**
 * Answers that outlive the process and are shared with other processes. Without a usable disk only its front works; on a
 * full or read-only disk, former answers are still read.
 */
export interface DiskCache extends Cache {
  /** Writes the remaining answers and closes the file. */
  close(): void;
}

export const diskLimits = {
  /** Some 40,000 versions at about 1.5 kB each: several workspaces of large manifests. */
  maximalBytes: 64 * 1024 * 1024,
  /**
   * How long a missing answer is not read again, in ms: every response reads the packages around it. Answers of another
   * process appear that much later.
   */
  absent: 2_000,
  /** How long answers are collected before they are written, in ms. */
  gather: 250,
  /** Answers in one write, which takes a few ms. */
  perWrite: 500,
  /** Answers that wait while another process locks the file. */
  waiting: 20_000,
  /** How long a locked file is left alone, in ms. */
  rest: 5_000,
  /** Bytes that are written between two checks of the size. */
  evictEach: 4 * 1024 * 1024,
  /** An answer is marked as used once in so many hours. */
  touchAfter: 24,
  /** Files set aside in one session. */
  repairs: 2,
} as const;

/** The name of the file contains the version of its schema. */
export const cacheFile = `answers-${schemaVersion}.sqlite`;

/** The new name of an unreadable file. The next one replaces it. */
const damagedFile = `answers-${schemaVersion}.damaged.sqlite`;

export function createDiskCache({ directory, front, clock, log, ...given }: DiskOptions): DiskCache {
  const path = join(directory, cacheFile);
  const maximalBytes = given.maximalBytes ?? diskLimits.maximalBytes;
  const unwritten = new Map<string, CacheEntry>();
  const touched = new Set<string>();
  const absent = new Set<string>();
  let absentSince = 0;
  let state: 'on' | 'reading' | 'off' = hasSqlite() ? 'on' : 'off';
  let opened: Store | undefined;
  /** The inode of the file that is open, or could not be opened. */
  let file: bigint | undefined;
  let restUntil = 0;
  let repairs = 0;
  let sinceEviction = Number.POSITIVE_INFINITY;
  let expiredAt = Number.NEGATIVE_INFINITY;
  let cancelFlush: (() => void) | undefined;

  /** Uses the file. Returns undefined after any error. */
  function withStore<T>(work: (store: Store) => T): { readonly done: T } | undefined {
    if (state === 'off' || clock.now() < restUntil) return undefined;
    try {
      opened ??= open();
      return { done: work(opened) };
    } catch (error) {
      handle(error);
      return undefined;
    }
  }

  function open(): Store {
    if (state === 'reading') return openStore(path, true);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const suffix of ['', '-wal', '-shm']) keepToOwner(path + suffix, suffix === '');
    file = inodeOf(path);
    const store = openStore(path);
    file ??= inodeOf(path);
    return store;
  }

  function handle(error: unknown): void {
    const trouble = troubleOf(error);
    if (trouble === 'busy') {
      restUntil = clock.now() + diskLimits.rest;
      return;
    }
    letGo();
    if (state === 'reading') state = 'off';
    else if (trouble === 'damaged' && repairs++ < diskLimits.repairs && setAside(directory, file)) {
      log?.(`the file of kept answers could not be read and was set aside: ${String(error)}`);
    } else stopWriting(error);
  }

  function stopWriting(error: unknown): void {
    state = 'reading';
    unwritten.clear();
    touched.clear();
    log?.(`answers are not kept on disk: ${String(error)}`);
  }

  function letGo(): void {
    const store = opened;
    opened = undefined;
    try {
      store?.close();
    } catch {
      // The file is closed with the process.
    }
  }

  function plan(ms: number): void {
    cancelFlush ??= clock.after(ms, () => {
      cancelFlush = undefined;
      flush();
      if (unwritten.size + touched.size > 0) plan(clock.now() < restUntil ? diskLimits.rest : 0);
    });
  }

  /** Writes some of the waiting answers. */
  function flush(): void {
    if (state !== 'on') return;
    const entries = [...unwritten].slice(0, diskLimits.perWrite);
    const marks = [...touched];
    const written = withStore((store) => store.write(entries, marks, clock.now()));
    if (!written) return;
    for (const [id, cached] of entries) {
      if (unwritten.get(id) === cached) unwritten.delete(id);
      sinceEviction += cached.bytes;
    }
    touched.clear();
    if (sinceEviction < diskLimits.evictEach) return;
    if (withStore((store) => store.evict(maximalBytes))) sinceEviction = 0;
  }

  /** The answer as the front would have it: stale after `expire`, and if it comes from the future of a clock set back. */
  function asOfNow({ value, at, freshUntil, bytes }: CacheEntry): CacheEntry {
    const isStale = at <= expiredAt || at > clock.now();
    return { value, at, freshUntil: isStale ? 0 : freshUntil, bytes };
  }

  return {
    get(id) {
      const near = front.get(id);
      if (near !== undefined) return near;
      if (Math.abs(clock.now() - absentSince) > diskLimits.absent) {
        absent.clear();
        absentSince = clock.now();
      }
      if (absent.has(id)) return undefined;
      // If the file turns out to be read-only, the second attempt reads it.
      const found = withStore((store) => store.read(id)) ?? withStore((store) => store.read(id));
      const row = found?.done;
      if (row === undefined) {
        if (found) absent.add(id);
        return undefined;
      }
      if (state === 'on' && clock.now() / HOUR - row.used > diskLimits.touchAfter) {
        touched.add(id);
        plan(diskLimits.gather);
      }
      const cached = asOfNow(row);
      front.set([[id, cached]]);
      return cached;
    },

    set(entries) {
      front.set(entries);
      if (state !== 'on' || entries.length === 0) return;
      for (const [id, cached] of entries) {
        unwritten.set(id, cached);
        absent.delete(id);
      }
      for (const id of unwritten.keys()) {
        if (unwritten.size <= diskLimits.waiting) break;
        unwritten.delete(id);
      }
      plan(diskLimits.gather);
    },

    expire() {
      front.expire();
      expiredAt = clock.now();
    },

    close() {
      cancelFlush?.();
      cancelFlush = undefined;
      for (let left = -1; unwritten.size > 0 && unwritten.size !== left; ) {
        left = unwritten.size;
        flush();
      }
      letGo();
      state = 'off';
    },
  };
}

const HOUR = 3_600_000;

/**
 * Makes a file readable for its owner alone, whatever its folder permits. SQLite copies the permissions to the files
 * beside it.
 * @param isCreated whether a missing file is created
 */
function keepToOwner(path: string, isCreated: boolean): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined && isCreated) closeSync(openSync(path, 'wx', 0o600));
    else if (there?.isFile() && (there.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch {
    // A file of another user, or one that another process has just created: SQLite reports whether it is usable.
  }
}

/** The inode of a file, which differs from that of its successor; undefined if there is none. */
function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/**
 * Renames a damaged file. A second process that does the same finds and uses the new file.
 * @param file the inode of the damaged file
 */
function setAside(directory: string, file: bigint | undefined): boolean {
  try {
    if (inodeOf(join(directory, cacheFile)) !== file) return true;
    renameSync(join(directory, cacheFile), join(directory, damagedFile));
    // Another process may have the old file open. The new file must not be read through the index of the old log.
    for (const suffix of ['-wal', '-shm']) rmSync(join(directory, cacheFile + suffix), { force: true });
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}
