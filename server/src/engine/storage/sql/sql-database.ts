/** A relational database, the same for SQLite and PostgreSQL. Statements name their values `$1`, `$2`, …. */
export interface SqlDatabase extends SqlSession {
  readonly dialect: SqlDialect;
  /**
   * Writes all of it or nothing. Rejects with what `work` and the database reject with; then nothing is written, unless the
   * connection was lost during the commit itself.
   */
  transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Ends the connections when their statements have ended. */
  close(): Promise<void>;
}

export interface SqlSession {
  /** The rows of one statement. Outside of a transaction it only reads. */
  all(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** What the two write in different words. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** The type of a text that is compared by its bytes. */
  readonly text: string;
  /**
   * A list of JSON objects as a table, to give a statement many rows in one value.
   * @param value `$1`
   * @param columns name → type: `{ system: 'text', at: 'bigint' }`
   * @param alias the name of the table in the statement
   */
  rowsOf(value: string, columns: Columns, alias: string): string;
}

export type Columns = Readonly<Record<string, 'text' | 'bigint'>>;

export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  text: 'TEXT',
  rowsOf(value, columns, alias) {
    const fields = Object.keys(columns).map((it) => `value ->> '$.${it}' AS ${it}`);
    return `(SELECT ${fields.join(', ')} FROM json_each(${value})) AS ${alias}`;
  },
};

export const postgresDialect: SqlDialect = {
  name: 'postgres',
  text: 'TEXT COLLATE "C"',
  rowsOf(value, columns, alias) {
    const fields = Object.entries(columns).map(
      ([name, type]) => `${name} ${type}${type === 'text' ? ' COLLATE "C"' : ''}`,
    );
    return `json_to_recordset(${value}::json) AS ${alias}(${fields.join(', ')})`;
  },
};
