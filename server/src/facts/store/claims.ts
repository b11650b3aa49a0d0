import { wait } from '../../http/retry.ts';
import type { Clock, Wanted } from '../../model/ports.ts';
import type { Entry } from './entry.ts';

/** Those who wait for something to become true. */
export interface Waiting {
  /** Resolves when it is true, `patience` ms have passed, or the signal aborts; never within the same turn. */
  until(isTrue: () => boolean, patience: number, signal?: AbortSignal): Promise<void>;
  /** Something changed: looks whether anybody has waited long enough. */
  check(): void;
}

export function createWaiting(clock: Clock): Waiting {
  const open = new Map<AbortController, () => boolean>();
  let planned = false;

  return {
    async until(isTrue, patience, signal) {
      // Who asks again and again, for something that is true already, must not keep answers from arriving.
      if (isTrue()) return wait(clock, 0, signal);
      const done = new AbortController();
      open.set(done, isTrue);
      await wait(clock, patience, signal ? AbortSignal.any([signal, done.signal]) : done.signal);
      open.delete(done);
    },

    check() {
      if (planned || open.size === 0) return;
      planned = true;
      queueMicrotask(() => {
        planned = false;
        for (const [done, isTrue] of open) if (isTrue()) done.abort();
      });
    },
  };
}

/** Tells claims that say again what their owner said last, word for word. */
export interface Repeated {
  /**
   * Whether it was said a moment ago, and nothing was learnt since; else it is noted as said.
   * @param changes a count of what was learnt
   */
  isRepeated(owner: string, wanted: readonly Wanted[], background: readonly Wanted[], changes: number): boolean;
  /** What was said is to be gone through again. */
  clear(): void;
}

interface Said {
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
  readonly changes: number;
  /** In ms since the epoch. */
  readonly at: number;
}

/** In ms: what is due to be asked for again is asked for that much later at the most. */
const moment = 1000;

/** @param now in ms since the epoch */
export function createRepeated(now: () => number): Repeated {
  const said = new Map<string, Said>();
  return {
    isRepeated(owner, wanted, background, changes) {
      const before = said.get(owner);
      const at = now();
      if (
        before?.changes === changes &&
        Math.abs(at - before.at) < moment &&
        isSame(before.wanted, wanted) &&
        isSame(before.background, background)
      ) {
        return true;
      }
      if (wanted.length + background.length > 0) said.set(owner, { wanted, background, changes, at });
      else said.delete(owner);
      return false;
    },
    clear: () => said.clear(),
  };
}

function isSame(a: readonly Wanted[], b: readonly Wanted[]): boolean {
  return a.length === b.length && a.every((it, at) => it === b[at]);
}

/** Who wants what, and how many want each thing. */
export interface Owners {
  /**
   * Replaces what an owner wants.
   * @returns what nobody wants any more
   */
  set(owner: string, urgent: Set<Entry>, background: ReadonlySet<Entry>): readonly Entry[];
  /** Adds to what an owner wants urgently. */
  add(owner: string, urgent: readonly Entry[]): void;
  urgent(owner: string): ReadonlySet<Entry>;
  /** Whether everything that an owner wants urgently has an answer of some kind. */
  isSettled(owner: string): boolean;
  /** Something that had an answer has none any more. */
  reopen(): void;
  all(): readonly (readonly [owner: string, claim: Claim])[];
}

export interface Claim {
  readonly urgent: ReadonlySet<Entry>;
  /** Without what is urgent. */
  readonly background: ReadonlySet<Entry>;
}

/** The same, which an owner adds to. */
interface Growing extends Claim {
  readonly urgent: Set<Entry>;
  /**
   * Of what is urgent, all that may have no answer yet; absent until somebody waits. It is looked at from its end, where
   * what is answered last stands: of thousands each is passed once, however often somebody looks.
   */
  open?: Entry[];
}

const nothing: Claim = { urgent: new Set(), background: new Set() };

export function createOwners(): Owners {
  const claims = new Map<string, Growing>();

  function count({ urgent, background }: Claim, by: 1 | -1): void {
    for (const entry of urgent) entry.owners += by;
    for (const entry of background) {
      entry.owners += by;
      entry.inBackground += by;
    }
  }

  return {
    set(owner, urgent, background) {
      const before = claims.get(owner) ?? nothing;
      const claim = { urgent, background: new Set([...background].filter((it) => !urgent.has(it))) };
      count(claim, 1);
      count(before, -1);
      if (urgent.size + background.size > 0) claims.set(owner, claim);
      else claims.delete(owner);
      return [...before.urgent, ...before.background].filter((it) => it.owners === 0);
    },
    add(owner, more) {
      const claim: Growing = claims.get(owner) ?? { urgent: new Set(), background: new Set() };
      claims.set(owner, claim);
      for (const entry of more) {
        if (claim.urgent.has(entry) || claim.background.has(entry)) continue;
        claim.urgent.add(entry);
        claim.open?.push(entry);
        entry.owners++;
      }
    },
    urgent: (owner) => claims.get(owner)?.urgent ?? nothing.urgent,
    isSettled(owner) {
      const claim = claims.get(owner);
      if (claim === undefined) return true;
      claim.open ??= [...claim.urgent];
      while (claim.open.length > 0 && claim.open.at(-1)?.insight.state !== 'pending') claim.open.pop();
      return claim.open.length === 0;
    },
    reopen() {
      for (const claim of claims.values()) delete claim.open;
    },
    all: () => [...claims],
  };
}
