import type { Clock } from '../engine/model/ports.ts';

/** In ms, about 25 days: Node fires at once for a longer time. Source: Node.js, `setTimeout`. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMEOUT)).unref();
    return () => clearTimeout(timer);
  },
};
