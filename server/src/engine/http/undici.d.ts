/* The types of undici for the subpaths from which this program imports its parts. */

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';

  // biome-ignore lint/style/noDefaultExport: the one export of a CommonJS module is its default.
  export default Client;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { type Dispatcher, Pool } from 'undici';

  export type PoolRequest = Dispatcher.DispatchOptions;
  export type Controller = Dispatcher.DispatchController;
  export type Handler = Dispatcher.DispatchHandler;

  // biome-ignore lint/style/noDefaultExport: the one export of a CommonJS module is its default.
  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  export type ConnectOptions = buildConnector.Options;
  export type ConnectCallback = buildConnector.Callback;
  export type Connector = buildConnector.connector;

  /** Unlike the public type, it says that a connector returns the socket. */
  function build(options: buildConnector.BuildOptions): (options: ConnectOptions, callback: ConnectCallback) => Socket;

  // biome-ignore lint/style/noDefaultExport: the one export of a CommonJS module is its default.
  export default build;
}
