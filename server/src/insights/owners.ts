import type { Entry } from './entry.ts';

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
