import { type BackOff, backOff, spread } from '../../base/back-off.ts';
import { dueAfter } from '../../base/due.ts';
import type { CallPriority } from '../../model/connection.ts';
import type { Insight } from '../../model/facts.ts';
import type { Clock } from '../../model/ports.ts';
import { createWaiters } from './subscriptions.ts';

/** Something with an identifier that somebody wants now. */
export interface Wish<Wanted> {
  readonly id: string;
  readonly wanted: Wanted;
  /** `asked`: a person waits for it. */
  readonly priority: CallPriority;
}

/** What is known of one identifier. */
export interface KeyedEntry<Value> {
  insight: Insight<Value>;
  /** When it is requested again, in ms since the epoch. */
  due: number;
  /** In a row. */
  failures: number;
  /** What the service wants to see with the next request: an `ETag`. */
  validator?: string;
  /** A budget stopped it in the background. It does not stop what a person waits for. */
  isOverBudget?: true;
}

/** What a request has resulted in. `lifetime` in ms; `reason` is a clause. */
export type Obtained<Value> =
  | { readonly kind: 'facts'; readonly value: Value; readonly lifetime: number; readonly validator?: string }
  | { readonly kind: 'unknown'; readonly lifetime: number }
  /** What is known still holds. */
  | { readonly kind: 'unchanged'; readonly lifetime: number }
  /** `until`: when to try again, in ms since the epoch. */
  | { readonly kind: 'failed'; readonly reason: string; readonly until?: number; readonly isOverBudget?: boolean }
  | { readonly kind: 'aborted' };

export interface KeyedStoreParts<Wanted, Value> {
  readonly clock: Clock;
  /** Sends the request. Never rejects. */
  readonly obtain: (
    wish: Wish<Wanted>,
    entry: Readonly<KeyedEntry<Value>>,
    signal: AbortSignal,
  ) => Promise<Obtained<Value>>;
  readonly retry: BackOff;
  /** From 0 up to 1. Absent where no two clients fail together. */
  readonly random?: () => number;
  /** Nothing waits for longer, in ms: a later due date comes from a clock that was set back. */
  readonly longest: number;
  /** Of those that nobody wants, so many stay. */
  readonly maxEntries: number;
  /** Everything wanted, the most urgent first. */
  readonly wishes: () => Iterable<Wish<Wanted>>;
  /** Whether a request may start beside those under way. */
  readonly hasPlace: (wish: Wish<Wanted>, underWay: ReadonlySet<Wish<Wanted>>) => boolean;
  /** Whether it is requested again when it is due although nobody comes back for it. */
  readonly renews: (wish: Wish<Wanted>, entry: Readonly<KeyedEntry<Value>>) => boolean;
  /** An answer that has outlasted a restart. */
  readonly kept?: (wish: Pick<Wish<Wanted>, 'id' | 'wanted'>) => KeyedEntry<Value> | undefined;
  /** Called with each answer. */
  readonly keep?: (wish: Wish<Wanted>, entry: Readonly<KeyedEntry<Value>>) => void;
  /** Called after each change. */
  readonly changed: () => void;
}

/** The longest wait at a time, in ms: a clock that was set back must not stop it for years. */
const MAX_WAIT = 3_600_000;

/**
 * Known things with a lifetime: what is wanted and due is requested, an answer stays until there is a newer one, and what
 * has failed is requested again, later and later. Requests and readers never wait for each other.
 */
export class KeyedStore<Wanted, Value> {
  readonly #parts: KeyedStoreParts<Wanted, Value>;
  readonly #waiters;
  readonly #entries = new Map<string, KeyedEntry<Value>>();
  readonly #jobs = new Map<KeyedEntry<Value>, { readonly wish: Wish<Wanted>; readonly abort: AbortController }>();
  readonly #underWay = new Set<Wish<Wanted>>();
  #wake: { readonly at: number; readonly cancel: () => void } | undefined;
  #revision = 0;
  #isPumping = false;
  #isClosed = false;

  constructor(parts: KeyedStoreParts<Wanted, Value>) {
    this.#parts = parts;
    this.#waiters = createWaiters(parts.clock);
  }

