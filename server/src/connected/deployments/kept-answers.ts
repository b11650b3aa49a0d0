import * as l10n from '@vscode/l10n';
import { timeOf } from '../../engine/base/dates.ts';
import { KeyedStore } from '../../engine/facts/store/keyed-store.ts';
import type { AnswerStore } from '../../engine/model/answers/answer-store.ts';
import type { CallPriority } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';

/** An answer to one question, as it is known now. */
export type Kept<T> =
  /** `staleSince`: when the service gave it, in ms since the epoch, if it is to be requested again and was not so far. */
  | { readonly kind: 'ready'; readonly value: T; readonly staleSince?: number }
  | { readonly kind: 'pending' }
  /** `reason` is a clause. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The result of a request. */
export type Obtained<T> =
  | { readonly kind: 'value'; readonly value: T; readonly bytes: number }
  /** `until`: when to try again, in ms since the epoch. */
  | { readonly kind: 'failed'; readonly reason: string; readonly until?: number; readonly isOverBudget?: boolean }
  | { readonly kind: 'aborted' };

/** What is asked. */
export interface Question<T> {
  /** Unique among the questions to one service: `types demo`. */
  readonly id: string;
  readonly obtain: (priority: CallPriority, signal: AbortSignal) => Promise<Obtained<T>>;
  /** Reads a value of the store; undefined for one of another form. */
  readonly read: (value: unknown) => T | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const typeLifetimes = {
  /** A service seldom changes its types. In ms. */
  fresh: 24 * HOUR,
  /** A failed request is sent again after this, then after twice as long, and so on. In ms. */
  retry: { first: MINUTE, longest: HOUR },
} as const;

/** Questions of one person: lists of a project, and the types of some providers. */
const MAX_ENTRIES = 500;

/** Answers that are asked for once and kept over restarts. A later failure does not remove what is known. */
export interface KeptAnswers {
  /** Never waits. Requests what is missing or stale, and calls the listener when it is there. */
  ask<T>(question: Question<T>, priority: CallPriority): Kept<T>;
  /** Requests everything again when it is asked for next. */
  expire(): void;
  close(): void;
}

/**
 * @param caller changes with the address or the credential: an answer to one is not shown for another. Undefined while it
 * is not known
 */
export function createKeptAnswers(parts: {
  readonly clock: Clock;
  readonly store: AnswerStore;
  readonly caller: () => string | undefined;
  readonly changed: () => void;
}): KeptAnswers {
  const { clock, changed } = parts;
  let caller: string | undefined;
  const store = new KeyedStore<Question<unknown>, unknown>({
    clock,
    retry: typeLifetimes.retry,
    longest: 2 * typeLifetimes.fresh,
    maxEntries: MAX_ENTRIES,
    wishes: () => [],
    hasPlace: () => true,
    renews: () => false,
    async obtain({ wanted, priority }, _, signal) {
      const by = caller;
      const result = await wanted.obtain(priority, signal);
      if (result.kind === 'value') {
        const { value, bytes } = result;
        const now = clock.now();
        if (by !== undefined && by === parts.caller())
          parts.store.set([[storeId(by, wanted.id), { value, at: now, freshUntil: now + typeLifetimes.fresh, bytes }]]);
        return { kind: 'facts', value, lifetime: typeLifetimes.fresh };
      }
      if (result.kind === 'aborted' || result.until === undefined) return result;
      return { ...result, reason: untilText(result.reason, result.until) };
    },
    kept({ wanted }) {
      const kept = caller === undefined ? undefined : parts.store.get(storeId(caller, wanted.id));
      const value = kept && wanted.read(kept.value);
      if (kept === undefined || value === undefined) return undefined;
      const { at, freshUntil } = kept;
      return { insight: { state: 'ready', value, at }, due: at > clock.now() ? 0 : freshUntil, failures: 0 };
    },
    changed,
  });

  return {
    ask<T>(question: Question<T>, priority: CallPriority): Kept<T> {
      const now = parts.caller();
      if (now !== caller) store.clear();
      caller = now;
      if (now === undefined) return { kind: 'pending' };
      const { insight } = store.ask({ id: question.id, wanted: question, priority });
      switch (insight.state) {
        case 'ready': {
          const isStale = insight.at + typeLifetimes.fresh <= clock.now();
          return { kind: 'ready', value: insight.value as T, ...(isStale && { staleSince: insight.at }) };
        }
        case 'failed':
          return { kind: 'failed', reason: insight.reason };
        default:
          return { kind: 'pending' };
      }
    },
    expire: () => store.expire(),
    close: () => store.close(),
  };
}

/** Grows with each change of the form of kept answers. */
const FORM = 1;

function storeId(caller: string, question: string): string {
  return `deployments ${FORM} ${caller} ${question}`;
}

function untilText(reason: string, until: number): string {
  return l10n.t('{0}, until {1}', reason, timeOf(until));
}
