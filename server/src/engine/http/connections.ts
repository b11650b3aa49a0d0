import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import * as l10n from '@vscode/l10n';
import buildConnector, { type ConnectCallback, type Connector } from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool, { type Handler, type PoolRequest } from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../model/ports.ts';
import { describe } from './errors.ts';
import { lookUpOuter } from './inner-addresses.ts';
import { createProbe } from './probe.ts';
import { notReached, proxyRefusal, type UsableProxyDecision } from './proxy.ts';
import type { HttpLimits } from './types.ts';

/** The connections to one host. */
export interface Route {
  /**
   * Sends a request, after the first connection is open.
   * @returns to be called when it has ended, with or without an answer
   */
  readonly send: (request: PoolRequest, handler: Handler) => () => void;
  /** To be called when an answer begins: the proxy accepted the credentials. */
  readonly onAuthorized: () => void;
  /** Whether requests share one connection, and end with it. */
  readonly isShared: () => boolean;
  /** Precedes the path: the origin for a proxy, else `''`. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Streams at a time over one connection of HTTP/2. Source: RFC 9113, 6.5.2, recommends that servers allow 100. */
const MAX_STREAMS = 100;

export interface RouteOptions {
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** The trusted authorities; undefined for those of Node. */
  readonly secureContext: SecureContext | undefined;
  /** Whether to refuse addresses of this machine, its link and metadata services. */
  readonly refusesInner: boolean;
  /** Called when a proxy has accepted the credentials. */
  readonly onAuthorized: () => void;
}

/** Opens a route, without connecting yet. */
export function createRoute(origin: string, decision: UsableProxyDecision, options: RouteOptions): Route {
  const connecting = createConnecting();
  const route = routeOver(connecting.build, origin, decision, options);
  return {
    ...route,
    close() {
      const closed = route.close();
      connecting.giveUp();
      return closed;
    },
  };
}

function routeOver(
  build: Connecting['build'],
  origin: string,
  decision: UsableProxyDecision,
  { clock, limits, secureContext, refusesInner, onAuthorized }: RouteOptions,
): Route {
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 applies to options without it.
  const trust = { timeout: limits.connect, rejectUnauthorized: true, ...(secureContext && { secureContext }) };
  const connect = (allowH2: boolean) => build({ ...trust, allowH2, ...(refusesInner && { lookup: lookUpOuter }) });
  if (decision.kind === 'direct') {
    if (origin.startsWith('https:')) return { ...secureRoute(origin, connect, limits), ...direct };
    const pool = createPool(origin, connect(false), limits);
    return { ...plainRoute(pool), ...direct };
  }
  const toProxy = build({
    ...trust,
    allowH2: false,
    // This setting of a person is about the proxy. The certificate of the service behind it is still verified.
    ...(decision.anyCertificate && { rejectUnauthorized: false }),
  });
  const plain: Connector = (to, callback) => {
    toProxy(to, (error, socket) =>
      error ? callback(new Error(notReached(describe(error))), null) : callback(null, socket),
    );
  };
  const proxy = createPool(decision.origin, plain, limits);
  const credentials: Record<string, string> =
    decision.authorization === undefined ? {} : { 'proxy-authorization': decision.authorization };
  if (origin.startsWith('http:')) {
    // The path of a request to a proxy is the whole address.
    const headers = { host: new URL(origin).host, ...credentials };
    return { ...plainRoute(proxy), prefix: origin, headers, onAuthorized };
  }
  const through = (allowH2: boolean): Connector => {
    const connector = connect(allowH2);
    return (to, callback) => {
      tunnel(proxy, { clock, limits, host: `${to.hostname}:${to.port || '443'}`, credentials }, (error, socket) => {
        if (!socket) return callback(error, null);
        onAuthorized();
        connector({ ...to, httpSocket: socket }, callback);
      });
    };
  };
  const route = secureRoute(origin, through, limits);
  return {
    ...route,
    ...direct,
    close: async () => {
      await Promise.all([route.close(), proxy.destroy()]);
    },
  };
}

type Connections = Pick<Route, 'send' | 'isShared' | 'close'>;

/** No proxy reads the requests. */
const direct = { prefix: '', headers: {}, onAuthorized: () => {} } as const;

/** Without TLS there is no negotiation of HTTP/2: each connection carries one request at a time. */
function plainRoute(pool: Pool): Connections {
  return {
    send(request, handler) {
      pool.dispatch(request, handler);
      return () => {};
    },
    isShared: () => false,
    close: () => pool.destroy(),
  };
}

/**
 * One connection for all requests if the host speaks HTTP/2, else one for each. The first request goes alone until its
 * connection is open: a wave would open a connection for each before HTTP/2 is known.
 */
function secureRoute(origin: string, connect: (allowH2: boolean) => Connector, limits: HttpLimits): Connections {
  const probe = createProbe();
  const connector = connect(true);
  let isShared = false;
  let pool: Pool | undefined;
  const client: Client = new Client(origin, {
    ...common,
    allowH2: true,
    connect: (to, callback) =>
      connector(to, (error, socket) => {
        if (socket) {
          isShared = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
          client.pipelining = isShared ? MAX_STREAMS : 1;
          if (!isShared) pool ??= createPool(origin, connect(false), limits);
        }
        // Without its code: if it means that a certificate is for another host, undici connects again without end and
        // fails no request.
        if (error) callback(new Error(describe(error)), null);
        else callback(null, socket);
        // The connection is ready in the next turn.
        setImmediate(() => {
          if (socket) probe.admit('all');
          else if (probe.admitted() === 'one') probe.admit('one', 'go');
        });
      }),
  });
  /** Over HTTP/1 the first connection is one of many, and is used again when it is idle. */
  const free = (): Client | Pool => (pool && client.stats.size > 0 ? pool : client);
  return {
    send: (request, handler) => probe.enter(() => void free().dispatch(request, handler)),
    isShared: () => isShared,
    close: async () => {
      await Promise.all([client.destroy(), pool?.destroy()]);
    },
  };
}

/** Deadlines are measured by `exchange`, with the clock port. */
const common = { headersTimeout: 0, bodyTimeout: 0 } as const;

function createPool(origin: string, connect: Connector, limits: HttpLimits): Pool {
  return new Pool(origin, { ...common, allowH2: false, connections: limits.connections, connect });
}

interface Tunnel {
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** `host:port` */
  readonly host: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Requests a connection to a host from a proxy. */
function tunnel(proxy: Pool, { clock, limits, host, credentials }: Tunnel, callback: ConnectCallback): void {
  let cancel = () => {};
  proxy.dispatch(
    { method: 'CONNECT', path: host, headers: { host, ...credentials } },
    {
      onRequestStart(controller) {
        cancel = clock.after(limits.connect, () => controller.abort(new Error(l10n.t('the proxy does not answer'))));
      },
      onRequestUpgrade(_, status, __, socket) {
        cancel();
        if (status === 200) {
          // The type is wider than the socket of a connection.
          callback(null, socket as Socket);
          return;
        }
        socket.on('error', () => {}).destroy();
        callback(new Error(proxyRefusal(status, credentials['proxy-authorization'])), null);
      },
      onResponseError(_, error) {
        cancel();
        // Without its code: if it means that the peer hung up, undici connects again without end.
        callback(new Error(describe(error)), null);
      },
    },
  );
}

/**
 * Connections that are being opened. One to a silent host would keep the program running until its deadline.
 */
export interface Connecting {
  build(options: Parameters<typeof buildConnector>[0]): Connector;
  /** Cancels all of them. */
  giveUp(): void;
}

export function createConnecting(): Connecting {
  const all = new Set<Socket>();
  return {
    build(options) {
      const connect = buildConnector(options);
      return (to, callback) => {
        const made = connect(to, (...result) => {
          all.delete(made);
          callback(...result);
        });
        all.add(made);
      };
    },
    giveUp() {
      for (const it of all) it.destroy(new Error('no longer wanted'));
    },
  };
}
