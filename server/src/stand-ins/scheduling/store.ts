import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inTransaction, openDatabase, SERVICE_BUSY_TIMEOUT } from '../../engine/storage/database.ts';

/** JSON as it is stored. */
export type Fields = Readonly<Record<string, unknown>>;

/** A calendar, an event, a rule, an entry of a list or a setting. */
export interface Item {
  /** What it belongs to: `events/me@example.org`. */
  readonly collection: string;
  readonly id: string;
  /** Of its last change; grows over all items of the file. */
  readonly revision: number;
  readonly isDeleted: boolean;
  /** In ms since the epoch. */
  readonly updated: number;
  readonly body: Fields;
  readonly index: ItemIndex;
}

/** What items are found by, besides their ids. All of it is absent for items that are not events. */
export interface ItemIndex {
  /** In ms since the epoch. */
  readonly starts?: number;
  /** Absent for an event that repeats without an end. */
  readonly ends?: number;
  /** The id of the recurring event that this is an exception of. */
  readonly master?: string;
  readonly uid?: string;
  /** The revision in which start or repetition of a recurring event changed last; `Infinity` for the one to come. */
  readonly reshaped?: number;
}

export interface ItemQuery {
  /** Changed after this revision. */
  readonly since?: number;
  /** Overlapping this time, in ms since the epoch. */
  readonly from?: number;
  readonly to?: number;
  readonly master?: string;
  readonly uid?: string;
  readonly withDeleted?: boolean;
}

/** A channel of notifications. */
export interface Channel {
  readonly id: string;
  readonly resourceId: string;
  readonly user: string;
  readonly collection: string;
  readonly address: string;
  readonly token: string | undefined;
  /** Path and query of the watched list. */
  readonly uri: string;
  /** In ms since the epoch. */
  readonly expires: number;
}

export interface CalendarStore {
  /** Tells the tokens of one file from those of another. */
  readonly id: string;
  /** Runs all of it or nothing. */
  write<T>(work: () => T): T;
  /** Sees one state of the file throughout. */
  read<T>(work: () => T): T;
  /** The newest revision. */
  revision(): number;
  get(collection: string, id: string): Item | undefined;
  list(collection: string, query?: ItemQuery): readonly Item[];
  /** The collections that contain an item of this id, deleted ones left out. */
  collectionsWith(id: string, prefix: string): readonly string[];
  /** Writes an item under a new revision. */
  put(item: Omit<Item, 'revision'>): Item;
  /** Removes an item without a trace. */
  drop(collection: string, id: string): void;
  channels(collection: string): readonly Channel[];
  channel(id: string): Channel | undefined;
  /** The number of channels of a user. */
  channelsOf(user: string): number;
  addChannel(channel: Channel): void;
  removeChannel(id: string): void;
  removeChannels(before: number): void;
  /** The number of the next message of a channel, beginning with 1. */
  nextMessage(id: string): number;
  close(): void;
}

/** "PkCa". */
const applicationId = 0x506b4361;

const create = `
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS revisions (newest INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS items (
    collection TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, deleted INTEGER NOT NULL,
    updated INTEGER NOT NULL, body TEXT NOT NULL, starts INTEGER, ends INTEGER, master TEXT, uid TEXT, reshaped INTEGER,
    PRIMARY KEY (collection, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS changes ON items (collection, revision);
  CREATE INDEX IF NOT EXISTS times ON items (collection, starts);
  CREATE INDEX IF NOT EXISTS exceptions ON items (collection, master) WHERE master IS NOT NULL;
  CREATE INDEX IF NOT EXISTS uids ON items (collection, uid) WHERE uid IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ids ON items (id, collection);
  CREATE TABLE IF NOT EXISTS channels (
    id TEXT PRIMARY KEY, resource TEXT NOT NULL, user TEXT NOT NULL, collection TEXT NOT NULL, address TEXT NOT NULL,
    token TEXT, uri TEXT NOT NULL, expires INTEGER NOT NULL, messages INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS watched ON channels (collection);
  INSERT INTO revisions (newest) SELECT 0 WHERE NOT EXISTS (SELECT * FROM revisions);`;

