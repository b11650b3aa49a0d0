import type { SecureContext } from 'node:tls';
import * as l10n from '@vscode/l10n';
import buildConnector, { type Connection, type Connector } from 'undici/lib/core/connect.js';
import Client, { type ClientOptions } from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../model/ports.ts';
import { describe } from './errors.ts';
import { createFirstConnection, type FirstConnection } from './first-connection.ts';
import type { HttpLimits } from './http.ts';
import { proxyRefusal, type Way } from './proxy.ts';

/** The connections over which the requests to one host go. */
export interface Route {
  readonly pool: Pool;
  /** What stands before the path: nothing, or the origin where a proxy has to be told. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Calls when a request may be sent.
   * @returns to be called when it has ended
   */
  readonly take: (go: () => void) => () => void;
  close(): Promise<void>;
}

/** Streams at a time over one connection of HTTP/2; servers allow 100 by custom. */
const streams = 100;

export interface RouteOptions {
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** What certificates are held against; undefined for what Node trusts. */
  readonly secureContext: SecureContext | undefined;
}

/** Opens a route, without connecting yet. */
export function createRoute(
  origin: string,
  way: Exclude<Way, { readonly kind: 'none' }>,
  { clock, limits, secureContext }: RouteOptions,
): Route {
  const trust = secureContext && { secureContext };
  const secure = buildConnector({ timeout: limits.connect, allowH2: true, ...trust });
  const { take, settled } = origin.startsWith('https:') ? createFirstConnection() : atOnce;
  const connector: Connector = (to, callback) =>
    secure(to, (error, socket) => {
      callback(error, socket);
      // The pool takes notice of it in the same turn.
      setImmediate(() => settled(error === null));
    });
  if (way.kind === 'direct') {
    const pool = createPool(origin, connector, limits);
    return { pool, prefix: '', headers: {}, take, close: () => pool.destroy() };
  }
  const plain = buildConnector({
    timeout: limits.connect,
    allowH2: false,
    ...trust,
    // It is the person's choice for the proxy alone; the service behind it shows its own certificate.
    ...(way.anyCertificate && { rejectUnauthorized: false }),
  });
  const proxy = createPool(way.origin, plain, limits);
  const credentials: Record<string, string> =
    way.authorization === undefined ? {} : { 'proxy-authorization': way.authorization };
  if (origin.startsWith('http:')) {
    // A proxy takes the whole address for a path.
    const headers = { host: new URL(origin).host, ...credentials };
    return { pool: proxy, prefix: origin, headers, take, close: () => proxy.destroy() };
  }
  const through: Connector = (to, callback) => {
    tunnel(proxy, { clock, limits, host: `${to.hostname}:${to.port || '443'}`, credentials }, (error, socket) => {
      if (socket) connector({ ...to, httpSocket: socket }, callback);
      else {
        callback(error, null);
        settled(false);
      }
    });
  };
  const pool = createPool(origin, through, limits);
  return {
    pool,
    prefix: '',
    headers: {},
    take,
    close: async () => {
      await Promise.all([pool.destroy(), proxy.destroy()]);
    },
  };
}

/** Without TLS nobody finds out whether a connection may be shared. */
const atOnce: FirstConnection = {
  take(go) {
    go();
    return () => {};
  },
  settled: () => {},
};

function createPool(origin: string, connector: Connector, limits: HttpLimits): Pool {
  return new Pool(origin, {
    connections: limits.connections,
    connect: connector,
    factory: createClient,
    allowH2: true,
    // The deadlines are kept by whoever sends, by the clock given.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** One request at a time, until the connection turns out to be of HTTP/2. */
function createClient(origin: string, options: ClientOptions): Client {
  const client: Client = new Client(origin, {
    ...options,
    connect: (to, callback) =>
      options.connect(to, (error, socket) => {
        if (socket?.alpnProtocol === 'h2') client.pipelining = streams;
        callback(error, socket);
      }),
  });
  return client;
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
