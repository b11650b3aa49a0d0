import type { Clock } from '../model/ports.ts';
import type { Route } from './connections.ts';

/** A route in use by a request. */
export interface OpenRoute extends Route {
  /** A deadline has passed without data: later requests take another route. */
  distrust(): void;
}

/** The open routes by id. */
export interface Routes {
  /** Uses a trusted route, which is opened if there is none. */
  over<T>(id: string, open: () => Promise<Route>, use: (route: OpenRoute) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Kept {
  readonly route: Promise<OpenRoute>;
  users: number;
  /** When the last use ended, in ms since the epoch. */
  left: number;
}

/**
 * After sleep or a change of the network, connections have no other end any more, and an aborted HTTP/2 request does not
 * close its connection. So a route is not used again after it was idle for long, or after a request waited in vain. It
 * is closed at the end of its last request.
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
    const route = open().then((it) => ({ ...it, distrust: () => distrust(id, kept) }));
    const kept: Kept = { route, users: 0, left: clock.now() };
    trusted.set(id, kept);
    all.add(kept);
    return kept;
  }

  return {
    async over(id, open, use) {
      const kept = obtain(id, open);
      kept.users++;
      try {
        return await use(await kept.route);
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
