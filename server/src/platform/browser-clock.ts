import type { Clock } from '../engine/model/ports.ts';

/** In ms, about 25 days: a timer fires at once for a longer time. Source: HTML Standard, “Timers”. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The time of a browser. */
export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMEOUT));
    return () => clearTimeout(timer);
  },
};
