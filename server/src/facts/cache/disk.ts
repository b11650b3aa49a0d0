import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../model/ports.ts';
import type { Cache, CacheEntry } from './cache.ts';
import { hasSqlite, openStore, type Store, schemaVersion, troubleOf } from './sqlite.ts';

export interface DiskOptions {
  /** Made where it is not there yet, for this user alone: private packages' names stand in it. */
  readonly directory: string;
  /** Keeps what is in use, so that the disk is read once for each answer. */
  readonly front: Cache;
  readonly clock: Clock;
  /** Told once when answers cannot be kept on disk, or a file was set aside. Without it nobody is told. */
  readonly log?: (line: string) => void;
  readonly maximalBytes?: number;
}

/**
 * Answers that outlive the process, shared with other processes. Works as its front alone where the disk does not, and
 * with what was kept before where the disk is full or may not be written.
 */
export interface DiskCache extends Cache {
  /** Writes what is still to be written, and lets go of the file. */
  close(): void;
}

export const diskLimits = {
  /** Some 40,000 versions at about 1.5 kB each: several workspaces of large manifests. */
  maximalBytes: 64 * 1024 * 1024,
  /**
   * What is not there is not looked for again for so long, in ms: whether a package's versions are known is read again
   * with every answer about its neighbours. What another process writes meanwhile is seen that much later.
   */
  absent: 2_000,
  /** Answers are gathered for so long before they are written, in ms. */
  gather: 250,
  /** Written in one go: a few ms. */
  perWrite: 500,
  /** What waits to be written while another process keeps the file to itself. */
  waiting: 20_000,
  /** After the file was found in use, it is left alone for so long, in ms. */
  rest: 5_000,
  /** So many bytes are written before the size is looked at again. */
  evictEach: 4 * 1024 * 1024,
  /** What was used within so many hours is not marked as used again. */
  touchAfter: 24,
  /** Files set aside in one session. */
  repairs: 2,
} as const;

/** The file within the directory, named after what it holds. */
export const cacheFile = `answers-${schemaVersion}.sqlite`;

/** Where a file goes that could not be read. The next one takes its place. */
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
  /** Which file is open, or could not be opened. */
  let file: bigint | undefined;
  let restUntil = 0;
  let repairs = 0;
  let sinceEviction = Number.POSITIVE_INFINITY;
  let expiredAt = Number.NEGATIVE_INFINITY;
  let cancelFlush: (() => void) | undefined;

  /** Does something with the file. Whatever goes wrong, there is no answer from it, and nobody is stopped. */
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
    file = numberOf(path);
    const store = openStore(path);
    file ??= numberOf(path);
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
      // What cannot even be closed is left to the end of the process.
    }
  }

  function plan(ms: number): void {
    cancelFlush ??= clock.after(ms, () => {
      cancelFlush = undefined;
      flush();
      if (unwritten.size + touched.size > 0) plan(clock.now() < restUntil ? diskLimits.rest : 0);
    });
  }

  /** Writes some of what is waiting. */
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

  /** As the front would have it: expired with the rest, and never trusted beyond what a clock set back can mean. */
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
      // Where the file turns out to be one that can only be read, a second look reads it.
      const found = withStore((store) => store.read(id)) ?? withStore((store) => store.read(id));
      const row = found?.done;
      if (row === undefined) {
        if (found) absent.add(id);
        return undefined;
      }
      if (state === 'on' && clock.now() / hour - row.used > diskLimits.touchAfter) {
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

const hour = 3_600_000;

/**
 * Lets nobody else read a file, whatever its folder permits. What SQLite makes beside it has the same permissions.
 * @param isMade whether it is made where it is not there
 */
function keepToOwner(path: string, isMade: boolean): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined && isMade) closeSync(openSync(path, 'wx', 0o600));
    else if (there?.isFile() && (there.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch {
    // Somebody else's file, or one that another process has just made: SQLite finds out whether it can be used.
  }
}

/** By which the system tells a file from another of the same name; undefined where nothing stands there. */
function numberOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/**
 * Makes room for a new file. A second process that comes to the same end finds the new one, and uses it.
 * @param file the number of the one that is damaged
 */
function setAside(directory: string, file: bigint | undefined): boolean {
  try {
    if (numberOf(join(directory, cacheFile)) !== file) return true;
    renameSync(join(directory, cacheFile), join(directory, damagedFile));
    // A process that has the old file open still keeps the index of its log alive, which the new one would be read by.
    for (const suffix of ['-wal', '-shm']) rmSync(join(directory, cacheFile + suffix), { force: true });
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}
