import type { Clock } from '../model/ports.ts';
import type { Route } from './connections.ts';

/** A route while a request uses it. */
export interface OpenRoute extends Route {
  /** Nothing came over it for too long: who comes later goes another way. */
  distrust(): void;
}

/** The routes that are open, by what tells them apart. */
export interface Routes {
  /** Does something over a route, which is opened where there is none to be trusted. */
  over<T>(id: string, open: () => Promise<Route>, use: (route: OpenRoute) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Kept {
  readonly route: Promise<Route>;
  users: number;
  /** When the last of them left, in ms since the epoch. */
  left: number;
}

/**
 * A machine that slept, or went over to another network, holds connections that nobody answers on any more, and over
 * HTTP/2 one that is given up takes no connection with it. So what lay idle is not used again, and neither is what a
 * request waited over in vain; it is closed when the last request has left it.
 * @param idle in ms
 */
export function createRoutes(clock: Clock, idle: number): Routes {
  const trusted = new Map<string, Kept>();
  const all = new Set<Kept>();

  async function close(kept: Kept): Promise<void> {
    all.delete(kept);
    await (await kept.route).close();
  }

  function distrust(id: string, kept: Kept): void {
    if (trusted.get(id) === kept) trusted.delete(id);
    if (kept.users === 0) void close(kept);
  }

  function obtain(id: string, open: () => Promise<Route>): Kept {
    const known = trusted.get(id);
    const isIdle = known?.users === 0 && Math.abs(clock.now() - known.left) > idle;
    if (known && !isIdle) return known;
    if (known) distrust(id, known);
    const kept: Kept = { route: open(), users: 0, left: clock.now() };
    trusted.set(id, kept);
    all.add(kept);
    return kept;
  }

  return {
    async over(id, open, use) {
      const kept = obtain(id, open);
      kept.users++;
      try {
        return await use({ ...(await kept.route), distrust: () => distrust(id, kept) });
      } finally {
        kept.users--;
        kept.left = clock.now();
        if (trusted.get(id) !== kept && kept.users === 0) void close(kept);
      }
    },

    async close() {
      await Promise.all([...all].map(close));
    },
  };
}
