import type { Insight } from '../../server/src/engine/model/facts.ts';
import type { Insights } from '../../server/src/engine/model/ports.ts';

export const pending: Insight<never> = { state: 'pending' };

/** Insights without facts or requests, except for the methods that a test gives. */
export function knowingNothing(but: Partial<Insights> = {}): Insights {
  return {
    version: () => pending,
    package: () => pending,
    advisory: () => pending,
    requirements: () => pending,
    request: () => {},
    requestAlso: () => {},
    release: () => {},
    whenSettled: async () => {},
    onDidChange: () => () => {},
    revision: () => 0,
    expire: () => {},
    ...but,
  };
}
