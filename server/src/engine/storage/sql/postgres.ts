import pg from 'pg';
import { postgresDialect, type SqlDatabase, type SqlRow, type SqlSession } from './sql-database.ts';

/*
 * The connection to PostgreSQL. The driver is loaded with this file alone, which is a bundle of its own: import it late.
 */

/** Connections of one instance. Several instances share the 100 that PostgreSQL allows by default. */
const MAX_CONNECTIONS = 10;

/** Until a connection is open, in ms. */
const CONNECT_TIMEOUT = 5_000;

/** The longest statement, in ms: a part of an import on a slow disk takes a second. */
const STATEMENT_TIMEOUT = 30_000;

/**
 * Opens a pool of connections. Nothing is sent before the first statement. A password may be in the address, in
 * `PGPASSWORD`, or in the file of `PGPASSFILE`.
 * @param address `postgres://user@host/database`, `postgres:///database?host=/run/postgresql`
 * @param onTrouble called with the error of an idle connection that was lost; the next statement opens another one
 */
export function openPostgres(address: string, onTrouble: (error: Error) => void = () => {}): SqlDatabase {
  const pool = new pg.Pool({
    connectionString: address,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    application_name: 'package-insights',
    types: { getTypeParser: () => readText },
  });
  pool.on('error', onTrouble);
  return {
    dialect: postgresDialect,
    all: (sql, values = []) => query(pool, sql, values),
    async transaction(work) {
      const client = await pool.connect();
      // A client that loses its connection between two statements reports it here, and its next statement rejects.
      client.on('error', ignore);
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work({ all: (sql, values = []) => query(client, sql, values) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((trouble: Error) => {
          broken = trouble;
        });
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

function ignore(): void {}

/** Columns are texts and whole numbers below 2^53; a reader turns the numbers into such. */
function readText(value: string): string {
  return value;
}

async function query(
  queryable: Pick<pg.ClientBase, 'query'>,
  text: string,
  values: Parameters<SqlSession['all']>[1] = [],
): Promise<readonly SqlRow[]> {
  const { rows } = await queryable.query<SqlRow>(text, [...values]);
  return rows;
}
