import type { Http } from '../../engine/http/types.ts';
import type { Charge, KeptCharge, Ledger, LedgerName } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';

/** Charges each request when it ends. */
export function chargedHttp(http: Http, service: LedgerName, clock: Clock, ledger: Pick<Ledger, 'charge'>): Http {
  return {
    ...http,
    request: (request) =>
      http.request({
        ...request,
        onEnd(traffic) {
          const isSecure = request.origin.startsWith('https:');
          ledger.charge({ service, at: clock.now(), isSecure, units: 1, ...traffic });
          request.onEnd?.(traffic);
        },
      }),
  };
}

/** A ledger that is loaded after the first charges. */
export interface LateLedger extends Pick<Ledger, 'charge' | 'chargeKept'> {
  /** Passes on what was charged so far, and everything from now on. */
  opened(ledger: Ledger): void;
}

/** Charges that wait for the ledger, which takes less than a second to load. */
const MAX_WAITING = 10_000;

/** @param isCounting without it charges are dropped: nothing is connected */
export function createLateLedger(isCounting: () => boolean): LateLedger {
  let ledger: Ledger | undefined;
  const waiting: ((ledger: Ledger) => void)[] = [];

  function pass(charge: (ledger: Ledger) => void): void {
    if (!isCounting()) return;
    if (ledger !== undefined) charge(ledger);
    else if (waiting.length < MAX_WAITING) waiting.push(charge);
  }

  return {
    charge: (charge: Charge) => pass((it) => it.charge(charge)),
    chargeKept: (charge: KeptCharge) => pass((it) => it.chargeKept(charge)),
    opened(given) {
      ledger = given;
      for (const it of waiting.splice(0)) it(given);
    },
  };
}
