/** A number of bytes that several holders share. */
export interface Allowance {
  /** Takes some bytes. Returns false, and takes none, if fewer are left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createAllowance(maxBytes: number): Allowance {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > maxBytes) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}

/** An allowance of which each of many holders has a share at most. @param maxOfOne in bytes */
export function createShares(maxBytes: number, maxOfOne: number): { of(holder: string): Allowance } {
  const all = createAllowance(maxBytes);
  const held = new Map<string, number>();
  return {
    of: (holder) => ({
      take(bytes) {
        const own = (held.get(holder) ?? 0) + bytes;
        if (own > maxOfOne || !all.take(bytes)) return false;
        held.set(holder, own);
        return true;
      },
      give(bytes) {
        all.give(bytes);
        const own = (held.get(holder) ?? 0) - bytes;
        if (own > 0) held.set(holder, own);
        else held.delete(holder);
      },
    }),
  };
}
