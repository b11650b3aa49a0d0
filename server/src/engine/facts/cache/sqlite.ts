import type { DatabaseSync } from 'node:sqlite';
import { closedOnError, inTransaction, openDatabase } from '../../storage/database.ts';
import type { CacheEntry } from './cache.ts';

/** Answers in one file, which several processes may have open. Every function throws what SQLite throws. */
export interface Store {
  /** `used`: when it was last used, in hours since the epoch. */
  read(id: string): (CacheEntry & { readonly used: number }) | undefined;
  /** All of it or nothing. `now` in ms since the epoch. */
  write(entries: readonly (readonly [id: string, cached: CacheEntry])[], touched: Iterable<string>, now: number): void;
  /** Drops the least recently used answers until the rest fits. */
  evict(maximalBytes: number): void;
  close(): void;
}

const HOUR = 3_600_000;

/**
 * @param toRead no file is changed, and writes throw
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function openStore(path: string, toRead = false): Store {
  return closedOnError(openDatabase(path, { ...schema, toRead }), storeOf);
}

/**
 * Reads all answers of a file without changing it: its disk may be read-only.
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function readAnswers(path: string): (readonly [id: string, cached: CacheEntry])[] {
  const database = openDatabase(path, { ...schema, toRead: true });
  try {
    return database
      .prepare(readAll)
      .all()
      .flatMap(({ id, value: text, at, freshUntil, bytes }) => {
        const value = parsed(text);
        const cached = { value, at: Number(at), freshUntil: Number(freshUntil), bytes: Number(bytes) };
        return value === undefined ? [] : [[String(id), cached] as const];
      });
  } finally {
    database.close();
  }
}

function storeOf(database: DatabaseSync): Store {
  const reading = database.prepare(read);
  const writing = database.prepare(write);
  const touching = database.prepare(touch);

  return {
    read(id) {
      const row = reading.get(id);
      if (row === undefined) return undefined;
      const value = parsed(row['value']);
      if (value === undefined) return undefined;
      const { at, freshUntil, bytes, used } = row;
      return { value, at: Number(at), freshUntil: Number(freshUntil), bytes: Number(bytes), used: Number(used) };
    },

    write(entries, touched, now) {
      const used = Math.floor(now / HOUR);
      inTransaction(database, () => {
        for (const [id, { value, at, freshUntil, bytes }] of entries) {
          writing.run(id, JSON.stringify(value), whole(at), whole(freshUntil), whole(bytes), used, now);
        }
        for (const id of touched) touching.run(used, id);
      });
    },

    evict(maximalBytes) {
      const held = Number(database.prepare(size).get()?.['bytes']);
      // A tenth more goes than must, so that this is seldom done.
      if (held > maximalBytes) database.prepare(evict).run(Math.floor(maximalBytes * 0.9));
    },

    close: () => database.close(),
  };
}

/** SQLite stores a fraction as another type. */
function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/*
 * The table on disk. Its version is part of the name of the file, so an older and a newer program use different files and
 * do not rebuild one in turns.
 */
export const schemaVersion = 1;

/**
 * `used` counts whole hours, so repeated reads of an answer are written once. The index contains all columns that the
 * eviction reads.
 */
const schema = {
  /** "PkIn". */
  applicationId: 0x506b496e,
  version: schemaVersion,
  create: `
    CREATE TABLE IF NOT EXISTS answers (
      id TEXT PRIMARY KEY, value TEXT NOT NULL, at INTEGER NOT NULL, fresh_until INTEGER NOT NULL,
      bytes INTEGER NOT NULL, used INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS by_use ON answers (used, bytes)`,
} as const;

export const read = 'SELECT value, at, fresh_until AS freshUntil, bytes, used FROM answers WHERE id = ?';

export const readAll = 'SELECT id, value, at, fresh_until AS freshUntil, bytes FROM answers';

/** A newer answer of another process stays. */
export const write = `
  INSERT INTO answers (id, value, at, fresh_until, bytes, used) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET value = excluded.value, at = excluded.at, fresh_until = excluded.fresh_until,
    bytes = excluded.bytes, used = excluded.used
  WHERE excluded.at >= answers.at OR answers.at > ?`;

export const touch = 'UPDATE answers SET used = ? WHERE id = ?';

export const size = 'SELECT coalesce(sum(bytes), 0) AS bytes FROM answers';

/** Keeps the most recently used answers, up to so many bytes. */
export const evict = `
  DELETE FROM answers WHERE rowid IN (
    SELECT rowid FROM (SELECT rowid, sum(bytes) OVER (ORDER BY used DESC, rowid DESC) AS newer FROM answers)
    WHERE newer > ?
  )`;
