import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../engine/model/ports.ts';
import { closedOnError, inTransaction, openDatabase } from '../../engine/storage/database.ts';
import { openSharedFile } from '../../engine/storage/shared-file.ts';
import type { MaintenanceWindow, PlannedEvent } from '../model/scheduling/planned.ts';

/** What is kept of a calendar: nothing of events that are neither planned updates nor maintenance windows. */
export type KeptEvent =
  | {
      readonly kind: 'update';
      readonly event: PlannedEvent;
      /** The updates and manifests that have reached their targets: `0 app/package.json`. */
      readonly reached: readonly string[];
    }
  | { readonly kind: 'window'; readonly event: MaintenanceWindow };

/** A calendar as it was at one time. */
export interface KeptCalendar {
  /** What the service needs to send only changes; absent if everything has to be listed. */
  readonly token?: string;
  /** When it was brought up to date, in ms since the epoch. */
  readonly at: number;
  readonly events: readonly KeptEvent[];
}

/** Changes of a calendar. */
export interface CalendarChange {
  /** Everything else is removed. */
  readonly isAll: boolean;
  readonly put: readonly KeptEvent[];
  readonly removed: readonly string[];
  /** Absent where single events were changed. */
  readonly synced?: { readonly token?: string; readonly at: number };
}

/** Keeps calendars over restarts, for all windows and terminals of this user. Never throws. */
export interface EventStore {
  /**
   * A number that changes with each write of any process; undefined where nothing is kept.
   * @param identity of the connection: events of one account are not shown for another
   */
  revision(identity: string, calendar: string): number | undefined;
  read(identity: string, calendar: string): KeptCalendar | undefined;
  write(identity: string, calendar: string, change: CalendarChange): void;
  /** A value that a person chose, or that belongs to the connection. */
  choice(identity: string, name: string): string | undefined;
  choose(identity: string, name: string, value: string | undefined): void;
  close(): void;
}

const options = {
  /** `PkIs`. */
  applicationId: 0x506b_4973,
  version: 1,
  create: `
    CREATE TABLE IF NOT EXISTS calendar (
      identity TEXT NOT NULL, id TEXT NOT NULL, token TEXT, at INTEGER NOT NULL, revision INTEGER NOT NULL,
      PRIMARY KEY (identity, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS event (
      identity TEXT NOT NULL, calendar TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (identity, calendar, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS choice (
      identity TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (identity, name)) STRICT, WITHOUT ROWID`,
};

/** @param directory undefined where nothing can be kept on disk: then events last as long as the process */
export function createEventStore({
  directory,
  clock,
  log,
}: {
  readonly directory: string | undefined;
  readonly clock: Clock;
  readonly log?: (line: string) => void;
}): EventStore {
  const choices = new Map<string, string>();
  const file =
    directory === undefined
      ? undefined
      : openSharedFile({
          directory,
          name: `schedule-${options.version}`,
          clock,
          open: (path, toRead) => closedOnError(openDatabase(path, { ...options, toRead }), statements),
          onTrouble: (trouble, error) =>
            log?.(
              trouble === 'renamed'
                ? `the file of planned updates could not be read and was set aside: ${String(error)}`
                : `planned updates are not kept on disk: ${String(error)}`,
            ),
        });
  return {
    revision: (identity, calendar) => file?.read((it) => it.revision(identity, calendar))?.done,
    read: (identity, calendar) => file?.read((it) => it.read(identity, calendar))?.done,
    write(identity, calendar, change) {
      file?.use((it) => it.write(identity, calendar, change), true);
    },
    choice(identity, name) {
      return file?.read((it) => it.choice(identity, name))?.done ?? choices.get(`${identity} ${name}`);
    },
    choose(identity, name, value) {
      if (value === undefined) choices.delete(`${identity} ${name}`);
      else choices.set(`${identity} ${name}`, value);
      file?.use((it) => it.choose(identity, name, value), true);
    },
    close: () => file?.close(),
  };
}

function statements(database: DatabaseSync): EventStore {
  const calendar = database.prepare('SELECT token, at, revision FROM calendar WHERE identity = ? AND id = ?');
  const events = database.prepare('SELECT value FROM event WHERE identity = ? AND calendar = ?');
  const noEvents = database.prepare('DELETE FROM event WHERE identity = ? AND calendar = ?');
  const noEvent = database.prepare('DELETE FROM event WHERE identity = ? AND calendar = ? AND id = ?');
  const put = database.prepare('INSERT OR REPLACE INTO event (identity, calendar, id, value) VALUES (?, ?, ?, ?)');
  const synced = database.prepare(`
    INSERT INTO calendar (identity, id, token, at, revision) VALUES (?, ?, ?, ?, 1)
    ON CONFLICT (identity, id) DO UPDATE SET token = excluded.token, at = excluded.at, revision = revision + 1`);
  const touched = database.prepare(`
    INSERT INTO calendar (identity, id, token, at, revision) VALUES (?, ?, NULL, 0, 1)
    ON CONFLICT (identity, id) DO UPDATE SET revision = revision + 1`);
  const chosen = database.prepare('SELECT value FROM choice WHERE identity = ? AND name = ?');
  const choose = database.prepare('INSERT OR REPLACE INTO choice (identity, name, value) VALUES (?, ?, ?)');
  const noChoice = database.prepare('DELETE FROM choice WHERE identity = ? AND name = ?');
  return {
    revision: (identity, id) => Number(calendar.get(identity, id)?.['revision'] ?? 0),
    read(identity, id) {
      const row = calendar.get(identity, id);
      if (!row) return undefined;
      const { token, at } = row;
      return {
        ...(typeof token === 'string' && { token }),
        at: Number(at),
        events: events.all(identity, id).map((it) => JSON.parse(String(it['value'])) as KeptEvent),
      };
    },
    write(identity, id, change) {
      inTransaction(database, () => {
        if (change.isAll) noEvents.run(identity, id);
        for (const it of change.removed) noEvent.run(identity, id, it);
        for (const it of change.put) put.run(identity, id, it.event.id, JSON.stringify(it));
        if (change.synced) synced.run(identity, id, change.synced.token ?? null, change.synced.at);
        else touched.run(identity, id);
      });
    },
    choice(identity, name) {
      const value = chosen.get(identity, name)?.['value'];
      return typeof value === 'string' ? value : undefined;
    },
    choose(identity, name, value) {
      if (value === undefined) noChoice.run(identity, name);
      else choose.run(identity, name, value);
    },
    close: () => database.close(),
  };
}
