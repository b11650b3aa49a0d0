import * as l10n from '@vscode/l10n';
import { backOff } from '../../engine/base/back-off.ts';
import type { Holds } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { Method } from './protocol.ts';

/** Source: documentation of the lookup service, "Request Frequency". In ms. */
const FIRST_BACKOFF = 15 * 60_000;
const MAX_WAIT = 24 * 3_600_000;

/** When each method may be called again. It outlasts a restart and applies to every window. */
export interface Waits {
  /** In ms since the epoch; undefined if the method may be called now. */
  until(identity: string, method: Method): number | undefined;
  /** @param minimumWait that the service requires, in ms */
  succeeded(identity: string, method: Method, minimumWait?: number): void;
  /** Waits min(2^(N−1) · 15 min · (1 + random), 24 h) after the Nth failure in a row. */
  failed(identity: string, method: Method, minimumWait?: number): void;
}

export function createWaits({
  holds,
  clock,
  random,
}: {
  readonly holds: Holds;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}): Waits {
  const failures = new Map<Method, number>();

  function hold(identity: string, method: Method, ms: number, reason: string): void {
    if (ms > 0) holds.set('link-safety', identity, { scope: method, until: clock.now() + ms, reason });
  }

  return {
    until(identity, method) {
      const now = clock.now();
      const ends = holds
        .inForce('link-safety', identity)
        .filter((it) => it.scope === method || it.scope === '*')
        // A longer one was set before the clock was set back.
        .flatMap(({ until }) => (until > now && until <= now + MAX_WAIT ? [until] : []));
      return ends.length > 0 ? Math.max(...ends) : undefined;
    },
    succeeded(identity, method, minimumWait = 0) {
      failures.delete(method);
      hold(identity, method, Math.min(minimumWait, MAX_WAIT), l10n.t('the service requested a wait'));
    },
    failed(identity, method, minimumWait = 0) {
      const count = (failures.get(method) ?? 0) + 1;
      failures.set(method, count);
      const backoff = backOff(count, { first: FIRST_BACKOFF * (1 + random()), longest: MAX_WAIT });
      const reason = l10n.t('the last request failed');
      hold(identity, method, Math.min(Math.max(backoff, minimumWait), MAX_WAIT), reason);
    },
  };
}
