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
