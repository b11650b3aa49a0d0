import type { Fact } from '../store/store.ts';

/** What metrics count of a mirror. No event names a package. */
export type MirrorEvent =
  /** One request to the upstream service. `outcome`: a status, or why there is none. */
  | { readonly kind: 'upstream'; readonly outcome: string; readonly seconds: number }
  /** One call of the database. */
  | {
      readonly kind: 'store';
      readonly call: 'read' | 'write' | 'affecting';
      readonly ok: boolean;
      /** Why it failed. */
      readonly reason?: string;
      readonly seconds: number;
    }
  /** How one question was answered. */
  | { readonly kind: 'answer'; readonly fact: Fact['kind']; readonly by: AnsweredBy }
  /** A question that another one was already on the way for: in this instance, or in another one. */
  | { readonly kind: 'joined'; readonly where: 'here' | 'elsewhere' };

export type AnsweredBy = 'fresh' | 'stale' | 'upstream' | 'none';
