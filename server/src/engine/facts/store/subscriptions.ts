import { wait } from '../../http/retry.ts';
import type { Clock } from '../../model/ports.ts';
import type { Entry } from './entry.ts';

/** The facts that each owner wants, and how many owners want each fact. */
export interface Subscriptions {
  /**
   * Replaces the subscription of an owner.
   * @returns the entries without any owner left
   */
  set(owner: string, urgent: Set<Entry>, background: ReadonlySet<Entry>): readonly Entry[];
  /** Adds urgent entries to the subscription of an owner. */
  add(owner: string, urgent: readonly Entry[]): void;
  of(owner: string): Subscription;
  /** Whether no urgent entry of an owner is pending. */
  isSettled(owner: string): boolean;
  /** To be called when settled entries become pending again. */
  reopen(): void;
  all(): readonly (readonly [owner: string, subscription: Subscription])[];
}

export interface Subscription {
  readonly urgent: ReadonlySet<Entry>;
  /** Without the urgent ones. */
  readonly background: ReadonlySet<Entry>;
}

interface MutableSubscription extends Subscription {
  readonly urgent: Set<Entry>;
  /**
   * The urgent entries that may be pending; absent until `isSettled` is called. The check goes from the end, which is
   * answered last, so thousands of entries are passed only once.
   */
  open?: Entry[];
}

const nothing: Subscription = { urgent: new Set(), background: new Set() };

export function createSubscriptions(): Subscriptions {
  const all = new Map<string, MutableSubscription>();

  function count({ urgent, background }: Subscription, by: 1 | -1): void {
    for (const entry of urgent) entry.subscribers += by;
    for (const entry of background) {
      entry.subscribers += by;
      entry.inBackground += by;
    }
  }

  return {
    set(owner, urgent, background) {
      const before = all.get(owner) ?? nothing;
      const subscription = { urgent, background: new Set([...background].filter((it) => !urgent.has(it))) };
      count(subscription, 1);
      count(before, -1);
      if (urgent.size + background.size > 0) all.set(owner, subscription);
      else all.delete(owner);
      return [...before.urgent, ...before.background].filter((it) => it.subscribers === 0);
    },
    add(owner, more) {
      const subscription: MutableSubscription = all.get(owner) ?? { urgent: new Set(), background: new Set() };
      all.set(owner, subscription);
      for (const entry of more) {
        if (subscription.urgent.has(entry) || subscription.background.has(entry)) continue;
        subscription.urgent.add(entry);
        subscription.open?.push(entry);
        entry.subscribers++;
      }
    },
    of: (owner) => all.get(owner) ?? nothing,
    isSettled(owner) {
      const subscription = all.get(owner);
      if (subscription === undefined) return true;
      subscription.open ??= [...subscription.urgent];
      const { open } = subscription;
      while (open.length > 0 && open.at(-1)?.insight.state !== 'pending') open.pop();
      return open.length === 0;
    },
    reopen() {
      for (const subscription of all.values()) delete subscription.open;
    },
    all: () => [...all],
  };
}

/** Callers that wait for a condition. */
export interface Waiters {
  /** Resolves when the condition holds, `patience` ms have passed, or the signal aborts; never within the same turn. */
  until(condition: () => boolean, patience: number, signal?: AbortSignal): Promise<void>;
  /** To be called after each change: evaluates the conditions. */
  check(): void;
}

export function createWaiters(clock: Clock): Waiters {
  const open = new Map<AbortController, () => boolean>();
  let planned = false;

  return {
    async until(condition, patience, signal) {
      // A caller in a loop must not keep responses from arriving. It is over before the signal could matter, and a
      // thousand callers that wait on one signal are no leak that Node should warn of.
      if (condition()) return wait(clock, 0);
      const done = new AbortController();
      open.set(done, condition);
      await wait(clock, patience, signal ? AbortSignal.any([signal, done.signal]) : done.signal);
      open.delete(done);
    },

    check() {
      if (planned || open.size === 0) return;
      planned = true;
      queueMicrotask(() => {
        planned = false;
        for (const [done, condition] of open) if (condition()) done.abort();
      });
    },
  };
}
