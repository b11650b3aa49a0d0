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
    log?.(`answers are not kept in this browser: ${error instanceof Error ? error.message : String(error)}`);
  }

  async function load(): Promise<void> {
    if (factory === undefined) throw new Error('it has no database here');
    database = await open(factory);
    // Another window with a newer program changes the form.
    database.onversionchange = () => giveUp('another window changes their form');
    const rows: unknown[] = await done(database.transaction(storeName).objectStore(storeName).getAll());
    const { kept, dropped } = newest(rows.filter(isRow), maximalBytes);
    // What was received in the meantime is newer.
    front.set(kept.flatMap(({ id, ...cached }) => (front.get(id) === undefined ? [[id, cached] as const] : [])));
    if (dropped.length > 0) await change(database, (store) => dropped.map((it) => store.delete(it)));
  }

  /** A full store is emptied once: its answers can be requested again. */
  async function flush(): Promise<void> {
    if (isOff || database === undefined || unwritten.size === 0) return;
    const rows = [...unwritten].map(([id, cached]): Row => ({ id, ...cached }));
    unwritten.clear();
    const write = (isFull: boolean) => (store: IDBObjectStore) => {
      if (isFull) store.clear();
      for (const it of rows) store.put(it);
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

function open(factory: IDBFactory): Promise<IDBDatabase> {
  const opening = factory.open(databaseName, VERSION);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    for (const name of result.objectStoreNames) result.deleteObjectStore(name);
    result.createObjectStore(storeName, { keyPath: 'id' });
  };
  return done(opening);
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

/** The answers that were received last, as many as fit. */
function newest(
  rows: readonly Row[],
  maximalBytes: number,
): { readonly kept: readonly Row[]; readonly dropped: readonly string[] } {
  const kept: Row[] = [];
  const dropped: string[] = [];
  let bytes = 0;
  for (const row of rows.toSorted((a, b) => b.at - a.at)) {
    bytes += row.bytes;
    if (bytes <= maximalBytes) kept.push(row);
    else dropped.push(row.id);
  }
  // The front drops those that were set first.
  return { kept: kept.reverse(), dropped };
}
