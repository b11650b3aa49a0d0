import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, SERVICE_BUSY_TIMEOUT } from '../../engine/storage/database.ts';
import { type KeptCall, matches, type ServedCalls } from './service.ts';

/** Calls that are kept; the oldest go where there are more. */
const MAX_CALLS = 100_000;

/** Calls of this run. */
export function createServedCalls(): ServedCalls {
  let calls: KeptCall[] = [];
  let next = 1;
  return {
    add(call) {
      calls.push({ ...call, id: next++ });
      // Not with each call: it copies all of them.
      if (calls.length > MAX_CALLS * 1.1) calls = calls.slice(-MAX_CALLS);
    },
    list({ since = -Infinity, until = Infinity, before = Infinity, count, filters }) {
      const found: KeptCall[] = [];
      for (let at = calls.length - 1; at >= 0 && found.length < count; at--) {
        const call = calls[at];
        const isWanted = call && call.id < before && call.at >= since && call.at <= until;
        if (isWanted && matches(call, filters)) found.push(call);
      }
      return found;
    },
    close() {},
  };
}

/** "PkAu". */
const applicationId = 0x506b4175;

const create = `
  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, api TEXT NOT NULL, method TEXT NOT NULL,
    bytes INTEGER NOT NULL, client TEXT NOT NULL, address TEXT NOT NULL
  ) STRICT`;

/**
 * Calls of this and former runs, in a file.
 * @throws errors of SQLite, and `Foreign` for a file of another program
 */
export function openServedCalls(path: string): ServedCalls {
  const database: DatabaseSync = openDatabase(path, {
    ...{ applicationId, version: 1, create },
    busyTimeout: SERVICE_BUSY_TIMEOUT,
  });
  const adding = database.prepare(
    'INSERT INTO calls (at, api, method, bytes, client, address) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const evicting = database.prepare('DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?');
  const listing = database.prepare('SELECT * FROM calls WHERE id < ? AND at BETWEEN ? AND ? ORDER BY id DESC');
  evicting.run(MAX_CALLS);
  return {
    add({ at, api, method, responseBytes, client, address }) {
      adding.run(Math.round(at), api, method, responseBytes, client, address);
    },
    list({ since = 0, until = Number.MAX_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER, count, filters }) {
      const found: KeptCall[] = [];
      for (const row of listing.iterate(before, since, until)) {
        const call: KeptCall = {
          id: Number(row['id']),
          at: Number(row['at']),
          api: String(row['api']),
          method: String(row['method']),
          responseBytes: Number(row['bytes']),
          client: String(row['client']),
          address: String(row['address']),
        };
        if (matches(call, filters)) found.push(call);
        if (found.length === count) break;
      }
      return found;
    },
    close: () => database.close(),
  };
}
