/** Numbers that are the same for the same seed. */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  return { below, one, is: (chance: number): boolean => next() < chance };
}

export type Random = ReturnType<typeof randomOf>;
