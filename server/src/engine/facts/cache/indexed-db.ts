import type { Clock } from '../../model/ports.ts';
import type { Cache, CacheEntry } from './cache.ts';

export interface IndexedCacheOptions {
  /** Absent where the browser has none: in a private window, for example. */
  readonly factory: IDBFactory | undefined;
  /** Holds all answers while the worker runs, since no call of the cache waits. */
  readonly front: Cache;
  readonly clock: Clock;
  /** Called once when answers cannot be kept. */
  readonly log?: (line: string) => void;
  readonly maximalBytes?: number;
}

/** Answers that outlive the worker, in the browser's own database. Without a usable one only the front works. */
export interface IndexedCache extends Cache {
  /** Resolves when the former answers are in the front, or cannot be. */
  readonly loaded: Promise<void>;
  /** Writes the remaining answers and closes the database. */
  close(): Promise<void>;
}

export const indexedLimits = {
  /** As much as the front holds: what it drops could not be read again. */
  maximalBytes: 32 * 1024 * 1024,
  /** How long answers are collected before they are written, in ms: a worker may be ended without notice. */
  gather: 250,
  /** How long the database may take to open, in ms: another window that deletes or changes it can block it for ever. */
  open: 10_000,
} as const;

const databaseName = 'package-insights';
const storeName = 'answers';

/** The form of the rows. Another one starts an empty store. */
const VERSION = 1;

type Row = CacheEntry & { readonly id: string };

export function createIndexedCache({ factory, front, clock, log, ...given }: IndexedCacheOptions): IndexedCache {
  const maximalBytes = given.maximalBytes ?? indexedLimits.maximalBytes;
  const unwritten = new Map<string, CacheEntry>();
  let cancelFlush: (() => void) | undefined;
  let database: IDBDatabase | undefined;
  let isOff = false;

  function giveUp(error: unknown): void {
    if (isOff) return;
    isOff = true;
    unwritten.clear();
    database?.close();
    log?.(`answers are not kept in this browser: ${textOf(error)}`);
  }

  async function load(): Promise<void> {
    if (factory === undefined) throw new Error('it has no database here');
    database = await open(factory, clock);
    // Another window with a newer program changes the form.
    database.onversionchange = () => giveUp('another window changes their form');
    const rows = await readAll(database);
    const { kept, dropped } = newest(rows, maximalBytes);
    // What was received in the meantime is newer.
    const former = kept.filter((it) => front.get(it.id) === undefined);
    front.set(former.map(({ id, ...cached }) => [id, asOf(cached, clock.now())] as const));
    if (dropped.length > 0) await change(database, (store) => dropped.map((it) => store.delete(it)));
  }

  /** The browser may have lost a part of a store: what cannot be read now can never be, and answers can be requested. */
  async function readAll(opened: IDBDatabase): Promise<readonly unknown[]> {
    try {
      return await done(opened.transaction(storeName).objectStore(storeName).getAll());
    } catch (error) {
      log?.(`the kept answers could not be read and were dropped: ${textOf(error)}`);
      await change(opened, (store) => store.clear());
      return [];
    }
  }

  /** A full store is emptied once: its answers can be requested again. */
  async function flush(): Promise<void> {
    if (isOff || database === undefined || unwritten.size === 0) return;
    const rows = [...unwritten].map(([id, cached]): Row => ({ id, ...cached }));
    unwritten.clear();
    const write = (isFull: boolean) => (store: IDBObjectStore) => {
      if (isFull) store.clear();
      for (const it of rows) putNewer(store, it);
    };
    await change(database, write(false)).catch((error: unknown) => {
      if (!isQuota(error) || database === undefined) throw error;
      return change(database, write(true));
    });
  }

  const loaded = load().catch(giveUp);
  return {
    loaded,
    get: (id) => front.get(id),
    set(entries, isOnce = false) {
      front.set(entries, isOnce);
      // What is not read again soon would have to be held in memory to be read at all.
      if (isOff || isOnce) return;
      for (const [id, cached] of entries) unwritten.set(id, cached);
      cancelFlush ??= clock.after(indexedLimits.gather, () => {
        cancelFlush = undefined;
        loaded.then(flush).catch(giveUp);
      });
    },
    expire: () => front.expire(),
    async close() {
      cancelFlush?.();
      cancelFlush = undefined;
      await loaded.then(flush).catch(giveUp);
      isOff = true;
      database?.close();
    },
  };
}

/** A database that opens too late is closed again: it would block other windows. */
async function open(factory: IDBFactory, clock: Clock): Promise<IDBDatabase> {
  const opening = factory.open(databaseName, VERSION);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    for (const name of result.objectStoreNames) result.deleteObjectStore(name);
    result.createObjectStore(storeName, { keyPath: 'id' });
  };
  return new Promise((resolve, reject) => {
    const cancel = clock.after(indexedLimits.open, () => {
      opening.onsuccess = () => opening.result.close();
      reject(new Error('their database does not open'));
    });
    opening.onsuccess = () => {
      cancel();
      resolve(opening.result);
    };
    opening.onerror = () => {
      cancel();
      reject(opening.error);
    };
  });
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** All of it or nothing. */
function change(database: IDBDatabase, make: (store: IDBObjectStore) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    make(transaction.objectStore(storeName));
  });
}

/** Another window may have received a later answer. */
function putNewer(store: IDBObjectStore, row: Row): void {
  const reading: IDBRequest<unknown> = store.get(row.id);
  reading.onsuccess = () => {
    if (!isRow(reading.result) || reading.result.at <= row.at) store.put(row);
  };
}

/** An answer from the future, of a clock that was set back, is not fresh. */
function asOf(cached: CacheEntry, now: number): CacheEntry {
  return cached.at > now ? { ...cached, freshUntil: 0 } : cached;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isQuota(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** Another extension of the same host can write into this database. */
function isRow(row: unknown): row is Row {
  if (typeof row !== 'object' || row === null) return false;
  const { id, value, at, freshUntil, bytes } = row as Readonly<Record<string, unknown>>;
  const isCounted = [at, freshUntil, bytes].every((it) => typeof it === 'number' && Number.isFinite(it) && it >= 0);
  return typeof id === 'string' && value !== undefined && isCounted;
}

/** The answers that were received last, as many as fit; and the keys of the others, and of what is no answer. */
function newest(
  rows: readonly unknown[],
  maximalBytes: number,
): { readonly kept: readonly Row[]; readonly dropped: readonly IDBValidKey[] } {
  const kept: Row[] = [];
  const dropped = rows.filter((it) => !isRow(it)).map((it) => (it as { readonly id: IDBValidKey }).id);
  let bytes = 0;
  for (const row of rows.filter(isRow).toSorted((a, b) => b.at - a.at)) {
    bytes += row.bytes;
    if (bytes <= maximalBytes) kept.push(row);
    else dropped.push(row.id);
  }
  // The front drops those that were set first.
  return { kept: kept.reverse(), dropped };
}
