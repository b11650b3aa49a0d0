import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { hasSqlite, inTransaction, openDatabase, SERVICE_BUSY_TIMEOUT } from '../../engine/storage/database.ts';
import type {
  AssetRecord,
  CompositeTypeRecord,
  DeploymentRecord,
  ManifestRecord,
  OperationRecord,
  ResourceRecord,
  TypeProviderRecord,
} from './records.ts';

interface Kinds {
  readonly deployment: DeploymentRecord;
  readonly resource: ResourceRecord;
  readonly manifest: ManifestRecord;
  readonly operation: OperationRecord;
  readonly asset: AssetRecord;
  readonly typeProvider: TypeProviderRecord;
  readonly compositeType: CompositeTypeRecord;
}

/** Where a record is. `parent`: the deployment of a resource or a manifest. */
export interface Key {
  readonly project: string;
  readonly parent?: string;
  readonly name: string;
}

/** Everything that the service remembers, in one file of SQLite that several processes may share. */
export interface Store {
  get<K extends keyof Kinds>(kind: K, key: Key): Kinds[K] | undefined;
  put<K extends keyof Kinds>(kind: K, key: Key, record: Kinds[K]): void;
  remove(kind: keyof Kinds, key: Key): void;
  /** In the order of their names. */
  list<K extends keyof Kinds>(kind: K, project: string, parent?: string): readonly Kinds[K][];
  /** Operations that have not ended, the oldest first. */
  running(): readonly { readonly project: string; readonly operation: OperationRecord }[];
  /** @throws what `work` throws, and then nothing of it is kept */
  inTransaction<T>(work: () => T): T;
  close(): void;
}

/** "PkDe". */
const applicationId = 0x506b4465;

const create = `
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, project TEXT NOT NULL, parent TEXT NOT NULL, name TEXT NOT NULL,
    isRunning INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (kind, project, parent, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS running ON records (isRunning) WHERE isRunning = 1`;

/** Operations of one project that are kept; the oldest that have ended go where there are more. */
const MAX_OPERATIONS = 1_000;

/**
 * @param path `:memory:` keeps nothing
 * @returns undefined on a Node without SQLite
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function openStore(path: string): Store | undefined {
  if (!hasSqlite()) return undefined;
  const database: DatabaseSync = openDatabase(path, {
    ...{ applicationId, version: 1, create },
    busyTimeout: SERVICE_BUSY_TIMEOUT,
  });
  const getting = database.prepare(
    'SELECT record FROM records WHERE kind = ? AND project = ? AND parent = ? AND name = ?',
  );
  const putting = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)');
  const removing = database.prepare('DELETE FROM records WHERE kind = ? AND project = ? AND parent = ? AND name = ?');
  const listing = database.prepare(
    'SELECT record FROM records WHERE kind = ? AND project = ? AND parent = ? ORDER BY name',
  );
  const listingRunning = database.prepare('SELECT project, record FROM records WHERE isRunning = 1 ORDER BY name');
  // Names of operations begin with their time.
  const evicting = database.prepare(`
    DELETE FROM records WHERE kind = 'operation' AND project = ?1 AND parent = '' AND isRunning = 0 AND name <=
      (SELECT name FROM records WHERE kind = 'operation' AND project = ?1 ORDER BY name DESC LIMIT 1 OFFSET ${MAX_OPERATIONS})`);
  return {
    get(kind, { project, parent = '', name }) {
      const row = getting.get(kind, project, parent, name);
      return row && JSON.parse(String(row['record']));
    },
    put(kind, { project, parent = '', name }, record) {
      const isRunning = 'work' in record && record.status !== 'DONE';
      putting.run(kind, project, parent, name, isRunning ? 1 : 0, JSON.stringify(record));
      if (kind === 'operation') evicting.run(project);
    },
    remove(kind, { project, parent = '', name }) {
      removing.run(kind, project, parent, name);
    },
    list: (kind, project, parent = '') =>
      listing.all(kind, project, parent).map((row) => JSON.parse(String(row['record']))),
    running: () =>
      listingRunning
        .all()
        .map((row) => ({ project: String(row['project']), operation: JSON.parse(String(row['record'])) })),
    inTransaction(work) {
      let result: { readonly done: ReturnType<typeof work> } | undefined;
      inTransaction(database, () => {
        result = { done: work() };
      });
      if (result === undefined) throw new Error('the transaction has no result');
      return result.done;
    },
    close: () => database.close(),
  };
}

/** An identifier of 63 random bits, as a decimal number. */
export function newId(): string {
  return String(randomBytes(8).readBigUInt64BE() >> 1n);
}

/** A value to compare versions by: base64, and another one each time. */
export function newFingerprint(): string {
  return randomBytes(16).toString('base64url').concat('==');
}
