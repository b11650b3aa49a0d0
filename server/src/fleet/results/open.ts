import { migrate } from '../../engine/storage/sql/migrate.ts';
import type { SqlDatabase } from '../../engine/storage/sql/sql-database.ts';
import { openSqlite } from '../../engine/storage/sql/sqlite.ts';
import type { Results } from './results.ts';
import { fleetSchema } from './schema.ts';
import { createResults } from './sql-results.ts';

/**
 * Opens a file of results, which several processes may use at once. It is created for this user alone. Rejects with errors
 * of SQLite and of the disk.
 */
export async function openFileResults(path: string): Promise<Results> {
  return prepared(openSqlite(path));
}

/**
 * Opens the results in a PostgreSQL database. Rejects with errors of the connection and of the database.
 * @param address `postgres://…`
 */
export async function openDatabaseResults(address: string): Promise<Results> {
  const { openPostgres } = await import('../../engine/storage/sql/postgres.ts');
  return prepared(openPostgres(address));
}

/** Closes what it cannot use. */
async function prepared(database: SqlDatabase): Promise<Results> {
  try {
    if (database.dialect.name === 'sqlite') await refuseOtherPrograms(database);
    await migrate(database, 'fleet', fleetSchema);
    return createResults(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A file with tables, and without those of this program, is of another one. */
async function refuseOtherPrograms(database: SqlDatabase): Promise<void> {
  const [row] = await database.all(
    "SELECT count(*) AS tables, count(*) FILTER (WHERE name = 'schema_steps') AS own FROM sqlite_schema WHERE type = 'table'",
  );
  if (Number(row?.['tables']) > 0 && Number(row?.['own']) === 0) throw new Error('it is a file of another program');
}
