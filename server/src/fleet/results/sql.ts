/** A value that both databases keep unchanged. */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, unknown>>;

/** What the results need of a database. `?` is the place of a value. */
export interface Sql {
  all(text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  run(text: string, values?: readonly SqlValue[]): Promise<void>;
  /** Does all of it or nothing. No other statement of this process is between them. */
  transaction(work: (sql: Pick<Sql, 'all' | 'run'>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** The version of the tables. Another one has other names of files and tables. */
export const SCHEMA_VERSION = 1;

/** @param blob the type of bytes */
export function schema(blob: 'BLOB' | 'BYTEA'): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS fleet_runs (
      id TEXT PRIMARY KEY, at TEXT NOT NULL, options TEXT NOT NULL, bad TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS fleet_repositories (
      run TEXT NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, source TEXT NOT NULL,
      begun INTEGER NOT NULL, state TEXT, reasons TEXT, code INTEGER, revision TEXT, ms INTEGER,
      manifests INTEGER, coverage TEXT, report ${blob}, PRIMARY KEY (run, name))`,
    `CREATE TABLE IF NOT EXISTS fleet_uses (
      run TEXT NOT NULL, repository TEXT NOT NULL, system TEXT NOT NULL, name TEXT NOT NULL, version TEXT,
      path TEXT NOT NULL, line INTEGER NOT NULL, relation TEXT NOT NULL, via TEXT, licenses TEXT, class TEXT,
      target TEXT, gap TEXT, owners TEXT)`,
    'CREATE INDEX IF NOT EXISTS fleet_uses_by_name ON fleet_uses (run, system, name)',
    'CREATE INDEX IF NOT EXISTS fleet_uses_by_repository ON fleet_uses (run, repository)',
    `CREATE TABLE IF NOT EXISTS fleet_findings (
      run TEXT NOT NULL, repository TEXT NOT NULL, fingerprint TEXT NOT NULL, subject TEXT NOT NULL,
      code TEXT NOT NULL, severity TEXT NOT NULL, system TEXT NOT NULL, name TEXT NOT NULL, version TEXT,
      path TEXT NOT NULL, line INTEGER NOT NULL, via TEXT, advisories TEXT, score DOUBLE PRECISION,
      message TEXT NOT NULL, fix TEXT NOT NULL, owners TEXT, counts INTEGER NOT NULL,
      PRIMARY KEY (run, repository, fingerprint))`,
    'CREATE INDEX IF NOT EXISTS fleet_findings_by_name ON fleet_findings (run, system, name)',
    `CREATE TABLE IF NOT EXISTS fleet_advisories (
      run TEXT NOT NULL, id TEXT NOT NULL, repository TEXT NOT NULL, fingerprint TEXT NOT NULL,
      PRIMARY KEY (run, id, repository, fingerprint))`,
    'CREATE INDEX IF NOT EXISTS fleet_advisories_by_repository ON fleet_advisories (run, repository)',
  ];
}
