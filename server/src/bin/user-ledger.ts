import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenLedger, openLedger } from '../connected/ledger/ledger.ts';
import { ledgerName, openLedgerStore } from '../connected/ledger/ledger-store.ts';
import type { DayUsage } from '../connected/ledger/usage.ts';
import { Empty, hasSqlite } from '../engine/storage/database.ts';
import { ledgerDirectory } from '../platform/cache-directory.ts';
import { systemClock } from '../platform/clock.ts';

/**
 * The ledger of this user, which is written before the process ends on its own; undefined if nothing is kept on this
 * machine.
 * @param log told once when nothing can be written
 */
export function openUserLedger(log?: (line: string) => void): OpenLedger | undefined {
  const directory = ledgerDirectory();
  if (directory === undefined) return undefined;
  const opened = openLedger({ directory, clock: systemClock, ...(log && { log }) });
  const { ledger, holds } = opened;
  process.once('exit', ledger.close);
  return {
    holds,
    ledger: {
      ...ledger,
      close() {
        process.off('exit', ledger.close);
        ledger.close();
      },
    },
  };
}

/**
 * Reads the usage between two days, both included, without changing anything.
 * @param path a ledger, or its folder; default: this machine's
 * @throws where it cannot be read
 */
export async function readUsage(path: string | undefined, since: string, until: string): Promise<readonly DayUsage[]> {
  if (!hasSqlite()) throw new Error('this Node has no SQLite');
  const place = path ?? ledgerDirectory();
  if (place === undefined) throw new Error('PACKAGE_INSIGHTS_CACHE_DIR is empty, so nothing is kept');
  const isFolder = path === undefined || statSync(place).isDirectory();
  const file = isFolder ? join(place, `${ledgerName}.sqlite`) : place;
  if (isFolder && !existsSync(file)) return [];
  try {
    const store = openLedgerStore(file, true);
    try {
      return store.days(since, until);
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof Empty) return [];
    throw error;
  }
}
