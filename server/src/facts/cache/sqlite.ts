import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
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
 * How long one process waits for the write of another, in ms. A write takes a few ms. The language server is blocked
 * meanwhile, so the wait is short.
 */
const BUSY_TIMEOUT = 100;

/** The size to which the write-ahead log is cut after a checkpoint, in bytes. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;

/** Whether this Node has SQLite. Node 20, the one of VS Code 1.100, does not. */
export function hasSqlite(): boolean {
  return sqlite() !== undefined;
}

/**
 * @param toRead no file is changed, and writes throw
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function openStore(path: string, toRead = false): Store {
  const module = sqlite();
  if (module === undefined) throw new Error('this Node has no SQLite');
  const database = toRead ? openToRead(module, path) : new module.DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  try {
    prepareFile(database);
    return storeOf(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Reads all answers of a file without changing it: its disk may be read-only.
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function readAnswers(path: string): (readonly [id: string, cached: CacheEntry])[] {
  const module = sqlite();
  if (module === undefined) throw new Error('this Node has no SQLite');
  const database = openToRead(module, path);
  try {
    if (!isOurs(database.prepare(identify).get())) throw new Foreign('the file is no cache of this program');
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

function openToRead(module: typeof import('node:sqlite'), path: string): DatabaseSync {
  // Opening a pipe waits for a writer.
  if (!statSync(path).isFile()) throw new Error('it is no file');
  const address = pathToFileURL(path);
  // With an empty log the file is complete, and can be read without creating one.
  if (!statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) address.search = 'immutable=1';
  return new module.DatabaseSync(address, { readOnly: true, timeout: BUSY_TIMEOUT });
}

/** The file is of another program, or of another version than its name. */
export class Foreign extends Error {}

/** The kind of an error: wait, start a new file, or do without one. */
export function troubleOf(error: unknown): 'busy' | 'damaged' | 'other' {
  if (error instanceof Foreign) return 'damaged';
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
  return troubles.get(code) ?? 'other';
}

/** SQLite's result codes, https://www.sqlite.org/rescode.html; ERROR is the code for a missing table or column. */
const troubles: ReadonlyMap<number, 'busy' | 'damaged'> = new Map([
  [1, 'damaged'],
  [5, 'busy'],
  [6, 'busy'],
  [11, 'damaged'],
  [26, 'damaged'],
]);

function prepareFile(database: DatabaseSync): void {
  const found = database.prepare(identify).get();
  if (!isOurs(found)) {
    const isEmpty = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'] === 0;
    if (!isNew(found) || !isEmpty) throw new Foreign('the file is no cache of this program');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(create);
  }
  // In this mode a killed process loses nothing; a power failure may lose the last answers.
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${MAX_JOURNAL_BYTES}`);
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
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const [id, { value, at, freshUntil, bytes }] of entries) {
          writing.run(id, JSON.stringify(value), whole(at), whole(freshUntil), whole(bytes), used, now);
        }
        for (const id of touched) touching.run(used, id);
        database.exec('COMMIT');
      } catch (error) {
        // SQLite ends some failed transactions by itself.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
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

/** Node 22 prints a warning that this module is new. It is suppressed. */
function sqlite(): typeof import('node:sqlite') | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/*
 * The table on disk. Its version is part of the name of the file, so an older and a newer program use different files and
 * do not rebuild one in turns.
 */
export const schemaVersion = 1;

/** Marks a file as ours: "PkIn". */
const applicationId = 0x506b496e;

/**
 * Checks the file before anything is read. A file from elsewhere may contain more than tables: a view may never end, and a
 * trigger may do anything.
 */
export const identify = `
  SELECT (SELECT * FROM pragma_application_id) AS app, (SELECT * FROM pragma_user_version) AS version,
    (SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%') AS programs`;

export function isOurs(row: Readonly<Record<string, unknown>> | undefined): boolean {
  return row?.['app'] === applicationId && row['version'] === schemaVersion && row['programs'] === 0;
}

/** An empty file. */
export function isNew(row: Readonly<Record<string, unknown>> | undefined): boolean {
  return row?.['app'] === 0 && row['version'] === 0;
}

/**
 * `used` counts whole hours, so repeated reads of an answer are written once. The index contains all columns that the
 * eviction reads.
 */
export const create = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS answers (
    id TEXT PRIMARY KEY, value TEXT NOT NULL, at INTEGER NOT NULL, fresh_until INTEGER NOT NULL,
    bytes INTEGER NOT NULL, used INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS by_use ON answers (used, bytes);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
  COMMIT`;

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
