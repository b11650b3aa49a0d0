import type { Wanted } from '../model/ports.ts';

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
