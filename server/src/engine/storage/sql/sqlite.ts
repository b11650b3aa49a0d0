import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlite, troubleOf } from '../database.ts';
import { keepToOwner } from '../private-file.ts';
import { type SqlDatabase, type SqlRow, type SqlSession, type SqlValue, sqliteDialect } from './sql-database.ts';

/** How long a transaction waits for those of other processes, in ms. A part of an import takes some 20 ms. */
const MAX_BUSY = 30_000;

/** The wait before another attempt, in ms. It does not block the process, as SQLite's own would. */
const BUSY_WAIT = 10;

/** Prepared statements that a connection keeps. There are some dozens. */
const MAX_STATEMENTS = 200;

/**
 * Opens an SQLite file, which several processes of this machine may have open. Only its owner may read it: it shows which
 * packages are used.
 * @throws errors of SQLite and of the file system, `NotOurs` for a file of another user; where this Node has no SQLite, an
 * `Error` that says so
 */
export function openSqlite(path: string): SqlDatabase {
  const module = sqlite();
  if (module === undefined) throw new Error('this Node has no SQLite; Node 22.13 and newer have it');
  keepToOwner(path);
  // Reads have a connection of their own, so they see nothing of a transaction before it ends.
  const writer = connect(module, path);
  const reader = connect(module, path);
  let last: Promise<unknown> = Promise.resolve();
  return {
    dialect: sqliteDialect,
    all: reader.all,
    transaction(work) {
      const next = last.then(() => inTransaction(writer, work));
      last = next.catch(() => undefined);
      return next;
    },
    async close() {
      await last;
      reader.close();
      writer.close();
    },
  };
}

interface Connection extends SqlSession {
  readonly database: DatabaseSync;
  close(): void;
}

function connect(module: typeof import('node:sqlite'), path: string): Connection {
  const database = new module.DatabaseSync(path);
  // In this mode a killed process loses nothing; a power failure may lose the last writes, which are asked again.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536');
  const statements = new Map<string, StatementSync>();
  return {
    database,
    async all(sql, values = []) {
      const known = statements.get(sql);
      const statement = known ?? database.prepare(sql);
      if (known === undefined) {
        if (statements.size >= MAX_STATEMENTS) statements.clear();
        statements.set(sql, statement);
      }
      return rowsOf(statement, values);
    },
    close: () => database.close(),
  };
}

function rowsOf(statement: StatementSync, values: readonly SqlValue[]): readonly SqlRow[] {
  // The schema has no blobs, and its numbers are below 2^53.
  return statement.all(Object.fromEntries(values.map((it, index) => [`$${index + 1}`, it]))) as SqlRow[];
}

async function inTransaction<T>(connection: Connection, work: (session: SqlSession) => Promise<T>): Promise<T> {
  const { database } = connection;
  await whenFree(() => database.exec('BEGIN IMMEDIATE'));
  try {
    const result = await work(connection);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite ends some failed transactions on its own.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

async function whenFree(attempt: () => void): Promise<void> {
  for (let waited = 0; ; waited += BUSY_WAIT) {
    try {
      attempt();
      return;
    } catch (error) {
      if (troubleOf(error) !== 'busy' || waited >= MAX_BUSY) throw error;
      await delay(BUSY_WAIT);
    }
  }
}
