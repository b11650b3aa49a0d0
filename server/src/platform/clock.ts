import type { Clock } from '../model/ports.ts';

/** In ms, some 25 days: Node takes a longer time for none at all. */
const longest = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, longest)).unref();
    return () => clearTimeout(timer);
  },
};
