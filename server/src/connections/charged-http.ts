import type { Http } from '../http/types.ts';
import type { Ledger, LedgerName } from '../model/connection.ts';
import type { Clock } from '../model/ports.ts';

/**
 * Charges each request when it ends.
 * @param ledger undefined until something is counted
 */
export function chargedHttp(http: Http, service: LedgerName, clock: Clock, ledger: () => Ledger | undefined): Http {
  return {
    ...http,
    request(request) {
      if (ledger() === undefined) return http.request(request);
      const isSecure = request.origin.startsWith('https:');
      return http.request({
        ...request,
        onEnd(traffic) {
          ledger()?.charge({ service, at: clock.now(), isSecure, units: 1, ...traffic });
          request.onEnd?.(traffic);
        },
      });
    },
  };
}
