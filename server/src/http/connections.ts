import type { SecureContext } from 'node:tls';
import * as l10n from '@vscode/l10n';
import buildConnector, { type Connection, type Connector } from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool, { type Handler, type PoolRequest } from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../model/ports.ts';
import { describe } from './errors.ts';
import { createFirstConnection, createFreedConnections, type UsableProxyDecision } from './probe.ts';
import { notReached, proxyRefusal } from './proxy.ts';
import type { HttpLimits } from './types.ts';

/** The connections over which the requests to one host go. */
export interface Route {
  /**
   * Sends a request, or has it wait for the first connection.
   * @returns to be called when it has ended, however it did
   */
  readonly send: (request: PoolRequest, handler: Handler) => () => void;
  /** To be called when an answer begins: who stands on the way took the credentials. */
  readonly onAuthorized: () => void;
  /** Whether requests share one connection: when that ends, all of them do. */
  readonly isShared: () => boolean;
  /** What stands before the path: nothing, or the origin where a proxy has to be told. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Streams at a time over one connection of HTTP/2; servers allow 100 by custom. */
const streams = 100;

export interface RouteOptions {
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** What certificates are held against; undefined for what Node trusts. */
  readonly secureContext: SecureContext | undefined;
  /** Called when a proxy has let something through. */
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
  { clock, limits, secureContext, onAuthorized }: RouteOptions,
): Route {
  // In so many words, for NODE_TLS_REJECT_UNAUTHORIZED=0 counts for what says nothing.
  const trust = { timeout: limits.connect, rejectUnauthorized: true, ...(secureContext && { secureContext }) };
  const connect = (allowH2: boolean) => build({ ...trust, allowH2 });
  if (decision.kind === 'direct') {
    if (origin.startsWith('https:')) return { ...secureRoute(origin, connect, limits), ...straight };
    const pool = createPool(origin, connect(false), limits);
    return { ...plainRoute(pool), ...straight };
  }
  const toProxy = build({
    ...trust,
    allowH2: false,
    // It is the person's choice for the proxy alone; the service behind it shows its own certificate.
    ...(decision.anyCertificate && { rejectUnauthorized: false }),
  });
  const plain: Connector = (to, callback) => {
    toProxy(to, (error, socket) => callback(error && new Error(notReached(describe(error))), socket));
  };
  const proxy = createPool(decision.origin, plain, limits);
  const credentials: Record<string, string> =
    decision.authorization === undefined ? {} : { 'proxy-authorization': decision.authorization };
  if (origin.startsWith('http:')) {
    // A proxy takes the whole address for a path.
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
    ...straight,
    close: async () => {
      await Promise.all([route.close(), proxy.destroy()]);
    },
  };
}

type Connections = Pick<Route, 'send' | 'isShared' | 'close'>;

/** Nobody on the way reads what is sent. */
const straight = { prefix: '', headers: {}, onAuthorized: () => {} } as const;

/** Without TLS nobody finds out whether a connection may be shared: each carries one request at a time. */
function plainRoute(pool: Pool): Connections {
  const freed = createFreedConnections();
  return {
    send: (request, handler) => freed.take(() => void pool.dispatch(request, handler)),
    isShared: () => false,
    close: () => pool.destroy(),
  };
}

/** One connection for all requests where the host speaks HTTP/2, which the first one shows; else one for each. */
function secureRoute(origin: string, connect: (allowH2: boolean) => Connector, limits: HttpLimits): Connections {
  const first = createFirstConnection();
  const freed = createFreedConnections();
  const connector = connect(true);
  let isShared = false;
  let pool: Pool | undefined;
  const client: Client = new Client(origin, {
    ...common,
    allowH2: true,
    connect: (to, callback) =>
      connector(to, (error, socket) => {
        if (socket) {
          isShared = socket.alpnProtocol === 'h2';
          client.pipelining = isShared ? streams : 1;
          if (!isShared) pool ??= createPool(origin, connect(false), limits);
        }
        // Without its code: undici connects again without end, and fails no request, where that says that a certificate
        // is for another host.
        callback(error && new Error(describe(error)), socket);
        // Those who waited for it find it ready in the next turn.
        setImmediate(() => first.settled(Boolean(socket)));
      }),
  });
  /** Over HTTP/1 the first connection is one of many: it is used again when it has nothing to do. */
  const free = (): Client | Pool => (pool && client.stats.size > 0 ? pool : client);
  return {
    send(request, handler) {
      let leave = () => {};
      const go = (): void => void free().dispatch(request, handler);
      const left = first.take(() => {
        if (isShared) go();
        else leave = freed.take(go);
      });
      return () => {
        left();
        leave();
      };
    },
    isShared: () => isShared,
    close: async () => {
      await Promise.all([client.destroy(), pool?.destroy()]);
    },
  };
}

/** The deadlines are kept by whoever sends, by the clock given. */
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

/** Asks a proxy for a connection to a host. */
function tunnel(
  proxy: Pool,
  { clock, limits, host, credentials }: Tunnel,
  callback: (error: Error | null, socket: Connection | null) => void,
): void {
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
          callback(null, socket);
          return;
        }
        socket.on('error', () => {}).destroy();
        callback(new Error(proxyRefusal(status, credentials['proxy-authorization'])), null);
      },
      onResponseError(_, error) {
        cancel();
        // Its code is left behind: undici connects again at once, and without end, where that says that a peer hung up.
        callback(new Error(describe(error)), null);
      },
    },
  );
}

/**
 * Connections that are being made. One to a host that says nothing would keep the program from its end until its
 * deadline.
 */
export interface Connecting {
  build(options: Parameters<typeof buildConnector>[0]): Connector;
  /** Gives all of them up. */
  giveUp(): void;
}

export function createConnecting(): Connecting {
  const all = new Set<Connection>();
  return {
    build(options) {
      const connect = buildConnector(options);
      return (to, callback) => {
        const made = connect(to, (error, socket) => {
          all.delete(made);
          callback(error, socket);
        });
        all.add(made);
      };
    },
    giveUp() {
      for (const it of all) it.destroy(new Error('no longer wanted'));
    },
  };
}

/**
 * What certificates are held against; undefined where the authorities that Node trusts will do, which costs nothing to
 * say. One for all connections of a route: the authorities of a machine take a while to be read.
 * @param ca authorities to trust besides, by PEM
 * @param systemCa whether to trust those of this machine, too
 */
export async function authorities(ca: readonly string[] = [], systemCa = false): Promise<SecureContext | undefined> {
  if (ca.length === 0 && !systemCa) return undefined;
  const tls = await import('node:tls');
  // Node 20, which older editors run on, cannot tell what the machine trusts, nor all that itself does: a list of ours
  // would be without NODE_EXTRA_CA_CERTS.
  if (tls.getCACertificates === undefined && ca.length === 0) return undefined;
  const known =
    tls.getCACertificates === undefined
      ? tls.rootCertificates
      : [...tls.getCACertificates('default'), ...(systemCa ? tls.getCACertificates('system') : [])];
  return tls.createSecureContext({ ca: [...known, ...ca] });
}
