import type { Charge, Holds, KeptCharge, Ledger, LedgerName } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import { openSharedFile, type SharedFile } from '../../engine/storage/shared-file.ts';
import { createHolds } from './holds.ts';
import { type LedgerStore, ledgerName, openLedgerStore, type UsageRow } from './ledger-store.ts';
import { type Amount, amountsOf, dayIn, keptAmountsOf, usageIds } from './usage.ts';

export interface LedgerOptions {
  /** Created with the first charge. */
  readonly directory: string;
  readonly clock: Clock;
  /** Called when the file was set aside, or cannot be written. */
  readonly log?: (line: string) => void;
}

/** The ledger and the holds of this user, in a file that all processes share. */
export interface OpenLedger {
  readonly ledger: Ledger;
  readonly holds: Holds;
}

export const ledgerLimits = {
  /** How long charges are collected before they are written, in ms: a process that is killed loses no more. */
  flush: 1_000,
  /** How long the counts of other processes are not read again, in ms. */
  reread: 1_000,
  /** Attempts to write to a locked file when the process ends. Each waits as long as the file is busy, up to 0.1 s. */
  lastAttempts: 30,
} as const;

/**
 * Nothing is opened before the first charge, question or hold. Without SQLite, or where the file cannot be written, this
 * process counts for itself.
 */
export function openLedger({ directory, clock, log }: LedgerOptions): OpenLedger {
  const file = openSharedFile({
    directory,
    name: ledgerName,
    clock,
    open: openLedgerStore,
    onTrouble: (trouble, error) =>
      log?.(
        trouble === 'renamed'
          ? `the file of usage could not be read and was set aside: ${String(error)}`
          : `usage is counted for this session only: ${String(error)}`,
      ),
  });
  if (file.state === 'off') log?.('usage is counted for this session only: this Node has no SQLite');
  return { ledger: createLedger(file, clock), holds: createHolds(file, clock) };
}

function createLedger(file: SharedFile<LedgerStore>, clock: Clock): Ledger {
  const unwritten = new Map<string, UsageRow>();
  /** The counts of the file, of one day a service. `readAt` in ms since the epoch. */
  const written = new Map<string, { readonly day: string; readonly readAt: number; readonly requests: number }>();
  let cancelFlush: (() => void) | undefined;

  function add(service: LedgerName, at: number, amounts: readonly Amount[]): void {
    const day = dayIn(at, clock.now());
    for (const it of amounts) {
      const id = rowId(day, service, it);
      unwritten.set(id, { ...it, day, service, amount: it.amount + (unwritten.get(id)?.amount ?? 0) });
    }
    plan();
  }

  function plan(): void {
    if (file.state !== 'on') return;
    cancelFlush ??= clock.after(ledgerLimits.flush, () => {
      cancelFlush = undefined;
      flush();
      if (unwritten.size > 0) plan();
    });
  }

  /** @param isUrgent a locked file is not left alone */
  function flush(isUrgent = false): void {
    if (file.state !== 'on' || unwritten.size === 0) return;
    const rows = [...unwritten.values()];
    if (!file.use((store) => store.add(rows), isUrgent)) return;
    unwritten.clear();
    for (const { day, service, kind, id, amount } of rows) {
      const known = written.get(service);
      if (kind !== 'usage' || id !== usageIds.callCount || known?.day !== day) continue;
      written.set(service, { ...known, requests: known.requests + amount });
    }
  }

  function writtenOn(service: LedgerName, day: string, isExact: boolean): number {
    const now = clock.now();
    const last = written.get(service);
    const known = last?.day === day ? last : undefined;
    if (known && !isExact && Math.abs(now - known.readAt) < ledgerLimits.reread) return known.requests;
    const found = file.read((store) => store.requests(day, service));
    const requests = found?.done ?? known?.requests ?? 0;
    written.set(service, { day, readAt: now, requests });
    return requests;
  }

  return {
    charge: (charge: Charge) => add(charge.service, charge.at, amountsOf(charge, clock.now())),
    chargeKept: (charge: KeptCharge) => add(charge.service, charge.at, keptAmountsOf(charge)),
    requestsOn(service, at, isExact = false) {
      const day = dayIn(at, clock.now());
      if (isExact) flush();
      const own = unwritten.get(rowId(day, service, { kind: 'usage', id: usageIds.callCount }))?.amount ?? 0;
      return writtenOn(service, day, isExact) + own;
    },
    requestsByHour(service, at) {
      const day = dayIn(at, clock.now());
      const hours = new Map(file.read((store) => store.hours(day, service))?.done);
      for (const it of unwritten.values()) {
        if (it.kind === 'hour' && it.day === day && it.service === service)
          hours.set(it.id, (hours.get(it.id) ?? 0) + it.amount);
      }
      return hours;
    },
    close() {
      cancelFlush?.();
      cancelFlush = undefined;
      for (let attempt = 0; attempt < ledgerLimits.lastAttempts && unwritten.size > 0; attempt++) flush(true);
      file.close();
    },
  };
}

function rowId(day: string, service: string, { kind, id }: Pick<Amount, 'kind' | 'id'>): string {
  return `${day} ${service} ${kind} ${id}`;
}
