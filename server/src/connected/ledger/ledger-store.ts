import type { DatabaseSync } from 'node:sqlite';
import type { Hold } from '../../engine/model/connection.ts';
import { closedOnError, inTransaction, openDatabase } from '../../engine/storage/database.ts';
import { type Amount, type DayUsage, usageIds } from './usage.ts';

/** A counted quantity of a service on a day. */
export interface UsageRow extends Amount {
  readonly day: string;
  readonly service: string;
}

/** A hold, and when it was set, in ms since the epoch. */
export interface HoldRow extends Hold {
  readonly connection: string;
  readonly identity: string;
  readonly at: number;
}

/** The file. Every function throws what SQLite throws. */
export interface LedgerStore {
  /** Adds all of it or nothing. */
  add(rows: readonly UsageRow[]): void;
  requests(day: string, service: string): number;
  /** By hour of the day. */
  hours(day: string, service: string): ReadonlyMap<number, number>;
  days(since: string, until: string): readonly DayUsage[];
  holds(connection: string, identity: string): readonly HoldRow[];
  /** Those in force; of two with the same scope the longer one stays. Removes what ended before `now`. */
  setHolds(rows: readonly HoldRow[], now: number): void;
  /** Holds that were set later than `latest` begin at `now` instead: the clock was set back. */
  restartHolds(latest: number, now: number): void;
  close(): void;
}

const schemaVersion = 1;

/** Without the extension. The version of the schema is part of it. */
export const ledgerName = `ledger-${schemaVersion}`;

/**
 * One row a day, service and quantity: some 70 a day with every service connected. `kind` keeps the numbers of usage and
 * of actions apart.
 */
const schema = {
  /** "PkIl". */
  applicationId: 0x506b496c,
  version: schemaVersion,
  create: `
    CREATE TABLE IF NOT EXISTS usage (
      day TEXT NOT NULL, service TEXT NOT NULL, kind TEXT NOT NULL, id INTEGER NOT NULL, amount INTEGER NOT NULL,
      PRIMARY KEY (day, service, kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS holds (
      connection TEXT NOT NULL, identity TEXT NOT NULL, scope TEXT NOT NULL, until INTEGER NOT NULL,
      at INTEGER NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY (connection, identity, scope)
    ) STRICT, WITHOUT ROWID`,
} as const;

/** @throws errors of SQLite, and `Foreign` for a file of another program */
export function openLedgerStore(path: string, toRead: boolean): LedgerStore {
  return closedOnError(openDatabase(path, { ...schema, toRead }), storeOf);
}

function storeOf(database: DatabaseSync): LedgerStore {
  const adding = database.prepare(`
    INSERT INTO usage (day, service, kind, id, amount) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (day, service, kind, id) DO UPDATE SET amount = amount + excluded.amount`);
  const counting = database.prepare(
    "SELECT amount FROM usage WHERE day = ? AND service = ? AND kind = 'usage' AND id = ?",
  );
  const listing = database.prepare(
    "SELECT day, service, kind, id, amount FROM usage WHERE day BETWEEN ? AND ? AND kind <> 'hour' ORDER BY day, service, kind, id",
  );
  const hourly = database.prepare("SELECT id, amount FROM usage WHERE day = ? AND service = ? AND kind = 'hour'");
  // SQLite counts further than a JavaScript number, and refuses to round.
  for (const it of [counting, listing]) it.setReadBigInts(true);
  const holding = database.prepare(
    'SELECT scope, until, at, reason FROM holds WHERE connection = ? AND identity = ? ORDER BY scope',
  );
  const setting = database.prepare(`
    INSERT INTO holds (connection, identity, scope, until, at, reason) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (connection, identity, scope) DO UPDATE SET until = excluded.until, at = excluded.at,
      reason = excluded.reason
    WHERE excluded.until > until`);
  const removing = database.prepare('DELETE FROM holds WHERE until <= ?');
  const restarting = database.prepare('UPDATE holds SET until = until - at + ?, at = ? WHERE at > ?');

  return {
    add: (rows) =>
      inTransaction(database, () => {
        for (const { day, service, kind, id, amount } of rows) adding.run(day, service, kind, id, amount);
      }),
    requests: (day, service) => Number(counting.get(day, service, usageIds.callCount)?.['amount'] ?? 0),
    hours: (day, service) => new Map(hourly.all(day, service).map(({ id, amount }) => [Number(id), Number(amount)])),
    days: (since, until) => daysOf(listing.all(since, until)),
    holds: (connection, identity) =>
      holding.all(connection, identity).map(({ scope, until, at, reason }) => ({
        connection,
        identity,
        scope: String(scope),
        until: Number(until),
        at: Number(at),
        reason: String(reason),
      })),
    setHolds: (rows, now) =>
      inTransaction(database, () => {
        removing.run(now);
        for (const { connection, identity, scope, until, at, reason } of rows) {
          setting.run(connection, identity, scope, Math.round(until), Math.round(at), reason);
        }
      }),
    restartHolds: (latest, now) => void restarting.run(Math.round(now), Math.round(now), Math.round(latest)),
    close: () => database.close(),
  };
}

/** @param rows in the order of days and services */
function daysOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly DayUsage[] {
  const days: {
    day: string;
    service: string;
    usage: Map<number, bigint>;
    actions: Map<number, bigint>;
    units: bigint;
  }[] = [];
  for (const row of rows) {
    const [day, service] = [String(row['day']), String(row['service'])];
    const last = days.at(-1);
    const entry =
      last?.day === day && last.service === service
        ? last
        : { day, service, usage: new Map<number, bigint>(), actions: new Map<number, bigint>(), units: 0n };
    if (entry !== last) days.push(entry);
    const amount = BigInt(row['amount'] as bigint);
    if (row['kind'] === 'usage') entry.usage.set(Number(row['id']), amount);
    else if (row['kind'] === 'action') entry.actions.set(Number(row['id']), amount);
    else if (row['kind'] === 'units') entry.units += amount;
  }
  return days;
}
