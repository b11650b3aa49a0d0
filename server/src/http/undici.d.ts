/* The part of undici that is used, by the subpaths it is imported by. */

declare module 'undici/lib/dispatcher/client.js' {
  import type { Connector } from 'undici/lib/core/connect.js';
  import type { Handler, PoolRequest } from 'undici/lib/dispatcher/pool.js';

  /** One connection to a host, opened again when it has gone. */
  class Client {
    constructor(origin: string, options: ClientOptions);
    /** Requests under way at a time. */
    pipelining: number;
    /** `size`: requests that wait or are under way. */
    readonly stats: { readonly size: number };
    /** Takes a request in. What comes back, or the error, is told to the handler. */
    dispatch(request: PoolRequest, handler: Handler): boolean;
    /** Ends the connection; what is under way ends with an error. */
    destroy(): Promise<void>;
  }

  export interface ClientOptions {
    readonly connect: Connector;
    readonly allowH2: boolean;
    /** In ms; 0 for none. */
    readonly headersTimeout: number;
    readonly bodyTimeout: number;
  }

  // biome-ignore lint/style/noDefaultExport: the module is CommonJS, and its one export comes as the default.
  export default Client;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Connection } from 'undici/lib/core/connect.js';
  import type { ClientOptions } from 'undici/lib/dispatcher/client.js';

  /** Sends requests to one host over connections it keeps. */
  class Pool {
    constructor(origin: string, options: PoolOptions);
    /** Takes a request in. What comes back, or the error, is told to the handler. */
    dispatch(request: PoolRequest, handler: Handler): boolean;
    /** Ends every connection; what is under way ends with an error. */
    destroy(): Promise<void>;
  }

  interface PoolOptions extends ClientOptions {
    readonly connections: number;
  }

  export interface PoolRequest {
    readonly method: string;
    readonly path: string;
    readonly body?: string | null;
    readonly headers: Readonly<Record<string, string>>;
    /** It may be sent beside others over one connection of HTTP/2. */
    readonly idempotent?: boolean;
  }

  export interface Controller {
    abort(reason: Error): void;
  }

  export interface Handler {
    onRequestStart?(controller: Controller): void;
    /** Called for answers of the 1xx kind, too. */
    onResponseStart?(
      controller: Controller,
      status: number,
      headers: Readonly<Record<string, string | string[] | undefined>>,
    ): void;
    onResponseData?(controller: Controller, chunk: Buffer): void;
    onResponseEnd?(controller: Controller): void;
    /** The answer to CONNECT, whatever its status. */
    onRequestUpgrade?(controller: Controller, status: number, headers: unknown, socket: Connection): void;
    onResponseError(controller: Controller, error: Error): void;
  }

  // biome-ignore lint/style/noDefaultExport: the module is CommonJS, and its one export comes as the default.
  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  import type { SecureContext } from 'node:tls';

  /** Opens a connection. */
  export type Connector = (options: ConnectOptions, callback: ConnectCallback) => void;

  export interface ConnectOptions {
    readonly hostname: string;
    readonly host: string;
    readonly protocol: string;
    /** `''` for the usual one. */
    readonly port: string;
    /** A connection to go on with: TLS is spoken over it. */
    readonly httpSocket?: Connection;
  }

  export type ConnectCallback = (error: Error | null, socket: Connection | null) => void;

  /** A connection, as far as it is touched here. */
  export interface Connection {
    /** `h2` where the two have agreed on HTTP/2. */
    readonly alpnProtocol?: unknown;
    on(event: 'error', listener: () => void): this;
    destroy(error?: Error): this;
  }

  function buildConnector(options: {
    /** Until the connection stands, in ms. */
    readonly timeout: number;
    readonly allowH2: boolean;
    /** What certificates are held against; without, what Node trusts. */
    readonly secureContext?: SecureContext;
    /** Only where it is false is any certificate taken. */
    readonly rejectUnauthorized?: boolean;
  }): (options: ConnectOptions, callback: ConnectCallback) => Connection;

  // biome-ignore lint/style/noDefaultExport: the module is CommonJS, and its one export comes as the default.
  export default buildConnector;
}
