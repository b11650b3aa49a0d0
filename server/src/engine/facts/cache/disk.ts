import type { Clock } from '../../model/ports.ts';
import { openSharedFile, sharedFileLimits } from '../../storage/shared-file.ts';
import type { Cache, CacheEntry } from './cache.ts';
import { openStore, schemaVersion } from './sqlite.ts';

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
  /** Bytes that are written between two checks of the size. */
  evictEach: 4 * 1024 * 1024,
  /** An answer is marked as used once in so many hours. */
  touchAfter: 24,
} as const;

/** The name contains the version of the schema. */
const fileName = `answers-${schemaVersion}`;

export const cacheFile = `${fileName}.sqlite`;

export function createDiskCache({ directory, front, clock, log, ...given }: DiskOptions): DiskCache {
  const maximalBytes = given.maximalBytes ?? diskLimits.maximalBytes;
  const unwritten = new Map<string, CacheEntry>();
  const touched = new Set<string>();
  const absent = new Set<string>();
  let absentSince = 0;
  let sinceEviction = Number.POSITIVE_INFINITY;
  let expiredAt = Number.NEGATIVE_INFINITY;
  let cancelFlush: (() => void) | undefined;

  const file = openSharedFile({
    directory,
    name: fileName,
    clock,
    open: openStore,
    onTrouble(trouble, error) {
      if (trouble === 'renamed') {
        log?.(`the file of kept answers could not be read and was set aside: ${String(error)}`);
        return;
      }
      unwritten.clear();
      touched.clear();
      log?.(`answers are not kept on disk: ${String(error)}`);
    },
  });

  function plan(ms: number): void {
    cancelFlush ??= clock.after(ms, () => {
      cancelFlush = undefined;
      flush();
      if (unwritten.size + touched.size > 0) plan(clock.now() < file.restUntil ? sharedFileLimits.rest : 0);
    });
  }

  /** Writes some of the waiting answers. */
  function flush(): void {
    if (file.state !== 'on') return;
    const entries = [...unwritten].slice(0, diskLimits.perWrite);
    const marks = [...touched].slice(0, diskLimits.perWrite);
    const written = file.use((store) => store.write(entries, marks, clock.now()));
    if (!written) return;
    for (const [id, cached] of entries) {
      if (unwritten.get(id) === cached) unwritten.delete(id);
      sinceEviction += cached.bytes;
    }
    for (const it of marks) touched.delete(it);
    if (sinceEviction < diskLimits.evictEach) return;
    if (file.use((store) => store.evict(maximalBytes))) sinceEviction = 0;
  }

  /** The answer as the front would have it: stale after `expire`, and if it comes from the future of a clock set back. */
  function asOfNow({ value, at, freshUntil, bytes }: CacheEntry): CacheEntry {
    const isStale = at <= expiredAt || at > clock.now();
    return { value, at, freshUntil: isStale ? 0 : freshUntil, bytes };
  }

  return {
    get(id, isOnce = false) {
      const near = front.get(id);
      if (near !== undefined) return near;
      const waiting = unwritten.get(id);
      if (waiting !== undefined) return asOfNow(waiting);
      if (Math.abs(clock.now() - absentSince) > diskLimits.absent) {
        absent.clear();
        absentSince = clock.now();
      }
      if (absent.has(id)) return undefined;
      // If the file turns out to be read-only, the second attempt reads it.
      const found = file.use((store) => store.read(id)) ?? file.use((store) => store.read(id));
      const row = found?.done;
      if (row === undefined) {
        if (found && !isOnce) absent.add(id);
        return undefined;
      }
      if (file.state === 'on' && clock.now() / HOUR - row.used > diskLimits.touchAfter) {
        touched.add(id);
        plan(diskLimits.gather);
      }
      const cached = asOfNow(row);
      if (!isOnce) front.set([[id, cached]]);
      return cached;
    },

    set(entries, isOnce = false) {
      front.set(entries, isOnce);
      if (file.state !== 'on' || entries.length === 0) return;
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
      file.close();
    },
  };
}

const HOUR = 3_600_000;
