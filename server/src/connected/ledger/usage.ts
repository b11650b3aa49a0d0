import { isoDay } from '../../engine/base/dates.ts';
import type { Charge, KeptCharge } from '../../engine/model/connection.ts';

/** The quantities that are counted here, by their numbers in `QuotaUsage.Id`. */
export const usageIds = {
  httpRequests: 1,
  latencyMs: 5,
  callCount: 8,
  bytesSent: 13,
  bytesReceived: 14,
  keptCallCount: 45,
  keptBytesSent: 46,
  keptBytesReceived: 47,
  httpsRequests: 67,
} as const;

/** Their numbers in `QuotaAction.Id`, which has nothing to do with `QuotaUsage.Id`. */
export const actionIds = { fetch: 15, fetchDone: 16 } as const;

/**
 * `units`: those of the service itself, which have no number in the contract. Their `id` is 0. `hour`: the requests of an
 * hour of the day, which is their `id`.
 */
export type AmountKind = 'usage' | 'action' | 'units' | 'hour';

/** One counted quantity. */
export interface Amount {
  readonly kind: AmountKind;
  readonly id: number;
  readonly amount: number;
}

/** Everything that one service used on one day. */
export interface DayUsage {
  /** In UTC: `2026-11-23`. */
  readonly day: string;
  /** A `LedgerName`, or a name from a file. */
  readonly service: string;
  /** By number in `QuotaUsage.Id`. */
  readonly usage: ReadonlyMap<number, bigint>;
  /** By number in `QuotaAction.Id`. */
  readonly actions: ReadonlyMap<number, bigint>;
  /** In units of the service. */
  readonly units: bigint;
}

/**
 * What a request is charged when it ends.
 * @param now replaces an impossible time
 */
export function amountsOf({ at, isSecure, sent, received, latency, units }: Charge, now: number): readonly Amount[] {
  return counted([
    ['hour', hourIn(at, now), 1],
    ['usage', usageIds.callCount, 1],
    ['usage', isSecure ? usageIds.httpsRequests : usageIds.httpRequests, 1],
    ['usage', usageIds.bytesSent, sent],
    ['usage', usageIds.bytesReceived, received],
    ['usage', usageIds.latencyMs, latency],
    ['action', actionIds.fetch, 1],
    ['action', actionIds.fetchDone, 1],
    ['units', 0, units],
  ]);
}

export function keptAmountsOf({ sent = 0, received }: KeptCharge): readonly Amount[] {
  return counted([
    ['usage', usageIds.keptCallCount, 1],
    ['usage', usageIds.keptBytesSent, sent],
    ['usage', usageIds.keptBytesReceived, received],
  ]);
}

/** Whole amounts above zero. */
function counted(rows: readonly (readonly [kind: AmountKind, id: number, amount: number])[]): readonly Amount[] {
  return rows
    .map(([kind, id, amount]) => ({ kind, id, amount: Number.isFinite(amount) ? Math.round(amount) : 0 }))
    .filter((it) => it.amount > 0);
}

/** In ms since the epoch. Later years have five digits and another form. */
const LAST_TIME = Date.UTC(10_000, 0) - 1;

/**
 * The day (UTC) of a time.
 * @param at in ms since the epoch; `now` replaces an impossible one
 */
export function dayIn(at: number, now: number): string {
  return isoDay(possible(at, now));
}

const HOUR = 3_600_000;

function hourIn(at: number, now: number): number {
  return Math.floor(possible(at, now) / HOUR) % 24;
}

function possible(at: number, now: number): number {
  return at >= 0 && at <= LAST_TIME ? at : now;
}
