import { createAllowance } from '../base/allowance.ts';
import { authorities } from './authorities.ts';
import { createRoutes } from './connection-pool.ts';
import type { Route } from './connections.ts';
import { innerAddress, untrusted } from './errors.ts';
import { createDecode, type ExchangeResult, exchange, type Received } from './exchange.ts';
import type { Proxies } from './proxies.ts';
import {
  createProxyAuthProbe,
  decideProxy,
  type ProxyDecision,
  proxyRefusal,
  type UsableProxyDecision,
} from './proxy.ts';
import { type HttpClient, type HttpOptions, type HttpRequest, httpLimits, type Refused } from './types.ts';

/** Sends requests over persistent connections. */
export function createHttp(options: HttpOptions): HttpClient {
  const limits = { ...httpLimits, ...options.limits };
  const routes = createRoutes(options.clock, limits.idle);
  const room = createAllowance(limits.underWayBytes);
  const decode = createDecode(limits);
  let closed = false;
  /** The authorities of the machine take 0.1 s to read, so they are read only after Node alone does not trust a host. */
  let needsSystemCa = false;
  const authProbe = createProxyAuthProbe<Received | Refused>();
  /** The last decision: most requests go to one host, and the proxies are the same until a setting changes. */
  let last: { readonly origin: string; readonly proxies: Proxies; readonly decision: ProxyDecision } | undefined;

  function decide(origin: string): ProxyDecision {
    const proxies = options.proxies?.() ?? noProxies;
    if (last?.origin !== origin || last.proxies !== proxies)
      last = { origin, proxies, decision: decideProxy(origin, proxies) };
    return last.decision;
  }

  function send(decision: UsableProxyDecision, request: HttpRequest): Promise<ExchangeResult> {
    const { origin, refusesInner = false } = request;
    const systemCa = needsSystemCa && options.systemCa?.() === true;
    const id = JSON.stringify([origin, decision, systemCa, refusesInner]);
    return routes.over(
      id,
      () => open(origin, decision, systemCa, refusesInner),
      (route) => exchange(route, request, options, limits, room),
    );
  }

  /**
   * Hosts close a shared connection by age or count, with all its running requests. This is no fault, so each request is
   * sent once more.
   */
  async function sendAgain(decision: UsableProxyDecision, request: HttpRequest): Promise<Received | Refused> {
    const first = await send(decision, request);
    const isSentAgain = first.kind === 'lost' && !closed && request.changesState !== true;
    const second = isSentAgain ? await send(decision, request) : first;
    return second.kind === 'lost' ? { ...second, kind: 'failure' } : second;
  }

  async function open(
    origin: string,
    decision: UsableProxyDecision,
    systemCa: boolean,
    refusesInner: boolean,
  ): Promise<Route> {
    const [{ createRoute }, secureContext] = await Promise.all([loadConnections(), authorities(options.ca, systemCa)]);
    const route = createRoute(origin, decision, {
      clock: options.clock,
      limits,
      secureContext,
      refusesInner,
      onAuthorized: () => authProbe.onAuthorized(decision),
    });
    if (closed) await route.close();
    return route;
  }

  async function reach(decision: UsableProxyDecision, request: HttpRequest): Promise<Received | Refused> {
    const hadSystemCa = needsSystemCa;
    let received = await sendAgain(decision, request);
    if (closed) return { kind: 'aborted' };
    if (isUntrusted(received) && !hadSystemCa && options.systemCa?.() === true) {
      needsSystemCa = true;
      received = await sendAgain(decision, request);
    }
    if (received.kind === 'received' && received.status !== 407) return received;
    const refusal = proxyRefusal(407, decision.kind === 'proxy' ? decision.authorization : undefined);
    const isRefused = received.kind === 'received' ? received.status === 407 : reasonOf(received) === refusal;
    if (!isRefused) return received;
    if (received.kind === 'received') room.give(received.body.length);
    return { kind: 'failure', reason: refusal, isRetryable: false, isBlocked: true };
  }

  return {
    async prepare() {
      await loadConnections();
    },
    async request(request) {
      if (closed || request.signal?.aborted) return { kind: 'aborted' };
      const { origin } = request;
      const decision = decide(origin);
      if (decision.kind === 'invalid') return { kind: 'failure', reason: decision.reason, isRetryable: false };
      if (request.refusesInner && (await leadsInside(origin, decision)))
        return { kind: 'failure', reason: innerAddress(), isRetryable: false };
      const received = await authProbe.send(decision, () => reach(decision, request));
      if (received.kind !== 'received') return received;
      try {
        return await decode(received, request.isBinary);
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

const noProxies: Proxies = {};

/** Checks what no connection of this machine will: an address without a name, and a name that a proxy resolves. */
async function leadsInside(origin: string, decision: UsableProxyDecision): Promise<boolean> {
  const { hostname } = new URL(origin);
  const [{ isInnerHost }, { resolvesInner }] = await Promise.all([
    import('../model/registries/inner-host.ts'),
    import('./inner-addresses.ts'),
  ]);
  return isInnerHost(hostname) || (decision.kind === 'proxy' && (await resolvesInner(hostname)));
}

function isUntrusted(received: Received | Refused): boolean {
  return received.kind === 'failure' && received.reason === untrusted();
}

function reasonOf(received: Received | Refused): string | undefined {
  return received.kind === 'failure' ? received.reason : undefined;
}

/** undici takes longer to load than everything else together, so it is loaded later. */
function loadConnections(): Promise<typeof import('./connections.ts')> {
  return import('./connections.ts');
}
