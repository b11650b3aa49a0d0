import type {
  Charge,
  ConnectionName,
  Hold,
  Holds,
  KeptCharge,
  Ledger,
  LedgerName,
} from '../../engine/model/connection.ts';

const DAY = 24 * 3_600_000;

/** Counts for this process alone, where nothing can be kept on disk: requests, since nothing else is asked for. */
export function createMemoryLedger(): Ledger {
  const requests = new Map<string, number>();
  const dayOf = (service: LedgerName, at: number): string => `${service} ${Math.floor(at / DAY)}`;
  return {
    charge({ service, at }: Charge) {
      const day = dayOf(service, at);
      requests.set(day, (requests.get(day) ?? 0) + 1);
    },
    chargeKept(_: KeptCharge) {},
    requestsByHour: () => new Map(),
    requestsOn: (service, at) => requests.get(dayOf(service, at)) ?? 0,
    close() {},
  };
}

/** Holds of this process alone. */
export function createMemoryHolds(): Holds {
  const all = new Map<string, Hold>();
  const prefixOf = (connection: ConnectionName, identity: string): string => `${connection} ${identity} `;
  return {
    inForce(connection, identity) {
      const prefix = prefixOf(connection, identity);
      return [...all].flatMap(([id, hold]) => (id.startsWith(prefix) ? [hold] : []));
    },
    set(connection, identity, hold) {
      const id = `${prefixOf(connection, identity)}${hold.scope}`;
      const before = all.get(id);
      // No hold lasts longer than a day, so one that ends so much later was set before the clock was set back.
      if (!before || before.until < hold.until || before.until > hold.until + DAY) all.set(id, hold);
    },
  };
}
