import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { keepToOwner } from './private-file.ts';

/** The kind of a file. All of it is checked before anything is read. */
export interface DatabaseOptions {
  /** Marks the files of one kind. Source: SQLite, `PRAGMA application_id`. */
  readonly applicationId: number;
  /** The version of the schema. It is part of the name of the file, so that two programs never rebuild one in turns. */
  readonly version: number;
  /** The statements that create the tables, if another process has not just done so (`IF NOT EXISTS`). */
  readonly create: string;
  /** No file is changed, and writes throw. */
  readonly toRead?: boolean;
  /** How long to wait for the writes of another process, in ms; by default as long as an editor may be blocked. */
  readonly busyTimeout?: number;
}

/**
 * How long one process waits for the write of another, in ms. A write takes a few ms. The language server is blocked
 * meanwhile, so the wait is short.
 */
const BUSY_TIMEOUT = 100;

/** The same in a service, where only the requests of others wait. */
export const SERVICE_BUSY_TIMEOUT = 5_000;

/** Interval between attempts where SQLite itself does not wait, in ms. */
const RETRY_INTERVAL = 5;

/** The size to which the write-ahead log is cut after a checkpoint, in bytes. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;

/** Whether this Node has SQLite. Node 20, the one of VS Code 1.100, does not. */
export function hasSqlite(): boolean {
  return sqlite() !== undefined;
}

/**
 * Opens a file that several processes may have open at the same time, and that this user alone may read.
 * @throws errors of SQLite and of the file system, `Foreign` for a file of another program, `NotOurs` for one of another user
 */
export function openDatabase(path: string, options: DatabaseOptions): DatabaseSync {
  const module = sqlite();
  if (module === undefined) throw new Error('this Node has no SQLite; Node 22.13 and newer have it');
  const { toRead = false, busyTimeout: timeout = BUSY_TIMEOUT } = options;
  if (!toRead) keepToOwner(path);
  const database = toRead ? openToRead(module, path, timeout) : new module.DatabaseSync(path, { timeout });
  return closedOnError(database, () => {
    prepareFile(database, options);
    return database;
  });
}

/**
 * Prepares an open database for its use, and closes it if that fails, as with a missing column.
 * @throws what `prepare` throws
 */
export function closedOnError<T>(database: DatabaseSync, prepare: (database: DatabaseSync) => T): T {
  try {
    return prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Writes all of it or nothing. Other processes wait meanwhile.
 * @throws what `work` and SQLite throw
 */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // SQLite ends some failed transactions on its own.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The file is of another program, or of another version than its name. */
export class Foreign extends Error {}

/** Another process has created the file, and ended before anything was in it. */
export class Empty extends Foreign {}

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

function openToRead(module: typeof import('node:sqlite'), path: string, timeout: number): DatabaseSync {
  // Opening a pipe waits for a writer.
  if (!statSync(path).isFile()) throw new Error('it is no file');
  const address = pathToFileURL(path);
  // With an empty log the file is complete, and can be read without creating one.
  if (!statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) address.search = 'immutable=1';
  return new module.DatabaseSync(address, { readOnly: true, timeout });
}

/**
 * The kind of the file, in one statement: another process may be creating it. A file from elsewhere may contain more than
 * tables: a view may never end, and a trigger may do anything.
 */
const identify = `
  SELECT count(*) AS tables, (SELECT * FROM pragma_application_id) AS app, (SELECT * FROM pragma_user_version) AS version,
    count(*) FILTER (WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%') AS programs
  FROM sqlite_schema`;

function prepareFile(database: DatabaseSync, options: DatabaseOptions): void {
  const { applicationId, version, create, toRead, busyTimeout = BUSY_TIMEOUT } = options;
  const found = database.prepare(identify).get();
  if (found?.['app'] !== applicationId || found['version'] !== version || found['programs'] !== 0) {
    const isEmpty = found?.['app'] === 0 && found['version'] === 0 && found['tables'] === 0;
    if (!isEmpty) throw new Foreign('the file is of another program');
    if (toRead) throw new Empty('the file is empty');
    useWriteAheadLog(database, busyTimeout);
    inTransaction(database, () =>
      database.exec(`${create}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`),
    );
  }
  // In this mode a killed process loses nothing; a power failure may lose the last writes.
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${MAX_JOURNAL_BYTES}`);
}

/**
 * Two processes that create a file at the same time both read it, and neither may then change its mode: SQLite reports
 * that without a wait, as each would wait for the other.
 */
function useWriteAheadLog(database: DatabaseSync, timeout: number): void {
  for (let waited = 0; ; waited += RETRY_INTERVAL) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (troubleOf(error) !== 'busy' || waited >= timeout) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_INTERVAL);
    }
  }
}

/** Node 22 prints a warning that this module is new. It is suppressed. */
export function sqlite(): typeof import('node:sqlite') | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
