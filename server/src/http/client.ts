import { createAllowance } from '../base/allowance.ts';
import { createRoutes } from './connection-pool.ts';
import type { Route } from './connections.ts';
import { authorities } from './connections.ts';
import { untrusted } from './errors.ts';
import { createDecode, exchange, type Outcome, type Received, type Refused } from './exchange.ts';
import { createCaution, type Passable } from './probe.ts';
import { proxyRefusal, wayTo } from './proxy.ts';
import { type HttpClient, type HttpOptions, type HttpRequest, httpLimits } from './types.ts';

/** Makes requests over connections that are kept, some to each host. */
export function createHttp(options: HttpOptions): HttpClient {
  const limits = { ...httpLimits, ...options.limits };
  const routes = createRoutes(options.clock, limits.idle);
  const room = createAllowance(limits.underWayBytes);
  const decode = createDecode(limits);
  let closed = false;
  /** What the machine trusts takes a tenth of a second to be read: only where Node alone does not trust a host. */
  let distrusting = false;
  const caution = createCaution<Received | Refused>();

  function send(way: Passable, request: HttpRequest): Promise<Outcome> {
    const { origin } = request;
    const systemCa = distrusting && options.systemCa?.() === true;
    const id = JSON.stringify([origin, way, systemCa]);
    return routes.over(
      id,
      () => open(origin, way, systemCa),
      (route) => exchange(route, request, options, limits, room),
    );
  }

  /**
   * Hosts end a shared connection after so many requests, or so much time, with all that is under way over it. That
   * says nothing of how they are, so each is sent once more.
   */
  async function sendAgain(way: Passable, request: HttpRequest): Promise<Received | Refused> {
    const first = await send(way, request);
    const second = first.kind === 'lost' && !closed ? await send(way, request) : first;
    return second.kind === 'lost' ? { ...second, kind: 'failure' } : second;
  }

  async function open(origin: string, way: Passable, systemCa: boolean): Promise<Route> {
    const [{ createRoute }, secureContext] = await Promise.all([loadRoutes(), authorities(options.ca, systemCa)]);
    const route = createRoute(origin, way, {
      clock: options.clock,
      limits,
      secureContext,
      letThrough: () => caution.letThrough(way),
    });
    if (closed) await route.close();
    return route;
  }

  async function reach(way: Passable, request: HttpRequest): Promise<Received | Refused> {
    const trustedAll = distrusting;
    let received = await sendAgain(way, request);
    if (closed) return { kind: 'aborted' };
    if (isUntrusted(received) && !trustedAll && options.systemCa?.() === true) {
      distrusting = true;
      received = await sendAgain(way, request);
    }
    const refusal = proxyRefusal(407, way.kind === 'proxy' ? way.authorization : undefined);
    const isRefused = received.kind === 'received' ? received.status === 407 : reasonOf(received) === refusal;
    if (!isRefused) return received;
    if (received.kind === 'received') room.give(received.body.length);
    return { kind: 'failure', reason: refusal, again: false, barred: true };
  }

  return {
    async prepare() {
      await loadRoutes();
    },
    async request(request) {
      if (closed || request.signal?.aborted) return { kind: 'aborted' };
      const { origin } = request;
      const way = wayTo(origin, options.proxies?.() ?? {});
      if (way.kind === 'none') return { kind: 'failure', reason: way.reason, again: false };
      const received = await caution.send(way, () => reach(way, request));
      if (received.kind !== 'received') return received;
      try {
        return await decode(received);
      } finally {
        room.give(received.body.length);
      }
    },
    async close() {
      closed = true;
      await routes.close();
    },
  };
}

function isUntrusted(received: Received | Refused): boolean {
  return reasonOf(received) === untrusted();
}

function reasonOf(received: Received | Refused): string | undefined {
  return received.kind === 'failure' ? received.reason : undefined;
}

/** What makes connections takes more time to load than everything else does together, so it comes when there is time. */
function loadRoutes(): Promise<typeof import('./connections.ts')> {
  return import('./connections.ts');
}