  /** Grows with each change of what is known. */
  get revision(): number {
    return this.#revision;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** What is known, without a look at what was kept. */
  peek(id: string): Insight<Value> {
    return this.#entries.get(id)?.insight ?? { state: 'pending' };
  }

  /** What is known, or was kept. */
  entry(wish: Pick<Wish<Wanted>, 'id' | 'wanted'>): Readonly<KeyedEntry<Value>> {
    return this.#entryOf(wish);
  }

  /** Requests one thing if it is due. */
  ask(wish: Wish<Wanted>): Readonly<KeyedEntry<Value>> {
    const entry = this.#entryOf(wish);
    this.#startIfDue(wish, entry);
    this.#trim(new Set([wish.id]));
    return entry;
  }

  /** Requests what is wanted and due, in the next turn: all owners have said by then what they want. */
  pump(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    queueMicrotask(() => {
      this.#isPumping = false;
      if (!this.#isClosed) this.#startAllDue();
    });
  }

  /** Ends the requests for which a test holds. */
  abort(test: (wish: Wish<Wanted>) => boolean): void {
    for (const { wish, abort } of this.#jobs.values()) if (test(wish)) abort.abort();
  }

  /** Resolves when a condition holds, after so many ms, or when the signal aborts. */
  whenSettled(isSettled: () => boolean, patience: number, signal?: AbortSignal): Promise<void> {
    return this.#waiters.until(() => this.#isClosed || isSettled(), patience, signal);
  }

  /** To be called, too, when something else has changed that answers depend on. */
  changed(): void {
    if (this.#isClosed) return;
    this.#revision++;
    this.#waiters.check();
    this.#parts.changed();
  }

  /** Everything is requested again when it is wanted. */
  expire(): void {
    for (const it of this.#entries.values()) {
      it.due = 0;
      it.failures = 0;
      if (it.insight.state === 'failed') it.insight = { state: 'pending' };
    }
    this.changed();
    this.pump();
  }

  /** What a budget has stopped is requested again. */
  retryOverBudget(): void {
    for (const it of this.#entries.values()) if (it.isOverBudget) it.due = 0;
  }

  /** Somebody else asks from now on: what is known, or on its way, is not for them. */
  clear(): void {
    this.#entries.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.abort(() => true);
    this.#wake?.cancel();
    this.#waiters.check();
  }

  #entryOf(wish: Pick<Wish<Wanted>, 'id' | 'wanted'>): KeyedEntry<Value> {
    const known = this.#entries.get(wish.id);
    if (known) return known;
    const entry = this.#parts.kept?.(wish) ?? { insight: { state: 'pending' }, due: 0, failures: 0 };
    this.#entries.set(wish.id, entry);
    return entry;
  }

  #startAllDue(): void {
    const wanted = new Set<string>();
    let next = Number.POSITIVE_INFINITY;
    for (const wish of this.#parts.wishes()) {
      wanted.add(wish.id);
      const entry = this.#entryOf(wish);
      const isWaiting = !this.#startIfDue(wish, entry) && !this.#isDue(entry, wish.priority);
      if (isWaiting && this.#parts.renews(wish, entry)) next = Math.min(next, entry.due);
    }
    this.#trim(wanted);
    this.#wakeAt(next);
  }

  #wakeAt(next: number): void {
    if (next === this.#wake?.at) return;
    this.#wake?.cancel();
    this.#wake = undefined;
    if (next === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#parts;
    const cancel = clock.after(Math.min(Math.max(0, next - clock.now()), MAX_WAIT), () => {
      this.#wake = undefined;
      this.pump();
    });
    this.#wake = { at: next, cancel };
  }

  #isDue({ due, isOverBudget }: KeyedEntry<Value>, priority: CallPriority): boolean {
    const now = this.#parts.clock.now();
    return (isOverBudget && priority === 'asked') || due <= now || due > now + this.#parts.longest;
  }

  /** @returns whether it is under way now */
  #startIfDue(wish: Wish<Wanted>, entry: KeyedEntry<Value>): boolean {
    if (this.#jobs.has(entry)) return true;
    if (this.#isClosed || !this.#isDue(entry, wish.priority)) return false;
    if (!this.#parts.hasPlace(wish, this.#underWay)) return false;
    this.#run(wish, entry);
    return true;
  }

  async #run(wish: Wish<Wanted>, entry: KeyedEntry<Value>): Promise<void> {
    const abort = new AbortController();
    this.#jobs.set(entry, { wish, abort });
    this.#underWay.add(wish);
    const former = answerIn(entry);
    if (former) {
      entry.insight = { ...former, refresh: 'pending' };
      this.#revision++;
    } else if (wish.priority === 'asked') entry.insight = { state: 'pending' };
    const obtained = await this.#parts.obtain(wish, entry, abort.signal);
    this.#jobs.delete(entry);
    this.#underWay.delete(wish);
    if (this.#isClosed) return;
    // One that was cleared meanwhile is somebody else's.
    if (this.#entries.get(wish.id) === entry) this.#take(wish, entry, obtained);
    this.changed();
    this.pump();
  }

  #take(wish: Wish<Wanted>, entry: KeyedEntry<Value>, obtained: Obtained<Value>): void {
    const { clock, retry, random, longest, keep } = this.#parts;
    const now = clock.now();
    // A later time would count as one of a wrong clock, and be due at once.
    const latest = now + longest;
    const former = answerIn(entry);
    delete entry.isOverBudget;
    if (obtained.kind === 'aborted') {
      entry.insight = former ?? { state: 'pending' };
      entry.due = 0;
      return;
    }
    if (obtained.kind === 'failed') {
      const { reason, until } = obtained;
      if (obtained.isOverBudget) entry.isOverBudget = true;
      const wait = backOff(++entry.failures, retry);
      entry.due = Math.min(latest, dueAfter(until ?? now + (random ? spread(wait, random) : wait), now));
      entry.insight = former ? { ...former, refresh: { failed: reason } } : { state: 'failed', reason, at: now };
      return;
    }
    entry.failures = 0;
    entry.due = Math.min(latest, now + obtained.lifetime);
    if (obtained.kind === 'unchanged') entry.insight = former ? { ...former, at: now } : { state: 'unknown', at: now };
    else {
      entry.insight =
        obtained.kind === 'facts' ? { state: 'ready', value: obtained.value, at: now } : { state: 'unknown', at: now };
      delete entry.validator;
      if (obtained.kind === 'facts' && obtained.validator !== undefined) entry.validator = obtained.validator;
    }
    keep?.(wish, entry);
  }

  /** Forgets the oldest of what nobody wants. */
  #trim(wanted: ReadonlySet<string>): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= this.#parts.maxEntries) return;
      if (!wanted.has(id) && !this.#jobs.has(entry)) this.#entries.delete(id);
    }
  }
}

/** The last answer of an entry, as it was before a refresh; undefined without one. */
function answerIn<Value>({ insight }: KeyedEntry<Value>) {
  if (insight.state === 'ready') return { state: 'ready', value: insight.value, at: insight.at } as const;
  return insight.state === 'unknown' ? ({ state: 'unknown', at: insight.at } as const) : undefined;
}
