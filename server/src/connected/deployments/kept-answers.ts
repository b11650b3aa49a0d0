import * as l10n from '@vscode/l10n';
import { backOff } from '../../engine/base/back-off.ts';
import { timeOf } from '../../engine/base/dates.ts';
import { dueAfter } from '../../engine/base/due.ts';
import { LruMap } from '../../engine/base/lru-map.ts';
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
  const { clock, store, changed } = parts;
  const closing = new AbortController();
  let entries = new LruMap<string, Entry>(MAX_ENTRIES);
  let caller: string | undefined;

  function entryOf(question: Question<unknown>, now: string): Entry {
    const known = entries.get(question.id);
    if (known) return known;
    const kept = store.get(storeId(now, question.id));
    const value = kept && question.read(kept.value);
    const isFuture = kept !== undefined && kept.at > clock.now();
    const entry: Entry =
      kept && value !== undefined
        ? { value, at: kept.at, due: isFuture ? 0 : kept.freshUntil, failures: 0 }
        : { at: 0, due: 0, failures: 0 };
    entries.set(question.id, entry);
    return entry;
  }

  async function obtain<T>(question: Question<T>, entry: Entry, by: string, priority: CallPriority): Promise<void> {
    entry.isUnderWay = true;
    const result = await question.obtain(priority, closing.signal);
    entry.isUnderWay = false;
    if (result.kind === 'aborted' || closing.signal.aborted) return;
    const now = clock.now();
    delete entry.isOverBudget;
    if (result.kind === 'failed') {
      entry.failures++;
      entry.reason = result.until === undefined ? result.reason : untilText(result.reason, result.until);
      entry.due = dueAfter(result.until ?? now + backOff(entry.failures, typeLifetimes.retry), now);
      if (result.isOverBudget) entry.isOverBudget = true;
    } else {
      entry.value = result.value;
      entry.at = now;
      entry.due = now + typeLifetimes.fresh;
      entry.failures = 0;
      delete entry.reason;
      if (by === parts.caller()) {
        const answer = { value: result.value, at: now, freshUntil: entry.due, bytes: result.bytes };
        store.set([[storeId(by, question.id), answer]]);
      }
    }
    changed();
  }

  return {
    ask<T>(question: Question<T>, priority: CallPriority): Kept<T> {
      const now = parts.caller();
      if (now !== caller) {
        entries = new LruMap(MAX_ENTRIES);
        caller = now;
      }
      if (now === undefined) return { kind: 'pending' };
      const entry = entryOf(question, now);
      const time = clock.now();
      // A later time is from before the clock was set back.
      const isImpossible = entry.due > time + 2 * typeLifetimes.fresh;
      const isDue = entry.due <= time || isImpossible || (entry.isOverBudget === true && priority === 'asked');
      if (isDue && !entry.isUnderWay && !closing.signal.aborted) obtain(question, entry, now, priority);
      if (entry.value !== undefined) {
        const isStale = entry.at + typeLifetimes.fresh <= clock.now();
        return { kind: 'ready', value: entry.value as T, ...(isStale && { staleSince: entry.at }) };
      }
      return entry.reason === undefined ? { kind: 'pending' } : { kind: 'failed', reason: entry.reason };
    },
    expire() {
      for (const [, it] of entries.entries()) it.due = 0;
    },
    close: () => closing.abort(),
  };
}

interface Entry {
  value?: unknown;
  /** When it was obtained, in ms since the epoch. */
  at: number;
  /** When it is to be requested again, in ms since the epoch. */
  due: number;
  /** In a row. */
  failures: number;
  /** Of the last failure. */
  reason?: string;
  isUnderWay?: boolean;
  /** The budget stopped it in the background. It does not stop what a person asks for. */
  isOverBudget?: true;
}

/** Grows with each change of the form of kept answers. */
const FORM = 1;

function storeId(caller: string, question: string): string {
  return `deployments ${FORM} ${caller} ${question}`;
}

function untilText(reason: string, until: number): string {
  return l10n.t('{0}, until {1}', reason, timeOf(until));
}
