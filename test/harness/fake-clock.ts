import type { Clock } from '../../server/src/engine/model/ports.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves on, and calls back what falls due on the way, each at its time. */
  advance(ms: number): Promise<void>;
  /** Lets the real world run until something is due in exactly so many ms, then moves on to it. */
  pass(ms: number): Promise<void>;
  /** How far away what is due next is, in ms. */
  next(): number | undefined;
}

/** What is due at once (`after(0)`) runs by itself at the next turn of the real loop; everything else waits for `advance`. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let time = start;
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();

  function nearest() {
    let first: { readonly at: number; readonly call: () => void } | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }

  async function advance(ms: number): Promise<void> {
    // What has just begun may still be on its way to setting its timer.
    await turns();
    const end = time + ms;
    for (let timer = nearest(); timer && timer.at <= end; timer = nearest()) {
      time = Math.max(time, timer.at);
      timers.delete(timer);
      timer.call();
      await turns();
    }
    time = end;
    await turns();
  }

  return {
    now: () => time,
    after(ms, call) {
      const timer = { at: time + ms, call };
      timers.add(timer);
      if (ms <= 0) {
        setImmediate(() => {
          if (timers.delete(timer)) call();
        });
      }
      return () => timers.delete(timer);
    },
    advance,
    async pass(ms) {
      while (![...timers].some((it) => it.at === time + ms)) await turns();
      await advance(ms);
    },
    next: () => {
      const timer = nearest();
      return timer && timer.at - time;
    },
  };
}

/** Lets promises and what is due at once run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
