import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../engine/model/ports.ts';
import { closedOnError, inTransaction, openDatabase } from '../../engine/storage/database.ts';
import { openSharedFile } from '../../engine/storage/shared-file.ts';
import type { PrefixList } from './prefix-list.ts';

/** A list of the service as it was at one time. */
export interface KeptList {
  readonly list: PrefixList;
  /** What the service needs to send only changes. */
  readonly state: Buffer;
  /** SHA-256 of the whole list. */
  readonly checksum: Buffer;
  /** When it was requested, in ms since the epoch. */
  readonly at: number;
}

/** Keeps lists over restarts. Never throws; a list that cannot be kept is requested again. */
export interface ListStore {
  /**
   * @param identity of the connection: lists of one service are not used for another
   * @param newerThan returns only a list that is newer, in ms since the epoch
   */
  read(identity: string, name: string, newerThan: number): KeptList | undefined;
  write(identity: string, name: string, kept: KeptList): void;
  remove(identity: string, name: string): void;
  close(): void;
}

/** Lists of other connections that were not written for so long are deleted. In ms. */
const MAX_UNUSED = 30 * 24 * 3_600_000;

const options = {
  /** `LINK`. */
  applicationId: 0x4c49_4e4b,
  version: 1,
  create: `
    CREATE TABLE IF NOT EXISTS list (
      identity TEXT NOT NULL, name TEXT NOT NULL, state BLOB NOT NULL, checksum BLOB NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (identity, name)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS part (
      identity TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (identity, name, size))`,
};

/** @param directory undefined where nothing can be kept on disk: then lists last as long as the process */
export function createListStore({
  directory,
  clock,
  log,
}: {
  readonly directory: string | undefined;
  readonly clock: Clock;
  readonly log?: (line: string) => void;
}): ListStore {
  if (directory === undefined) return { read: () => undefined, write() {}, remove() {}, close() {} };
  const file = openSharedFile({
    directory,
    name: `links-${options.version}`,
    clock,
    open: (path, toRead) => closedOnError(openDatabase(path, { ...options, toRead }), statements),
    onTrouble: (trouble, error) =>
      log?.(
        trouble === 'renamed'
          ? `the file of link lists could not be read and was set aside: ${String(error)}`
          : `link lists are not kept on disk: ${String(error)}`,
      ),
  });
  return {
    read: (identity, name, newerThan) => file.use((it) => it.read(identity, name, newerThan))?.done,
    write(identity, name, kept) {
      file.use((it) => it.write(identity, name, kept));
    },
    remove(identity, name) {
      file.use((it) => it.remove(identity, name));
    },
    close: () => file.close(),
  };
}

function statements(database: DatabaseSync): ListStore {
  const list = database.prepare('SELECT state, checksum, at FROM list WHERE identity = ? AND name = ? AND at > ?');
  const parts = database.prepare('SELECT size, bytes FROM part WHERE identity = ? AND name = ? ORDER BY size');
  const noList = database.prepare('DELETE FROM list WHERE identity = ? AND name = ?');
  const noParts = database.prepare('DELETE FROM part WHERE identity = ? AND name = ?');
  const newList = database.prepare('INSERT INTO list (identity, name, state, checksum, at) VALUES (?, ?, ?, ?, ?)');
  const newPart = database.prepare('INSERT INTO part (identity, name, size, bytes) VALUES (?, ?, ?, ?)');
  const old = database.prepare('SELECT identity, name FROM list WHERE at < ?');
  const remove = (identity: string, name: string): void => {
    noList.run(identity, name);
    noParts.run(identity, name);
  };
  return {
    read(identity, name, newerThan) {
      const row = list.get(identity, name, newerThan);
      if (!row) return undefined;
      return {
        list: parts.all(identity, name).map((it) => ({ size: Number(it['size']), bytes: blob(it['bytes']) })),
        state: blob(row['state']),
        checksum: blob(row['checksum']),
        at: Number(row['at']),
      };
    },
    write(identity, name, { list: entries, state, checksum, at }) {
      inTransaction(database, () => {
        for (const it of old.all(at - MAX_UNUSED)) remove(String(it['identity']), String(it['name']));
        remove(identity, name);
        newList.run(identity, name, state, checksum, at);
        for (const { size, bytes } of entries) newPart.run(identity, name, size, bytes);
      });
    },
    remove(identity, name) {
      inTransaction(database, () => remove(identity, name));
    },
    close: () => database.close(),
  };
}

function blob(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.alloc(0);
}
