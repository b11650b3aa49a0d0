/*
 * The one table on disk. Its version stands in the name of the file, too, so that an older and a newer program beside
 * each other have a file each and never take turns at rebuilding one.
 */
export const schemaVersion = 1;

/** Marks a file as ours: "PkIn". */
const applicationId = 0x506b496e;

/**
 * What has to be so before anything is read, and whether it is. A file that somebody else made may have more in it than
 * tables: a view in the place of one need never end, and a trigger does what nobody asked for.
 */
export const identify = `
  SELECT (SELECT * FROM pragma_application_id) AS app, (SELECT * FROM pragma_user_version) AS version,
    (SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%') AS programs`;

export function isOurs(row: Readonly<Record<string, unknown>> | undefined): boolean {
  return row?.['app'] === applicationId && row['version'] === schemaVersion && row['programs'] === 0;
}

/** A file without anything in it yet. */
export function isNew(row: Readonly<Record<string, unknown>> | undefined): boolean {
  return row?.['app'] === 0 && row['version'] === 0;
}

/**
 * `used` counts in whole hours, so that reading the same answer again and again is written once. The index holds all
 * that the eviction reads.
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

/** What another process learnt later stays. */
export const write = `
  INSERT INTO answers (id, value, at, fresh_until, bytes, used) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET value = excluded.value, at = excluded.at, fresh_until = excluded.fresh_until,
    bytes = excluded.bytes, used = excluded.used
  WHERE excluded.at >= answers.at OR answers.at > ?`;

export const touch = 'UPDATE answers SET used = ? WHERE id = ?';

export const size = 'SELECT coalesce(sum(bytes), 0) AS bytes FROM answers';

/** Keeps what was used last, up to so many bytes. */
export const evict = `
  DELETE FROM answers WHERE rowid IN (
    SELECT rowid FROM (SELECT rowid, sum(bytes) OVER (ORDER BY used DESC, rowid DESC) AS newer FROM answers)
    WHERE newer > ?
  )`;
