/** The part of undici that is used, by the subpath it is imported by. */
declare module 'undici/lib/dispatcher/pool.js' {
  /** Sends requests to one host over connections it keeps. */
  class Pool {
    constructor(origin: string, options: PoolOptions);
    /** Takes a request in. What comes back, or the error, is told to the handler. */
    dispatch(request: PoolRequest, handler: Handler): boolean;
    /** Ends every connection; what is under way ends with an error. */
    destroy(): Promise<void>;
  }

  interface PoolOptions {
    readonly connections: number;
    readonly allowH2: boolean;
    readonly connect: { readonly timeout: number };
    /** In ms; 0 for none. */
    readonly headersTimeout: number;
    readonly bodyTimeout: number;
  }

  interface PoolRequest {
    readonly method: string;
    readonly path: string;
    readonly body: string | null;
    readonly headers: Readonly<Record<string, string>>;
  }

  export interface Controller {
    abort(reason: Error): void;
  }

  interface Handler {
    onRequestStart(controller: Controller): void;
    /** Called for answers of the 1xx kind, too. */
    onResponseStart(
      controller: Controller,
      status: number,
      headers: Readonly<Record<string, string | string[] | undefined>>,
    ): void;
    onResponseData(controller: Controller, chunk: Buffer): void;
    onResponseEnd(controller: Controller): void;
    onResponseError(controller: Controller, error: Error): void;
  }

  // biome-ignore lint/style/noDefaultExport: the module is CommonJS, and its one export comes as the default.
  export default Pool;
}
