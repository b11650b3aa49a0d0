import type { Insight } from '../../server/src/model/facts.ts';
import type { Insights } from '../../server/src/model/ports.ts';

export const pending: Insight<never> = { state: 'pending' };

/** Insights of which nothing is known, and which ask nobody, but for what a test has to say of them. */
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
