import { setTimeout as delay } from 'node:timers/promises';
import type { SqlDatabase } from '../../engine/storage/sql/sql-database.ts';
import { openSqlite } from '../../engine/storage/sql/sqlite.ts';
import type { StoreAddress } from './address.ts';
import { createMemoryStore } from './memory-store.ts';
import { openSqlStore } from './sql-store.ts';
import type { Store } from './store.ts';

/** How long a database is waited for that is starting, and between two attempts, in ms. */
const START_PATIENCE = 60_000;
const START_WAIT = 500;

/**
 * Opens a store with its schema up to date. A database that is just starting is waited for.
 * @param onWait called with the reason before each wait
 * @throws `NewerSchema`, and errors of the database
 */
export async function openStore(
  address: StoreAddress | undefined,
  onWait: (error: Error) => void = () => {},
): Promise<Store> {
  if (address === undefined) return createMemoryStore();
  const database = await openDatabase(address, onWait);
  for (let waited = 0; ; waited += START_WAIT) {
    try {
      return await openSqlStore(database);
    } catch (error) {
      if (!isStarting(error) || waited >= START_PATIENCE) {
        await database.close();
        throw error;
      }
      onWait(error);
      await delay(START_WAIT);
    }
  }
}

/** The database at an address, for rows of your own: see `migrate`. The driver of PostgreSQL is loaded where it is needed. */
export async function openDatabase(
  address: StoreAddress,
  onTrouble: (error: Error) => void = () => {},
): Promise<SqlDatabase> {
  if (address.kind === 'sqlite') return openSqlite(address.path);
  return (await import('../../engine/storage/sql/postgres.ts')).openPostgres(address.address, onTrouble);
}

/**
 * Whether another attempt would fail as well, for as long as nobody does anything: a full or read-only disk, a damaged file,
 * missing rights. Sources: SQLite, result codes (READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB); PostgreSQL, appendix A
 * (disk_full, read_only_sql_transaction, insufficient_privilege, io_error).
 */
export function isLasting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return [8, 10, 11, 13, 14, 26].includes(Number(error.errcode) & 0xff);
  return 'code' in error && ['53100', '25006', '42501', '58030'].includes(String(error.code));
}

/** Sources: PostgreSQL, appendix A, “cannot_connect_now”; Node.js, “Common system errors”. */
const startingCodes: readonly unknown[] = ['57P03', 'ECONNREFUSED', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'];

/** Whether a database may be there in a moment. */
function isStarting(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isStarting);
  return (
    ('code' in error && startingCodes.includes(error.code)) ||
    /timeout exceeded when trying to connect/.test(error.message)
  );
}
