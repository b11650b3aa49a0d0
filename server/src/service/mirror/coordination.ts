/** What instances agree on before they ask the upstream service. Never rejects. */
export interface Coordination {
  /** Whether there are other instances. */
  readonly isShared: boolean;
  /** Whether this instance is the one to ask. Otherwise another one is about to. */
  claim(id: string): Promise<boolean>;
  /** This instance asks no more: the answer is in the store, or there is none. */
  release(id: string): Promise<void>;
  /** Resolves when no instance claims it any more, or after `patience` ms. */
  whenReleased(id: string, patience: number): Promise<void>;
  /** Until when nothing may be asked, in ms since the epoch; 0 without a hold. */
  heldUntil(): Promise<number>;
  hold(until: number): void;
  /** Counts one request. Returns 0, or the time at which the next one is within the budget, in ms since the epoch. */
  spend(): Promise<number>;
}

/**
 * For an instance that works alone. Its circuit breaker keeps the holds.
 * @param budget requests in a minute
 */
export function alone(now: () => number, budget: number = Number.POSITIVE_INFINITY): Coordination {
  let minute = 0;
  let spent = 0;
  return {
    isShared: false,
    claim: async () => true,
    async release() {},
    async whenReleased() {},
    heldUntil: async () => 0,
    hold() {},
    async spend() {
      const current = Math.floor(now() / MINUTE);
      if (current !== minute) [minute, spent] = [current, 0];
      return ++spent > budget ? (current + 1) * MINUTE : 0;
    },
  };
}

/** In ms. Budgets count by whole minutes. */
export const MINUTE = 60_000;
