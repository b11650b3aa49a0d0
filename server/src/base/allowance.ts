/** Bytes that some holders together may have. */
export interface Allowance {
  /** Takes some more; false, and nothing is taken, where they are not to be had. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createAllowance(most: number): Allowance {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > most) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
