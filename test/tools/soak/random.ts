/** Numbers that look random and are the same for the same seed: mulberry32. */
export interface Random {
  /** From 0 up to a bound, whole. */
  below(bound: number): number;
  /** Whether something of a probability happens. */
  chance(probability: number): boolean;
  of<T>(all: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
    of<T>(all: readonly T[]): T {
      const found = all[Math.floor(next() * all.length)];
      if (found === undefined) throw new Error('nothing to choose from');
      return found;
    },
  };
}