/**
 * Several processes may have the file open. What was written is there after any of them was killed.
 * @param path `:memory:` for this run only
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function openCalendarStore(path: string): CalendarStore {
  const database = openDatabase(path, { applicationId, version: 1, create, busyTimeout: SERVICE_BUSY_TIMEOUT });
  inTransaction(database, () => {
    database.prepare("INSERT OR IGNORE INTO facts (name, value) VALUES ('id', ?)").run(randomUUID().slice(0, 8));
  });
  const id = String(database.prepare("SELECT value FROM facts WHERE name = 'id'").get()?.['value']);
  const getting = database.prepare('SELECT * FROM items WHERE collection = ? AND id = ?');
  const newest = database.prepare('SELECT newest FROM revisions');
  const advancing = database.prepare('UPDATE revisions SET newest = newest + 1 RETURNING newest');
  const putting = database.prepare('INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const dropping = database.prepare('DELETE FROM items WHERE collection = ? AND id = ?');
  const finding = database.prepare(
    'SELECT collection FROM items WHERE id = ? AND deleted = 0 AND substr(collection, 1, length(?)) = ?',
  );
  const watching = database.prepare('SELECT * FROM channels WHERE collection = ?');
  const channel = database.prepare('SELECT * FROM channels WHERE id = ?');
  const adding = database.prepare(
    'INSERT INTO channels (id, resource, user, collection, address, token, uri, expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const owning = database.prepare('SELECT count(*) AS count FROM channels WHERE user = ?');
  const removing = database.prepare('DELETE FROM channels WHERE id = ?');
  const expiring = database.prepare('DELETE FROM channels WHERE expires <= ?');
  const counting = database.prepare('UPDATE channels SET messages = messages + 1 WHERE id = ? RETURNING messages');

  function withResult<T>(run: (work: () => void) => void, work: () => T): T {
    let result: { readonly value: T } | undefined;
    run(() => {
      result = { value: work() };
    });
    if (result === undefined) throw new Error('nothing was done');
    return result.value;
  }

  return {
    id,
    write: (work) => withResult((it) => inTransaction(database, it), work),
    read: (work) => withResult((it) => inSnapshot(database, it), work),
    revision: () => Number(newest.get()?.['newest']),
    get: (collection, itemId) => itemOf(getting.get(collection, itemId)),
    list(collection, query = {}) {
      const { conditions, values } = conditionsOf(query);
      const sql = ['SELECT * FROM items WHERE collection = ?', ...conditions].join(' AND ');
      return database
        .prepare(sql)
        .all(collection, ...values)
        .flatMap((row) => itemOf(row) ?? []);
    },
    collectionsWith: (itemId, prefix) => finding.all(itemId, prefix, prefix).map((row) => String(row['collection'])),
    put(item) {
      const revision = Number(advancing.get()?.['newest']);
      const { starts = null, ends = null, master = null, uid = null, reshaped = null } = item.index;
      const { collection, id: itemId, isDeleted, updated, body } = item;
      const shape = reshaped === Infinity ? revision : reshaped;
      putting.run(
        ...[collection, itemId, revision, isDeleted ? 1 : 0, Math.round(updated), JSON.stringify(body)],
        ...[starts, ends, master, uid, shape],
      );
      return { ...item, revision };
    },
    drop: (collection, itemId) => void dropping.run(collection, itemId),
    channels: (collection) => watching.all(collection).map(channelOf),
    channel(channelId) {
      const row = channel.get(channelId);
      return row && channelOf(row);
    },
    channelsOf: (user) => Number(owning.get(user)?.['count']),
    addChannel({ id: channelId, resourceId, user, collection, address, token, uri, expires }) {
      adding.run(channelId, resourceId, user, collection, address, token ?? null, uri, Math.round(expires));
    },
    removeChannel: (channelId) => void removing.run(channelId),
    removeChannels: (before) => void expiring.run(Math.round(before)),
    nextMessage: (channelId) => Number(counting.get(channelId)?.['messages'] ?? 0),
    close: () => database.close(),
  };
}

function inSnapshot(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN');
  try {
    work();
  } finally {
    database.exec('COMMIT');
  }
}

function conditionsOf({ since, from, to, master, uid, withDeleted = false }: ItemQuery) {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add('revision > ?', since);
  // An event of no duration at this very time counts.
  add('(ends IS NULL OR max(ends, starts + 1) > ?)', from);
  add('starts < ?', to);
  add('master = ?', master);
  add('uid = ?', uid);
  if (!withDeleted) conditions.push('deleted = 0');
  return { conditions, values };
}

function itemOf(row: Readonly<Record<string, unknown>> | undefined): Item | undefined {
  if (row === undefined) return undefined;
  const { starts, ends, master, uid, reshaped } = row;
  return {
    collection: String(row['collection']),
    id: String(row['id']),
    revision: Number(row['revision']),
    isDeleted: row['deleted'] === 1,
    updated: Number(row['updated']),
    body: JSON.parse(String(row['body'])),
    index: {
      ...(typeof starts === 'number' && { starts }),
      ...(typeof ends === 'number' && { ends }),
      ...(typeof master === 'string' && { master }),
      ...(typeof uid === 'string' && { uid }),
      ...(typeof reshaped === 'number' && { reshaped }),
    },
  };
}

function channelOf(row: Readonly<Record<string, unknown>>): Channel {
  const { token } = row;
  return {
    id: String(row['id']),
    resourceId: String(row['resource']),
    user: String(row['user']),
    collection: String(row['collection']),
    address: String(row['address']),
    token: typeof token === 'string' ? token : undefined,
    uri: String(row['uri']),
    expires: Number(row['expires']),
  };
}
