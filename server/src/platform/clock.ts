import type { Clock } from '../model/ports.ts';

/** In ms, some 25 days: Node takes a longer time for none at all. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMEOUT)).unref();
    return () => clearTimeout(timer);
  },
};
